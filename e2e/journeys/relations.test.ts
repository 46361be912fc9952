import { beforeAll, describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })
const listOf = (...values: string[]) => ({
  domainVals: { domainVal: values.map((value) => ({ tid: value.toLowerCase(), itm: [{ value, loc: 'en_GB' }] })) },
})

describe('relations and variations', () => {
  const console = withConsole()

  beforeAll(async () => {
    const { pim, search } = console.client()
    await pim['attribute-definitions'].persist([
      { tid: 'tone', type: 'text', ...listOf('White', 'Black'), ...named('Tone') },
      { tid: 'fit', type: 'text', ...listOf('Small', 'Large'), ...named('Fit') },
    ])
    await pim.classes.persist([{ tid: 'Harbour', ...named('Harbour') }])
    await pim.attributes.persist([
      { nodePath: '/Harbour', key: 'tone', level: 'a' },
      { nodePath: '/Harbour', key: 'fit', level: 'v' },
    ])
    const made = await pim.products.persist(
      ['Tent', 'Peg', 'Rope'].map((name) => ({ tid: name.toLowerCase(), name, node: '/Harbour' })),
    )
    const documents = made.map(({ id }) => id!)
    await search.waitForDocuments({ body: { index: 'PRODUCT', documents, maxWait: 60_000 } })
  })

  journey('a relation type is made, and products are related with quantities and in an order', async () => {
    const page = await console.signIn('/settings?part=relationTypes')
    const dialog = page.getByRole('dialog')
    await page.getByRole('row').filter({ hasText: 'Spare parts' }).waitFor()
    await page.getByRole('button', { name: 'New relation type' }).first().click()
    await dialog.getByRole('textbox', { name: /^ID/ }).fill('Scope')
    await dialog
      .getByRole('textbox', { name: /Name, as the product shows it.*English \(United Kingdom\)/ })
      .fill('Scope of delivery')
    await dialog
      .getByRole('textbox', { name: /Name, as the related product shows it.*English \(United Kingdom\)/ })
      .fill('Delivered with')
    await dialog.getByRole('checkbox', { name: 'With a quantity' }).check()
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row').filter({ hasText: 'Scope of delivery' }).waitFor()

    await page.goto(console.url('/products/tent?tab=links'))
    const relate = async (name: string, quantity: string) => {
      await page.getByRole('button', { name: 'Add related product' }).click()
      await dialog.getByRole('combobox', { name: 'Relation' }).click()
      await page.getByRole('option', { name: 'Scope of delivery' }).click()
      await dialog.getByRole('combobox', { name: 'Product' }).fill(name)
      await page.getByRole('option', { name }).click()
      await dialog.getByRole('textbox', { name: 'Quantity' }).fill(quantity)
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('row', { name: new RegExp(`${name} Scope of delivery`) }).waitFor()
    }
    await relate('Peg', '8')
    await relate('Rope', '2')
    await page.getByRole('button', { name: 'Move Rope up' }).click()
    await page.getByRole('button', { name: 'Move Rope down' }).waitFor()
    const amount = page.getByRole('textbox', { name: 'Quantity of Peg' })
    await amount.fill('12')
    await amount.blur()
    await checkAccess(page)
    const stored = async () => {
      const { relations = [] } = await console.client().pim.retrieveRelations({ body: { tids: ['tent'] } })
      return relations.map(({ other, quantity }) => `${other.tid} ${quantity}`)
    }
    await expect.poll(stored, { timeout: 20_000 }).toEqual(['rope 2', 'peg 12'])
    await page.goto(console.url('/products/peg?tab=links'))
    await page.getByRole('row', { name: /Tent Delivered with/ }).waitFor()
  })

  journey('a category gets axes, and a product its variations', async () => {
    const page = await console.signIn('/model?node=/Harbour')
    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
      await page.keyboard.press('Escape')
    }
    await choose('Axes of articles', 'Tone')
    await choose('Axes of variations', 'Fit')
    await page.mouse.move(0, 0) // the row below the option is highlighted otherwise
    await checkAccess(page)
    const { pim } = console.client()
    const axes = async () => (await pim.retrieveVariationAxes({ body: { nodePath: '/Harbour' } })).variations
    await expect.poll(axes, { timeout: 20_000 }).toEqual(['fit'])

    await page.goto(console.url('/products/tent?tab=matrix'))
    await page.getByRole('button', { name: 'Generate variations' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('6 combinations are missing').waitFor()
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Create 6' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('rowheader', { name: 'Black' }).first().waitFor()
    const [tent] = await pim.products.retrieve({ tids: ['tent'] })
    expect(tent!.articles!.article!.map(({ variants }) => variants!.variant!.map(({ name }) => name))).toEqual([
      ['Small', 'Large'],
      ['Small', 'Large'],
    ])
  })
})
