import { expect, describe } from 'vitest'
import { bookParts, sheetOf, workbookOf } from '../../server/test/workbook.ts'
import { checkAccess, journey, withConsole } from './journey.ts'

const label = (en: string, de: string) => ({ name: { itm: [{ value: en, loc: 'en_GB' }, { value: de, loc: 'de_DE' }] } }) // prettier-ignore

/** A workbook as a German office saves it: a title, labels as headings, decimal commas, dates and names of categories. */
async function germanWorkbook() {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value.replaceAll('>', '&gt;')}</t></is></c>`
  const row = (...cells: string[]) => `<row>${cells.map(text).join('')}</row>`
  const sheet = sheetOf(
    [
      row('Artikelliste Herbst 2026'),
      row('Artikelnummer', 'Bezeichnung', 'Warengruppe', 'Nettogewicht (kg)', 'Lieferbar ab', 'Wasserdicht', 'Werkstof', 'Lagerplatz'), // prettier-ignore
      row('H-1', 'Kompass', 'Navigation', '1,25', '01.09.2026', 'ja', 'Messing', 'A1'),
      row('H-2', 'Sextant', 'Ausrüstung > Navigation', 'schwer', '15.09.2026', 'nein', 'Messing', 'A2'),
      row('H-3', 'Fender', 'Decksachen', '0,4', '30.09.2026', 'ja', 'Gummi', 'B7'),
      row('H-4', 'Anker', 'Ankern', '12,5', '31.10.2026', 'ja', 'Stahl', 'B8'),
    ].join(''),
  )
  return workbookOf({ ...bookParts(), 'xl/worksheets/sheet1.xml': sheet })
}

describe('mapping a file', () => {
  const console = withConsole()
  const imports = 'input[type=file][accept*=xlsx]'

  journey(
    'a German workbook is mapped, imported, and its refused rows are corrected, in the console alone',
    async () => {
      const { pim } = console.client()
      await pim['attribute-definitions'].persist([
        { tid: 'NET_WEIGHT', type: 'number', ...label('Net weight', 'Nettogewicht') },
        { tid: 'AVAILABLE', type: 'date', ...label('Available from', 'Lieferbar ab') },
        { tid: 'WATERPROOF', type: 'boolean', ...label('Waterproof', 'Wasserdicht') },
        { tid: 'MATERIAL', type: 'text', ...label('Material', 'Werkstoff') },
        { tid: 'STOCK_PLACE', type: 'text', ...label('Place in store', 'Regal') },
        { tid: 'SHORT_TEXT', type: 'text', ...label('Short text', 'Zeile') },
        { tid: 'ORIGIN', type: 'text', ...label('Origin', 'Herkunft') },
      ])
      await pim.classes.persist([{ tid: 'Shop', ...label('Equipment', 'Ausrüstung') }])
      await pim.nodes.persist([
        { parentPath: '/Shop', tid: 'NAV', ...label('Navigation', 'Navigation') },
        { parentPath: '/Shop', tid: 'DECK', ...label('On deck', 'Decksachen') },
      ])
      const page = await console.signIn('/transfers')
      await page.getByRole('heading', { name: 'No files yet' }).waitFor()
      await page.locator(imports).setInputFiles({
        name: 'artikel.xlsx',
        mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        buffer: await germanWorkbook(),
      })

      // Every column that Kontor knows has its target, and its cells show what they become.
      const row = (heading: string) =>
        page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: heading }) })
      const target = (heading: string) => page.getByRole('combobox', { name: `Target of ${heading}` })
      await row('Nettogewicht (kg)').getByText('1.25').waitFor()
      await row('Lieferbar ab').getByText('2026-09-01', { exact: true }).waitFor()
      await row('Wasserdicht').getByText('true', { exact: true }).waitFor()
      await row('Warengruppe').getByText('/Shop/NAV').first().waitFor()
      expect(await target('Artikelnummer').inputValue()).toBe('ID')
      await row('Werkstof').getByText('Please check').waitFor()
      expect(await target('Lagerplatz').inputValue()).toBe('Do not import')
      await checkAccess(page)

      // A column that Kontor does not know is mapped by hand.
      await target('Lagerplatz').click()
      await page.getByRole('option', { name: 'Attribute', exact: true }).click()
      await page.getByRole('combobox', { name: 'Attribute of Lagerplatz' }).fill('place')
      await page.getByRole('option', { name: 'Place in store' }).click()
      await row('Lagerplatz').getByText('A1').waitFor()
      await page.getByRole('button', { name: 'File and notation' }).click()
      expect(await page.getByRole('textbox', { name: 'Row with the headings' }).inputValue()).toBe('2')
      await checkAccess(page)

      // Columns that the file does not have: a text made of others, and one value for all rows.
      const added = page.getByRole('dialog')
      const add = async (content: string, attribute: string, label: string, text: string, heading?: string) => {
        await page.getByRole('button', { name: 'Add column' }).click()
        await added.getByRole('combobox', { name: 'Content' }).click()
        await page.getByRole('option', { name: content }).click()
        if (heading !== undefined) await added.getByRole('textbox', { name: 'Heading' }).fill(heading)
        await added.getByRole('combobox', { name: 'Target of' }).click()
        await page.getByRole('option', { name: 'Attribute', exact: true }).click()
        await added.getByRole('combobox', { name: 'Attribute of' }).fill(attribute)
        await page.getByRole('option', { name: attribute }).click()
        await added.getByRole('textbox', { name: label }).fill(text)
        await checkAccess(page)
        await added.getByRole('button', { name: 'Add column' }).click()
        await added.waitFor({ state: 'hidden' })
      }
      await add('Text from several columns', 'Short text', 'Text from several columns', '{Werkstof}: {Bezeichnung}', 'Kurztext') // prettier-ignore
      await row('Kurztext').getByText('Messing: Kompass').waitFor()
      await add('The same value in all rows', 'Origin', 'Value', 'Hamburg')
      expect(await page.getByRole('textbox', { name: 'Value of ORIGIN' }).inputValue()).toBe('Hamburg')
      await page.getByRole('textbox', { name: 'Value of ORIGIN' }).fill('Kiel')
      await page.getByRole('textbox', { name: 'Value of ORIGIN' }).press('Enter')
      await checkAccess(page)

      await page.getByRole('button', { name: 'Save as profile' }).click()
      await page.getByRole('textbox', { name: 'Name of the profile' }).fill('Artikelliste')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByText('Profile Artikelliste saved').waitFor()

      // A check stores nothing, and the import can be started afterwards.
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByText('2 refused').waitFor()
      await page.getByRole('button', { name: 'Start', exact: true }).click()
      await page.getByText('2 created').waitFor()
      await page.getByText('Finished').first().waitFor()
      await page.getByRole('heading', { name: 'Refused rows' }).waitFor()
      await page
        .getByRole('group', { name: 'Row 2' })
        .getByText(/“schwer” is not a number/)
        .waitFor()
      await checkAccess(page)

      // The refused cells are corrected here, and imported again.
      await page.getByRole('textbox', { name: 'Nettogewicht (kg), row 2' }).fill('3,75')
      await page.getByRole('textbox', { name: 'Warengruppe, row 4' }).fill('Decksachen')
      await page.getByRole('button', { name: 'Import 2 corrected rows' }).click()
      await page.getByRole('heading', { name: 'artikel-corrected.csv' }).waitFor()
      await page.getByText('2 created').waitFor()
      await page.getByText('0 refused').waitFor()

      const products = await pim.products.retrieve({ tids: ['H-1', 'H-2', 'H-3', 'H-4'] })
      const valueOf = (tid: string, attr: string) =>
        products.find((one) => one.tid === tid)?.vals?.val?.find((one) => one.attr === attr)?.itm?.[0]?.value
      expect(products.map(({ tid, node }) => [tid, node])).toEqual([
        ['H-1', '/Shop/NAV'],
        ['H-2', '/Shop/NAV'],
        ['H-3', '/Shop/DECK'],
        ['H-4', '/Shop/DECK'],
      ])
      expect([valueOf('H-2', 'NET_WEIGHT'), valueOf('H-4', 'NET_WEIGHT'), valueOf('H-1', 'STOCK_PLACE')]).toEqual(['3.75', '12.5', 'A1']) // prettier-ignore
      expect(valueOf('H-3', 'AVAILABLE')).toContain('2026-09-30')
      expect([valueOf('H-1', 'SHORT_TEXT'), valueOf('H-3', 'ORIGIN')]).toEqual(['Messing: Kompass', 'Kiel'])
    },
  )

  journey('an export of Akeneo is imported into a system that has no model for it, in the console alone', async () => {
    const page = await console.signIn('/transfers')
    await page.getByRole('button', { name: 'Import a file' }).waitFor()
    const akeneo = {
      name: 'akeneo.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('sku;family;categories;name-en_GB;sail_area\nAK-1;sails;;Genoa;32\nAK-2;sails;;Jib;18\n'),
    }
    const zip = { name: 'akeneo.zip', mimeType: 'application/zip', buffer: await workbookOf({ 'akeneo.csv': `${akeneo.buffer}` }) } // prettier-ignore
    for (const file of [zip, akeneo]) {
      await page.locator(imports).setInputFiles(file)
      await page.getByRole('heading', { name: file.name }).waitFor()
      await page.getByText('A file of Akeneo').waitFor()
      await checkAccess(page)
      await page.getByRole('button', { name: 'Map the columns myself' }).click()
      await page.getByRole('combobox', { name: 'Target of sku' }).waitFor()
      expect(await page.getByRole('combobox', { name: 'Target of sku' }).inputValue()).toBe('ID')
    }
    await page.locator(imports).setInputFiles(akeneo)
    await page.getByText('A file of Akeneo').waitFor()
    const creates = (checked: boolean) =>
      page.getByRole('switch', { name: 'Create attributes and categories that are missing', checked })
    await creates(false).click()
    await creates(true).waitFor()
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText('2 created').waitFor()
    const [genoa] = await console.client().pim.products.retrieve({ tids: ['AK-1'] })
    expect(genoa?.vals?.val?.find(({ attr }) => attr === 'sail_area')?.itm?.[0]?.value).toBe('32')

    // A catalogue deletes a product only if a person has said so.
    const catalogue =
      '<BMECAT version="2005" xmlns="http://www.bmecat.org/bmecat/2005fd"><HEADER><CATALOG><LANGUAGE>eng</LANGUAGE><CATALOG_ID>S</CATALOG_ID><CATALOG_VERSION>1.0</CATALOG_VERSION></CATALOG></HEADER><T_NEW_CATALOG><PRODUCT mode="delete"><SUPPLIER_PID>AK-1</SUPPLIER_PID></PRODUCT></T_NEW_CATALOG></BMECAT>'
    await page.locator(imports).setInputFiles({ name: 'sails.xml', mimeType: 'application/xml', buffer: Buffer.from(catalogue) }) // prettier-ignore
    await page.getByText('A file of BMEcat').waitFor()
    const deletes = (checked: boolean) =>
      page.getByRole('switch', { name: 'Delete products that the file marks as deleted', checked })
    await deletes(false).click()
    await deletes(true).waitFor()
    await checkAccess(page)
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('heading', { name: 'sails.xml' }).locator('..').getByText('Finished').waitFor()
    expect((await console.client().transfers.listTransfers()).transfers?.[0]).toMatchObject({ layout: 'bmecat', deleted: 1, refused: 0 }) // prettier-ignore
  })

  journey('an import that fails because of a column is mapped in another way and started again', async () => {
    const { pim } = console.client()
    await pim.classes.persist([{ tid: 'Deck', ...label('Deck', 'Deck') }])
    const page = await console.signIn('/transfers')
    await page.getByRole('button', { name: 'Import a file' }).waitFor()
    const text = 'tid,name,node,Lagerplatz\nD-1,Cleat,/Deck,A1\n'
    await page.locator(imports).setInputFiles({ name: 'deck.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }) // prettier-ignore
    const target = page.getByRole('combobox', { name: 'Target of Lagerplatz' })
    const choose = async (name: string) => {
      await target.click()
      await page.getByRole('option', { name, exact: true }).click()
    }
    await choose('Category')
    await page.getByText(/columns 3 and 4 both mean node/).waitFor()
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('heading', { name: 'deck.csv' }).locator('..').getByText('Failed').waitFor()
    expect(await page.getByRole('button', { name: 'Start', exact: true }).isEnabled()).toBe(true)
    await checkAccess(page)

    await choose('Do not import')
    await page.getByRole('heading', { name: 'deck.csv' }).locator('..').getByText('Ready to start').waitFor()
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText('1 created').waitFor()
  })
})
