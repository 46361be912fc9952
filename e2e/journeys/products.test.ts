import { beforeAll, describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

const named = (en: string, de: string) => ({
  name: {
    itm: [
      { value: en, loc: 'en_GB' },
      { value: de, loc: 'de_DE' },
    ],
  },
})

describe('products', () => {
  const console = withConsole()

  beforeAll(async () => {
    const { pim } = console.client()
    await pim['attribute-definitions'].persist([
      { tid: 'title', type: 'text', localized: 'true', ...named('Title', 'Titel') },
      { tid: 'weight', type: 'number', ...named('Weight', 'Gewicht') },
    ])
    await pim.classes.persist([{ tid: 'Harbour', ...named('Harbour', 'Hafen') }])
    await pim.nodes.persist([{ parentPath: '/Harbour', tid: 'Boats', ...named('Boats', 'Boote') }])
    await pim.attributes.persist([
      { nodePath: '/Harbour', key: 'title', restriction: 'optional' },
      { nodePath: '/Harbour', key: 'weight' },
    ])
  })

  journey('a product with variations is made in two languages, and its history knows', async () => {
    const page = await console.signIn('/products?node=/Harbour/Boats')
    await page.getByRole('button', { name: 'New product' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Dinghy')
    await page.getByRole('textbox', { name: /^Tid/ }).fill('dinghy')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Dinghy' }).waitFor()

    await page.goto(console.url('/products/dinghy?with=de_DE'))
    await page.getByRole('textbox', { name: 'Title (en_GB)' }).fill('A small boat')
    await page.getByRole('textbox', { name: 'Title (de_DE)' }).fill('Ein kleines Boot')
    await page.getByRole('button', { name: 'Save 2 changes' }).click()
    await page.getByText('Dinghy was saved').waitFor()

    const add = async (button: string, name: string) => {
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name)
      await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('treeitem', { name, exact: true }).click()
    }
    await add('Add article', 'Red')
    await add('Add variation', 'Small')
    await page.getByText('Inherited from the product').first().waitFor()
    await page.getByRole('textbox', { name: 'Weight' }).fill('80.5')
    await page.getByRole('button', { name: 'Save one change' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
    await checkAccess(page)

    const [product] = await console.client().pim.products.retrieve({ tids: ['dinghy'] })
    const title = product!.vals!.val!.find(({ attr }) => attr === 'title')
    expect(title!.itm).toEqual([
      { value: 'Ein kleines Boot', loc: 'de_DE' },
      { value: 'A small boat', loc: 'en_GB' },
    ])
    const variant = product!.articles!.article![0]!.variants!.variant![0]!
    expect(variant.name).toBe('Small')
    expect(variant.vals!.val!.find(({ attr }) => attr === 'weight')!.itm).toEqual([{ value: '80.5' }])

    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('Ein kleines Boot').waitFor()
    await checkAccess(page)
  })

  journey('many products are changed at once: looked at first, done, and taken back', async () => {
    const { pim } = console.client()
    const many = Array.from({ length: 30 }, (_, i) => ({ tid: `raft-${i}`, name: `Raft ${i}`, node: '/Harbour/Boats' }))
    await pim.products.persist(many)
    const page = await console.signIn('/products?q=Raft&columns=weight')
    await page.getByText('30 products').waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByText('30 selected').waitFor()
    await checkAccess(page)
    await page.getByRole('button', { name: 'Edit values' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Attribute' }).click()
    await page.getByRole('option', { name: 'Weight (weight)' }).click()
    await dialog.getByRole('textbox', { name: 'Value' }).fill('12')
    await dialog.getByRole('button', { name: 'Preview the change' }).click()
    await dialog.getByText('30 products will change').waitFor()
    await dialog.getByRole('button', { name: 'Change 30 products' }).click()
    await page.getByText('30 products changed').waitFor()
    const weights = async () => {
      const { products = [] } = await pim.pageProducts({ body: { text: 'Raft', attributes: ['weight'] } })
      return new Set(products.map(({ vals }) => vals?.val?.[0]?.itm?.[0]?.value))
    }
    expect(await weights()).toEqual(new Set(['12']))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Everything is as before').waitFor()
    expect(await weights()).toEqual(new Set([undefined]))
  })

  journey('a view is saved, and is there in another browser', async () => {
    const page = await console.signIn('/products?q=Raft&columns=weight&sort=tid-asc')
    await page.getByText('30 products').waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('All rafts')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'All rafts', exact: true }).waitFor()
    await checkAccess(page)

    const other = await console.signIn('/products')
    await other.getByRole('button', { name: 'Views' }).click()
    await other.getByRole('button', { name: 'All rafts', exact: true }).click()
    await other.getByText('30 products').waitFor()
    await other.getByRole('columnheader', { name: 'Weight' }).waitFor()
    await checkAccess(other)
  })

  journey('the grid is walked with the keyboard, and opens what is chosen', async () => {
    const page = await console.signIn('/products?q=Raft&sort=tid-asc')
    await page.getByText('30 products').waitFor()
    const grid = page.getByRole('grid', { name: 'Products' })
    await grid.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press(' ')
    await page.getByText('one selected').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Raft 1', exact: true }).waitFor()
  })

  journey('words that stand in no name lead on to the search, which finds them in the values', async () => {
    const title = { attr: 'title', itm: [{ value: 'Eimerkettenbagger', loc: 'de_DE' }] }
    await console
      .client()
      .pim.products.persist([{ tid: 'D1', name: 'Dredger', node: '/Harbour', vals: { val: [title] } }])
    const page = await console.signIn('/products?q=Eimerkettenbagger&loc=de_DE')
    await page.getByRole('heading', { name: 'Nothing matches “Eimerkettenbagger”' }).waitFor()
    await page.getByText('Only names and tids are looked at here').waitFor()
    await checkAccess(page)
    await page.getByRole('link', { name: 'Search all values' }).click()
    await page.getByText('one hit').waitFor()
    await page.getByText('Dredger').first().waitFor()
  })
})
