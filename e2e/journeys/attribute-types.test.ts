import { describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('attributes with a format', () => {
  const console = withConsole()

  journey('a measure, a price, an identifier and formatted text are defined and filled in', async () => {
    const { pim } = console.client()
    await pim.classes.persist([{ tid: 'Shop', name: { itm: [{ value: 'Shop', loc: 'en_GB' }] } }])
    const page = await console.signIn('/model')
    await page.getByRole('tab', { name: 'Attributes', exact: true }).click()
    type Dialog = ReturnType<typeof page.getByRole>
    const create = async (name: string, type: string, fill: (dialog: Dialog) => Promise<unknown>) => {
      await page.getByRole('button', { name: 'New attribute' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Name, English (United Kingdom)' }).fill(name)
      await dialog.getByRole('combobox', { name: 'Type' }).click()
      await page.getByRole('option', { name: type, exact: true }).click()
      await fill(dialog)
      await checkAccess(page)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('gridcell', { name }).first().waitFor()
    }
    const choose = async (dialog: Dialog, label: string, option: string | RegExp) => {
      await dialog.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option }).click()
    }
    await create('Weight', 'Measure with unit', (dialog) => choose(dialog, 'Kind of measure', /^Mass/))
    await create('Cost', 'Price', async (dialog) => {
      await choose(dialog, 'Currencies', 'EUR')
      await page.getByRole('option', { name: 'USD' }).click()
      await page.keyboard.press('Escape')
    })
    await create('Code', 'Identifier', async (dialog) => {
      await choose(dialog, 'Numbering scheme', /^GTIN/)
      await dialog.getByRole('checkbox', { name: 'Each value only once' }).check()
    })
    await create('Story', 'Formatted text', async () => undefined)

    const keys = ['weight', 'cost', 'code', 'story']
    await pim.attributes.persist(keys.map((key) => ({ key, nodePath: '/Shop' })))
    await pim.products.persist([{ tid: 'P1', name: 'Folkboat', node: '/Shop' }])
    const weighing = (value: string) => ({ vals: { val: [{ attr: 'weight', itm: [{ value }] }] } })
    const article = [{ tid: 'P2-A', name: 'Dinghy red', ...weighing('95 kg') }]
    await pim.products.persist([{ tid: 'P2', name: 'Dinghy', node: '/Shop', ...weighing('80 kg'), articles: { article } }]) // prettier-ignore
    await page.goto(console.url('/products/P1'))
    await page.getByRole('textbox', { name: /^Weight/ }).fill('1,5')
    await page.getByRole('combobox', { name: /^Unit of Weight/ }).selectOption('t')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'US units' }).click()
    await page.getByText('≈ 3,307 lb').waitFor()
    await page.getByRole('textbox', { name: /Cost EUR$/ }).fill('9900')
    await page.getByRole('textbox', { name: /Cost USD$/ }).fill('10900,50')
    await page.getByRole('textbox', { name: /^Code/ }).fill('4006381333931')
    const story = page.getByRole('textbox', { name: /^Story/ })
    await story.click()
    await page.getByRole('button', { name: 'Bold' }).click()
    await page.keyboard.type('Fast')
    await checkAccess(page)
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText(/saved/).first().waitFor()

    const [boat] = await pim.products.retrieve({ tids: ['P1'] })
    const valueOf = (key: string) => boat?.vals?.val?.find(({ attr }) => attr === key)?.itm?.[0]?.value
    expect(keys.map(valueOf)).toEqual(['1.5 t', '9900 EUR; 10900.5 USD', '4006381333931', '<p><strong>Fast</strong></p>']) // prettier-ignore

    await page.goto(console.url('/products/P1?tab=history'))
    await page.getByText('1.5 t (≈ 3,307 lb)').waitFor()
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Compare' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Compare with' }).fill('Dinghy')
    await page.getByRole('option', { name: /^Dinghy/ }).click()
    await dialog.getByRole('cell', { name: '80 kg (≈ 176.4 lb)' }).waitFor()
    await dialog.getByRole('cell', { name: '1.5 t (≈ 3,307 lb)' }).waitFor()
    await checkAccess(page)

    await page.goto(console.url('/products/P2?tab=matrix&cols=weight'))
    await page.getByText('≈ 209.4 lb').waitFor()
    const amount = await page.getByRole('textbox', { name: 'Weight: Dinghy red' }).boundingBox()
    expect(amount!.width).toBeGreaterThan(130) // beside the unit, the number and the amount in other units
  })
})
