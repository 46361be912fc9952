import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('import and export', () => {
  const console = withConsole()
  const imports = 'input[type=file][accept*=xlsx]'
  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

  journey('a table is previewed and imported, refused rows are listed, and the products are exported', async () => {
    const { pim } = console.client()
    await pim['attribute-definitions'].persist([{ tid: 'PRICE', type: 'number', name: { itm: [{ value: 'Price', loc: 'en_GB' }] } }]) // prettier-ignore
    await pim.classes.persist([{ tid: 'Shop', name: { itm: [{ value: 'Shop', loc: 'en_GB' }] } }])
    const page = await console.signIn('/transfers')
    await page.getByRole('heading', { name: 'No files yet' }).waitFor()
    await checkAccess(page)
    const accepted = (await page.locator(imports).getAttribute('accept'))?.split(',')
    expect(accepted).toEqual(expect.arrayContaining(['.csv', '.xlsx', '.xlsm', '.json', '.ndjson', '.xml', '.zip']))

    const table = 'tid,name,node,PRICE\n4711,Compass,/Shop,129\n4712,Sextant,/Shop,ask us\n'
    await page.locator(imports).setInputFiles(file('prices.csv', table))
    await page.getByRole('heading', { name: 'Column mapping' }).waitFor()
    await page.getByText('4711 · Compass').waitFor()
    await page.getByText(/PRICE: .*is not a number/).waitFor()
    await checkAccess(page)

    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText('1 created').waitFor()
    await page.getByRole('heading', { name: 'Refused rows' }).waitFor()
    await page
      .getByRole('group', { name: 'Row 2' })
      .getByText(/PRICE: .*is not a number/)
      .waitFor()
    await checkAccess(page)
    const [refused] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Refused rows as CSV' }).click(),
    ])
    expect(readFileSync(await refused.path(), 'utf8')).toContain('4712,Sextant,/Shop,ask us,refused')

    await page.getByRole('button', { name: 'Export products' }).click()
    await page.getByRole('combobox', { name: 'Category' }).fill('shop')
    await page.getByRole('option').first().click()
    await checkAccess(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
    const [sent] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(readFileSync(await sent.path(), 'utf8')).toContain('4711,Compass,/Shop,129')

    // A catalogue in one language, in the layout of another system, which has no series.
    await page.getByRole('button', { name: 'Export products', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Series' }).waitFor()
    await dialog.getByRole('combobox', { name: 'Format' }).click()
    await page.getByRole('option', { name: 'BMEcat (xml)' }).click()
    await dialog.getByRole('combobox', { name: 'Languages' }).click()
    await page
      .getByRole('option', { name: /^English/ })
      .first()
      .click()
    await page.keyboard.press('Escape')
    expect(await dialog.getByRole('textbox', { name: 'Series' }).count()).toBe(0)
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('heading', { name: 'products.xml' }).waitFor()
    const [catalogue] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    const xml = readFileSync(await catalogue.path(), 'utf8')
    expect(xml).toContain('<SUPPLIER_PID>4711</SUPPLIER_PID>')
    expect(xml.match(/<LANGUAGE/g)).toHaveLength(1)

    const { transfers } = console.client()
    const put = (separator: string) =>
      transfers.putProfile({ params: { name: 'erp' }, body: { name: 'erp', separator } })
    for (const separator of [';', '+']) await put(separator)
    await page.reload()
    await page.getByRole('combobox', { name: 'Mapping profile' }).click()
    await page.getByRole('option', { name: 'erp' }).click()
    await page.getByRole('button', { name: 'Versions' }).click()
    const versions = page.getByRole('table', { name: 'Versions of erp' })
    await versions.getByRole('row').filter({ hasText: 'Current' }).filter({ hasText: 'admin' }).waitFor()
    await checkAccess(page)
    await versions.getByRole('button', { name: 'Restore this version' }).click()
    await versions.getByRole('row').nth(3).waitFor()
    expect((await transfers.listProfiles()).profiles).toMatchObject([{ name: 'erp', separator: ';' }])

    // A profile is taken to another installation as a file.
    await page.keyboard.press('Escape')
    const [profile] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download erp as JSON' }).click(),
    ])
    const stored = JSON.parse(readFileSync(await profile.path(), 'utf8'))
    expect([profile.suggestedFilename(), stored]).toEqual(['erp.json', { name: 'erp', separator: ';' }])
    const upload = async (value: object) =>
      page.locator('input[type=file][accept=".json"]').setInputFiles(file('erp.json', JSON.stringify(value)))
    await upload({ ...stored, name: 'warehouse' })
    await page.getByText('Profile warehouse stored').waitFor()
    await upload({ ...stored, separator: '/' })
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    await page.getByText('Profile erp stored').waitFor()
    await checkAccess(page)
    expect((await transfers.listProfiles()).profiles).toMatchObject([{ name: 'erp', separator: '/' }, { name: 'warehouse', separator: ';' }]) // prettier-ignore
  })
})
