import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { unzip } from '../../server/test/files.ts'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('usage rights', () => {
  const console = withConsole()

  /** A signed address ends with the rights, so the console fetches the file by the token. */
  async function fetchWithoutRights(page: Page) {
    const original = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const saved = await original
    expect(saved.suggestedFilename()).toBe('harbour.png')
    expect((await sharp(await saved.path()).metadata()).width).toBe(640)
    const sidecar = page.waitForEvent('download')
    await page.getByRole('button', { name: 'More ways to download' }).click()
    await page.getByRole('menuitem', { name: 'Metadata as .xmp file' }).click()
    expect((await sidecar).suggestedFilename()).toBe('harbour.xmp')
  }

  /** The zip of a selection has the other files, and the reason for the refused one. */
  async function zipOthers(page: Page) {
    await page.goto(console.url('/assets?dir=/MAM'))
    for (const name of [/harbour\.png/, /island\.png/])
      await page.getByRole('option', { name }).click({ modifiers: ['Control'] })
    const zip = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as ZIP' }).click()
    await page.getByText('1 file is not in the zip because of its usage rights.').waitFor()
    const files = await unzip(await readFile(await (await zip).path()))
    expect(files['not-included.txt']!.toString()).toContain('harbour.png')
    expect(Object.keys(files).filter((name) => name.endsWith('.png'))).toHaveLength(1)
  }

  async function findMarks(page: Page) {
    const { pim, dam, search } = console.client()
    const tid = new URL(page.url()).pathname.split('/').at(-1)!
    await pim.classes.persist([{ tid: 'Harbour', name: { itm: [{ value: 'Harbour', loc: 'en_GB' }] } }])
    await pim.products.persist([{ tid: 'buoy', name: 'Buoy', node: '/Harbour' }])
    await page.goto(console.url('/products/buoy?tab=links'))
    await page.getByRole('button', { name: 'Link files' }).click()
    const picker = page.getByRole('dialog')
    await picker.getByRole('treeitem', { name: 'MAM' }).click()
    const chosen = picker.getByRole('button', { name: /harbour\.png/ })
    await chosen.getByText('Rights expired').waitFor()
    expect(await picker.getByRole('button', { name: /island\.png/ }).innerText()).toBe('island.png')
    await checkAccess(page)
    await chosen.click()
    await picker.getByRole('button', { name: 'Use one file' }).click()
    await page.getByRole('article', { name: 'harbour.png' }).getByText('Rights expired').waitFor()

    await page.goto(console.url('/products'))
    await page.getByRole('row', { name: /Buoy/ }).getByRole('img', { name: 'Rights expired' }).waitFor()
    const [asset] = await dam.assets.retrieve({ tids: [tid] })
    await search.waitForDocuments({ body: { index: 'ASSET', documents: [asset!.id!], maxWait: 30_000 } })
    await page.goto(console.url('/search?q=harbour&index=ASSET'))
    await page
      .getByRole('row', { name: /harbour\.png/ })
      .getByRole('img', { name: 'Rights expired' })
      .waitFor()
    await checkAccess(page)
  }

  journey(
    'a focal point is set; rights are entered, mark the file, are overridden, and the file is replaced',
    async () => {
      const page = await console.signIn('/assets?dir=/MAM')
      const png = (background: string) => sharp({ create: { width: 640, height: 400, channels: 3, background } }).png().toBuffer() // prettier-ignore
      await page.locator('input[type=file]').setInputFiles([
        { name: 'harbour.png', mimeType: 'image/png', buffer: await png('#0a84ff') },
        { name: 'island.png', mimeType: 'image/png', buffer: await png('#34c759') },
      ])
      await page.getByRole('option', { name: 'island.png' }).waitFor()
      await page.getByRole('option', { name: 'harbour.png' }).click()
      await page.getByRole('link', { name: 'Open details' }).click()
      await page.getByRole('heading', { level: 1, name: 'harbour.png' }).waitFor()

      const point = page.getByRole('button', { name: 'Focal point', exact: true })
      await point.click({ position: { x: 10, y: 10 } })
      await point.press('ArrowRight')
      await page.getByTestId('focal point').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Focal point saved').waitFor()
      await page.getByRole('button', { name: 'Remove focal point' }).waitFor()
      await checkAccess(page)

      await page.getByRole('tab', { name: 'Usage rights' }).click()
      await page.getByRole('heading', { name: 'No usage rights entered' }).waitFor()
      await page.getByRole('button', { name: 'Edit usage rights' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Licence' }).fill('Contract 17')
      await dialog.getByRole('textbox', { name: 'Rights end on' }).fill('31/01/2020')
      await checkAccess(page)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Usage rights saved').waitFor()
      await page.getByText('Rights expired').first().waitFor()
      await page.getByText('Contract 17').waitFor()
      await dialog.waitFor({ state: 'detached' })
      await checkAccess(page)

      const file = page.url()
      await fetchWithoutRights(page)
      await findMarks(page)
      await zipOthers(page)

      await page.goto(file)
      await page.getByRole('button', { name: 'Override…' }).click()
      const soon = new Date(Date.now() + 2 * 86_400_000)
      const [year, month, day] = soon.toISOString().slice(0, 10).split('-')
      await dialog.getByRole('textbox', { name: 'Until' }).fill(`${day}/${month}/${year}`)
      await dialog.getByRole('textbox', { name: 'Reason' }).fill('Press day')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Rights overridden').first().waitFor()
      await page.getByText(/allowed it until .*: Press day/).waitFor()

      await page.getByRole('button', { name: 'Replace everywhere…' }).click()
      await dialog.getByRole('link', { name: /buoy/i }).waitFor()
      await dialog.getByRole('combobox', { name: /Replace by/ }).click()
      await page.keyboard.type('island')
      await page.getByRole('option', { name: /island\.png/ }).click()
      await dialog.getByRole('button', { name: 'Replace everywhere…' }).click()
      await page.getByText('Replaced in 1 place').waitFor()

      await page.goto(console.url('/assets?dir=/MAM'))
      const tile = page.getByRole('option', { name: /harbour\.png/ })
      await tile.getByText('Rights overridden').waitFor()
      expect(
        await page
          .getByRole('option', { name: /island\.png/ })
          .getByText('Rights')
          .count(),
      ).toBe(0)
      await checkAccess(page)
    },
  )
})
