import { expect, describe } from 'vitest'
import { bookParts, sheetOf, workbookOf } from '../../server/test/workbook.ts'
import { checkAccess, journey, withConsole } from './journey.ts'

const headings = ['Artikelnummer', 'Bezeichnung', 'Warengruppe', 'Farbe', 'Nettogewicht (kg)', 'Lieferbar ab', 'Wasserdicht', 'Größen', 'Werbetext'] // prettier-ignore
const rows = [
  ['H-1', 'Kompass', 'Navigation', 'Messing', '1,25', '01.09.2026', 'ja', 'S|M', 'Weist den Weg'],
  ['H-2', 'Fender', 'Decksachen', 'Blau', '0,4', '30.09.2026', 'nein', 'L', 'Hält Abstand'],
  ['H-3', 'Anker', 'Decksachen', 'Grau', '12,5', '31.10.2026', 'ja', 'L|XL', 'Sitzt fest'],
]
/** The weight, date and answer of each row, as the page of a product shows them. */
const typed = [
  ['1.25', '01/09/2026', 'Yes'],
  ['0.4', '30/09/2026', 'No'],
  ['12.5', '31/10/2026', 'Yes'],
]

/** A workbook as a German office saves it, with a title above the headings. */
function germanWorkbook() {
  const row = (cells: readonly string[]) => `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>` // prettier-ignore
  const sheet = sheetOf([['Artikelliste Herbst 2026'], headings, ...rows].map(row).join(''))
  return workbookOf({ ...bookParts(), 'xl/worksheets/sheet1.xml': sheet })
}

describe('a file for a system without a data model', () => {
  const console = withConsole()

  journey(
    'a workbook comes into a fresh system with the console alone: its category, its attributes and all values',
    async () => {
      const page = await console.signIn('/transfers')
      await page.getByRole('heading', { name: 'No files yet' }).waitFor()
      await page.locator('input[type=file][accept*=xlsx]').setInputFiles({
        name: 'artikelliste_herbst.xlsx',
        mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        buffer: await germanWorkbook(),
      })
      const row = (heading: string) =>
        page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: heading }) })
      const target = (heading: string) => page.getByRole('combobox', { name: `Target of ${heading}` })
      const dialog = page.getByRole('dialog')
      await row('Farbe').getByText('Messing').waitFor()
      expect(await target('Artikelnummer').inputValue()).toBe('ID')

      // An attribute that is created before the category is assigned to it later.
      const open = async (heading: string) => {
        await target(heading).click()
        await page.getByRole('option', { name: `New attribute “${heading}”` }).click()
        await dialog.getByRole('textbox', { name: 'Name' }).waitFor()
        expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(heading)
        return dialog.getByRole('combobox', { name: 'Type' }).inputValue()
      }
      const create = async () => {
        await dialog.getByRole('button', { name: 'Create' }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      expect(await open('Farbe')).toBe('Text')
      await checkAccess(page)
      await create()
      await page.getByRole('combobox', { name: 'Attribute of Farbe' }).waitFor()

      await page.getByText('There is no category yet').waitFor()
      await page.getByText(/The categories in the column Warengruppe do not exist/).waitFor()
      await checkAccess(page)
      await page.getByRole('button', { name: 'Create a category' }).click()
      await dialog.getByRole('textbox', { name: 'Name' }).waitFor()
      expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Artikelliste herbst')
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Herbst')
      await checkAccess(page)
      await create()
      await page.getByRole('textbox', { name: 'Value of node' }).waitFor()
      expect(await page.getByRole('textbox', { name: 'Value of node' }).inputValue()).toBe('/herbst')
      expect(await target('Warengruppe').inputValue()).toBe('Do not import')

      // The notation of numbers, dates and words is guessed with the type.
      const types = { Warengruppe: 'Text', 'Nettogewicht (kg)': 'Number', 'Lieferbar ab': 'Date', Wasserdicht: 'Yes or no', Größen: 'Text', Werbetext: 'Text' } // prettier-ignore
      for (const [heading, type] of Object.entries(types)) {
        expect(await open(heading)).toBe(type)
        expect(await dialog.getByRole('checkbox', { name: 'List of values' }).isChecked()).toBe(heading === 'Größen')
        if (heading === 'Nettogewicht (kg)') await dialog.getByRole('textbox', { name: 'Name' }).fill('Net weight')
        if (heading === 'Werbetext') await dialog.getByRole('checkbox', { name: 'Per language' }).check()
        await create()
        await page.getByRole('combobox', { name: `Attribute of ${heading}` }).waitFor()
      }
      await row('Nettogewicht (kg)').getByText('1.25').waitFor()
      await row('Lieferbar ab').getByText('2026-09-01', { exact: true }).waitFor()
      await row('Wasserdicht').getByText('true', { exact: true }).waitFor()
      await page.getByRole('combobox', { name: 'Language of Werbetext' }).click()
      await page.getByRole('option', { name: 'Deutsch (Deutschland)' }).click()
      await checkAccess(page)

      const start = page.getByRole('button', { name: 'Start', exact: true })
      await expect.poll(() => start.isEnabled()).toBe(true)
      await start.click()
      await page.getByText('3 created').waitFor()
      await page.getByText('0 refused').waitFor()

      // Every value is on the page of its product, among the attributes of the category.
      for (const [i, [tid = '', name = '', group, colour, , , , sizes = '', text]] of rows.entries()) {
        await page.goto(console.url(`/products/${tid}?with=de_DE`))
        await page.getByRole('heading', { level: 1, name }).waitFor()
        const attributes = page.getByRole('region', { name: 'Attributes of Herbst' })
        const valueOf = (name: string) =>
          attributes.getByRole('textbox', { name, exact: true }).or(attributes.getByRole('combobox', { name, exact: true })).inputValue() // prettier-ignore
        const labels = ['Warengruppe', 'Farbe', 'Net weight', 'Lieferbar ab', 'Wasserdicht', 'Werbetext, German (Germany)'] // prettier-ignore
        await attributes.getByText(sizes.split('|').at(-1)!, { exact: true }).waitFor()
        expect(await Promise.all(labels.map(valueOf))).toEqual([group, colour, ...typed[i]!, text])
        for (const size of sizes.split('|')) await attributes.getByText(size, { exact: true }).waitFor()
      }
      await checkAccess(page)
    },
  )

  journey('a person who may not define attributes is not offered new ones', async () => {
    const grants = [{ kind: '*', actions: ['read'] }, { kind: 'product', actions: ['*'] }] // prettier-ignore
    await console.client().identity.putRole({ params: { name: 'importer' }, body: { grants } })
    const page = await console.signIn('/transfers', await console.addUser('imke', ['importer']))
    await page.getByRole('button', { name: 'Import a file' }).waitFor()
    await page.locator('input[type=file][accept*=xlsx]').setInputFiles({ name: 'deck.csv', mimeType: 'text/csv', buffer: Buffer.from('tid,name,Lagerplatz\nD-1,Cleat,A1\n') }) // prettier-ignore
    await page.getByRole('combobox', { name: 'Target of Lagerplatz' }).click()
    await page.getByRole('option', { name: 'Do not import' }).waitFor()
    expect(await page.getByRole('option', { name: /New attribute/ }).count()).toBe(0)
  })
})
