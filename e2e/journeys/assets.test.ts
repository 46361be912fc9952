import { describe, expect } from 'vitest'
import sharp from 'sharp'
import { checkAccess, journey, withConsole } from './journey.ts'

const picture = async (name: string, hue: number, width = 320) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width, height: 240, channels: 3, background: { r: hue, g: 120, b: 200 } } })
    .png()
    .toBuffer(),
})

describe('assets', () => {
  const console = withConsole()

  journey('twenty pictures are uploaded into a new folder, and one of them is opened', async () => {
    const page = await console.signIn('/assets')
    await page.getByRole('treeitem', { name: 'MAM' }).hover()
    await page.getByRole('button', { name: 'Actions: MAM' }).click()
    await page.getByRole('menuitem', { name: 'New folder' }).click()
    await page.getByLabel('Folder name').fill('boats')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL((url) => url.searchParams.get('dir') === '/MAM/boats')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'No files here yet' }).waitFor()
    const files = await Promise.all(Array.from({ length: 20 }, (_, i) => picture(`boat-${i}.png`, i * 12)))
    await page.locator('input[type=file]').setInputFiles(files)
    await page.getByText('20 of 20 uploaded').waitFor()
    await page.getByText('20 files').waitFor()
    await page.getByRole('listbox', { name: 'Files' }).getByRole('option', { name: 'boat-7.png' }).waitFor()
    await page.getByRole('button', { name: 'Clear finished' }).click()
    await checkAccess(page)

    await page.getByRole('option', { name: 'boat-7.png' }).click()
    await page.getByRole('dialog').getByRole('img', { name: 'boat-7.png' }).waitFor()
    await page.keyboard.press('i')
    await page.getByRole('complementary', { name: 'Information' }).getByText('320 × 240 px').waitFor()
    await checkAccess(page)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await saved).suggestedFilename()).toBe('boat-7.png')
    await page.getByRole('link', { name: 'Open details' }).click()
    await page.getByRole('heading', { level: 1, name: 'boat-7.png' }).waitFor()
    await page.getByText('320 × 240 px').first().waitFor()
    await checkAccess(page)
  })

  journey('all files are listed newest first, with a timeline, as a wall or a list, and can be filtered', async () => {
    const { search } = console.client()
    const body = { context: { searchType: 'INDEX' as const, index: 'ASSET' as const }, pageSize: 1 }
    await expect.poll(async () => (await search.search({ body })).totalHitCount, { timeout: 60_000 }).toBe(20)
    const page = await console.signIn('/assets')
    await page.getByText('20 files').waitFor()
    await page.getByRole('navigation', { name: 'Timeline' }).getByRole('button').first().click()
    await page.getByRole('img', { name: 'List' }).click()
    await page.getByRole('grid', { name: 'Files' }).getByText('boat-19.png', { exact: true }).waitFor()
    await checkAccess(page)

    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Orientation' }).click()
    await page.getByRole('option', { name: 'Portrait' }).click()
    await page.getByRole('heading', { name: 'No files match the filter' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('20 files').waitFor()
    await page.getByLabel('Without metadata').check()
    await page.getByText('20 files').waitFor()
    await page.reload()
    await page.getByRole('grid', { name: 'Files' }).getByText('boat-19.png', { exact: true }).waitFor()
    expect(await page.getByLabel('Without metadata').isChecked()).toBe(true)
    await checkAccess(page)
  })

  journey('an uploaded picture is linked to a product, and its usage tab lists the product', async () => {
    const { pim } = console.client()
    await pim.classes.persist([{ tid: 'Harbour', name: { itm: [{ value: 'Harbour', loc: 'en_GB' }] } }])
    await pim.products.persist([{ tid: 'dinghy', name: 'Dinghy', node: '/Harbour' }])
    const page = await console.signIn('/products/dinghy?tab=links')
    await page.getByRole('button', { name: 'Link files' }).click()
    const dialog = page.getByRole('dialog', { name: 'Choose files' })
    await dialog.getByRole('treeitem', { name: 'MAM' }).click()
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('treeitem', { name: 'boats' }).click()
    await dialog.getByRole('button', { name: 'boat-7.png' }).click()
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Use one file' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('img', { name: 'boat-7.png' }).waitFor()
    await checkAccess(page)

    await page.getByRole('link', { name: 'boat-7.png' }).click()
    await page.getByRole('tab', { name: 'Where used' }).click()
    await page
      .getByRole('tabpanel')
      .getByRole('link', { name: /dinghy/i })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Dinghy' }).waitFor()
  })

  journey(
    'metadata that somebody else has changed meanwhile is not overwritten, and a date is typed or chosen',
    async () => {
      const { dam } = console.client()
      const { tids = [] } = await dam.assets.query({ directory: { path: '/MAM/boats' } })
      const tid = tids[0]!
      const page = await console.signIn(`/assets/${tid}?tab=metadata`)
      const credit = page.getByRole('textbox', { name: 'Credit', exact: true })
      await credit.fill('Mine')
      await dam.assets.persist([{ tid, vals: { val: [{ attr: 'CREDIT', itm: [{ value: 'Theirs' }] }] } }])
      await page.getByRole('button', { name: 'Save' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Somebody else has changed this value too').waitFor()
      await checkAccess(page)
      await dialog.getByRole('radio', { name: 'Credit: Mine' }).check()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      const valueOf = async (attr: string) =>
        (await dam.assets.retrieve({ tids: [tid] }))[0]!.vals?.val?.find((val) => val.attr === attr)?.itm?.[0]?.value
      await expect.poll(() => valueOf('CREDIT')).toBe('Mine')

      const expires = page.getByRole('textbox', { name: 'Licence expires' })
      await expires.fill('31/12/2027')
      await expires.locator('xpath=../..').getByRole('button', { name: 'Choose a date' }).click()
      await page.getByRole('button', { name: /31 December 2027/ }).waitFor()
      await checkAccess(page)
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Enter')
      expect(await expires.inputValue()).toBe('30/12/2027')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect.poll(async () => (await valueOf('LICENSE_EXPIRES'))?.slice(0, 10)).toBe('2027-12-30')
    },
  )

  journey('a duplicate is detected before it is uploaded, and can be skipped', async () => {
    const page = await console.signIn('/assets?dir=/MAM/boats')
    await page.getByText('20 files').waitFor()
    await page.locator('input[type=file]').setInputFiles([await picture('again.png', 12)])
    await page.getByText('Already here: /MAM/boats/boat-1.png').waitFor()
    await page.getByRole('button', { name: 'Skip' }).click()
    await page.getByText('Skipped').first().waitFor()
    const { tids } = await console.client().dam.assets.query({ directory: { path: '/MAM/boats' } })
    expect(tids).toHaveLength(20)
  })

  journey('deleting can be undone', async () => {
    const page = await console.signIn('/assets?dir=/MAM/boats')
    await page.getByRole('option', { name: 'boat-3.png' }).click({ modifiers: ['Control'] })
    await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('19 files').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('20 files').waitFor()
  })

  journey('a new version keeps the old file, which can be restored', async () => {
    const page = await console.signIn('/assets?dir=/MAM/boats')
    await page.getByRole('option', { name: 'boat-5.png' }).click()
    await page.getByRole('link', { name: 'Open details' }).click()
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('heading', { name: 'No earlier versions' }).waitFor()
    await page.locator('input[type=file]').setInputFiles([await picture('boat-5.png', 250, 400)])
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('dialog').getByRole('img').nth(1).waitFor()
    await page.getByRole('dialog').getByText('80 px wider').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Version restored').waitFor()
    await checkAccess(page)

    await page.getByRole('tab', { name: 'Metadata' }).click()
    const title = page.getByRole('group', { name: 'Description' }).getByRole('textbox', { name: 'Title' })
    await title.fill('A dinghy at dawn')
    await page.reload()
    await page.getByText('Unsaved changes from').waitFor()
    expect(await title.inputValue()).toBe('A dinghy at dawn')
    await checkAccess(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Unsaved changes from').waitFor({ state: 'detached' })
    await expect
      .poll(async () => {
        const tid = new URL(page.url()).pathname.split('/').at(-1)!
        const [asset] = await console.client().dam.assets.retrieve({ tids: [tid] })
        return asset?.vals?.val?.find(({ attr }) => attr === 'TITLE')?.itm?.[0]?.value
      })
      .toBe('A dinghy at dawn')
  })
})
