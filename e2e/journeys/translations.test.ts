import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('translations', () => {
  const console = withConsole()
  const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })
  const title = (texts: Record<string, string>) => ({
    vals: { val: [{ attr: 'TITLE', itm: Object.entries(texts).map(([loc, value]) => ({ loc, value })) }] },
  })

  journey('a stale text is confirmed, a known translation is taken, and texts go to translators and back', async () => {
    const { pim, transfers } = console.client()
    await pim['attribute-definitions'].persist([{ tid: 'TITLE', type: 'text', localized: 'true', ...named('Title') }])
    await pim.classes.persist([{ tid: 'Shop', ...named('Shop') }])
    await pim.attributes.persist([{ nodePath: '/Shop', key: 'TITLE', level: 'p' }])
    const product = (tid: string, name: string, texts: Record<string, string>) => ({ tid, name, node: '/Shop', ...title(texts) }) // prettier-ignore
    await pim.products.persist([
      product('C1', 'Compass', { en_GB: 'A steady compass', de_DE: 'Ein ruhiger Kompass', fr_FR: 'Un compas stable' }),
      product('C2', 'Second compass', { en_GB: 'A steady compass' }),
    ])
    await pim.products.persist([{ tid: 'C1', ...title({ en_GB: 'A steady compass for sailors' }) }])

    // The editor says that the source has changed.
    const page = await console.signIn('/products/C1?loc=de_DE')
    await page.getByText(/The source text \(English.*\) changed on/).waitFor()
    await checkAccess(page)
    await page.getByRole('button', { name: /^It is still right: Title, German/ }).click()
    await page.getByText(/The source text \(English.*\) changed on/).waitFor({ state: 'detached' })
    expect((await pim.retrieveTranslations({ body: { tid: 'C1' } })).stale).toMatchObject([{ locale: 'fr_FR' }])

    // The editor offers the translation of a similar text.
    await page.goto(console.url('/products/C2?loc=de_DE'))
    await page.getByText(/Known translation \(\d+ %\): Ein ruhiger Kompass/).waitFor()
    await checkAccess(page)
    await page.getByRole('button', { name: /^Use it: Title, German/ }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    const german = async (tid: string) =>
      (await pim.products.retrieve({ tids: [tid] }))[0]!.vals!.val![0]!.itm!.find(({ loc }) => loc === 'de_DE')?.value
    await expect.poll(() => german('C2')).toBe('Ein ruhiger Kompass')

    // Into French: one text is missing, the source of the other has changed.
    await page.goto(console.url('/transfers'))
    await page.getByRole('button', { name: 'Export products' }).click()
    await page.getByRole('combobox', { name: 'Format' }).click()
    await page.getByRole('option', { name: 'XLIFF 2.1 (for translators)' }).click()
    await page.getByRole('combobox', { name: 'Translate into' }).click()
    await page.getByRole('option', { name: 'French (France)' }).click()
    await checkAccess(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
    const [sent] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    const xml = readFileSync(await sent.path(), 'utf8')
    expect(sent.suggestedFilename()).toBe('translation-fr_FR.xlf')
    expect([...xml.matchAll(/<unit /g)]).toHaveLength(2)
    const back = xml
      .replace(
        /state="initial"><source>A steady compass<\/source>(<target>.*?<\/target>)?/,
        'state="final"><source>A steady compass</source><target>Un compas calme</target>',
      ) // prettier-ignore
      .replace('state="initial"', 'state="translated"')
    await page.locator('input[type=file][accept*=xlf]').setInputFiles({ name: 'french.xlf', mimeType: 'application/xml', buffer: Buffer.from(back) }) // prettier-ignore
    await page.getByText('A file of XLIFF').waitFor()
    await checkAccess(page)
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText('1 updated').waitFor()
    expect((await pim.retrieveTranslations({ body: { tid: 'C1' } })).stale ?? []).toEqual([])
    expect((await transfers.listTransfers()).transfers).toMatchObject([
      { layout: 'xliff', updated: 1, unchanged: 1 },
      {},
    ])
  })

  journey('the language that texts are translated from is chosen in the settings', async () => {
    const page = await console.signIn('/settings?part=locales')
    const source = page.getByRole('switch', { name: /^Translated from: Deutsch \(Deutschland\)/ })
    await source.waitFor({ state: 'attached' })
    await checkAccess(page)
    await source.click({ force: true })
    await expect.poll(() => source.isChecked()).toBe(true)
    const { common } = console.client()
    const [german] = await common.locales.retrieve({ mode: 'TID', tids: ['de_DE'] })
    expect(german!.meta!.itm).toContainEqual({ key: 'source', value: 'true' })
  })
})
