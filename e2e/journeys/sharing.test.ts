import { describe, expect } from 'vitest'
import sharp from 'sharp'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('sharing', () => {
  const console = withConsole()

  journey('a collection is shared with a password, downloaded by a visitor, and revoked', async () => {
    const page = await console.signIn('/assets?dir=/MAM')
    const png = (background: string) => sharp({ create: { width: 640, height: 400, channels: 3, background } }).png().toBuffer() // prettier-ignore
    await page.locator('input[type=file]').setInputFiles([
      { name: 'quay.png', mimeType: 'image/png', buffer: await png('#0a84ff') },
      { name: 'reef.png', mimeType: 'image/png', buffer: await png('#34c759') },
    ])
    for (const name of ['quay.png', 'reef.png'])
      await page.getByRole('option', { name }).click({ modifiers: ['Control'] })
    await page.getByRole('button', { name: 'Add to collection …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Or a new collection' }).fill('For the press')
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('2 files added to “For the press”').waitFor()

    await page.goto(console.url('/sharing'))
    await page.getByRole('button', { name: /For the press/ }).click()
    const tiles = page.getByRole('list', { name: 'For the press' }).getByRole('listitem')
    await expect.poll(() => tiles.count()).toBe(2)
    const names = () => tiles.allInnerTexts()
    const before = await names()
    await page
      .getByRole('button', { name: /^Move .* forward$/ })
      .last()
      .click()
    await expect.poll(names).toEqual(before.toReversed())
    await tiles
      .first()
      .getByRole('button', { name: /from the collection$/ })
      .click()
    await expect.poll(() => tiles.count()).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(names).toEqual(before.toReversed())
    await checkAccess(page)
    await page.getByRole('button', { name: 'Share …' }).click()
    await dialog.getByRole('textbox', { name: /^Password/ }).fill('correct horse')
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Create page' }).click()
    const address = (await dialog.getByText(/\/share\/[\w-]{43}/).textContent())!.trim()
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    const visitor = await console.visitor()
    await visitor.goto(address)
    await checkAccess(visitor)
    await visitor.getByLabel('Password').fill('wrong horse')
    await visitor.getByRole('button', { name: 'Open' }).click()
    await visitor.getByRole('alert').waitFor()
    await visitor.getByLabel('Password').fill('correct horse')
    await visitor.getByRole('button', { name: 'Open' }).click()
    await visitor.getByText('quay.png').waitFor()
    await checkAccess(visitor)
    const download = visitor.waitForEvent('download')
    await visitor.getByRole('link', { name: 'Download quay.png as Original' }).click()
    expect((await download).suggestedFilename()).toBe('quay.png')

    await page.goto(console.url('/sharing?part=pages'))
    await page.getByRole('button', { name: /For the press/ }).click()
    await page.getByRole('cell', { name: 'quay.png (original)' }).waitFor()
    await checkAccess(page)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Title of the page' }).fill('For all papers')
    await dialog.getByRole('checkbox', { name: 'Remove the password' }).check()
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'For all papers' }).waitFor()
    const another = await console.visitor()
    await another.goto(address)
    await another.getByText('quay.png').waitFor()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked').first().waitFor()
    await visitor.reload()
    await visitor.getByRole('heading', { name: 'This page is not available' }).waitFor()
    await checkAccess(visitor)
  })

  journey('an upload request takes a file, which is accepted', async () => {
    await console.client().dam.dirs.persist([{ rnc: 'MAM', name: 'Incoming' }])
    const page = await console.signIn('/sharing?part=pages')
    await page.getByRole('button', { name: 'New upload request' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Title of the page' }).fill('Your photos')
    await dialog.getByRole('combobox', { name: /Folder for accepted files/ }).click()
    await page.getByRole('option', { name: /MAM/ }).first().click()
    await dialog.getByRole('combobox', { name: /Folder for accepted files/ }).click()
    await page.getByRole('option', { name: '/MAM/Incoming' }).click() // no file uses it yet
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Create page' }).click()
    const address = (await dialog.getByText(/\/share\/[\w-]{43}/).textContent())!.trim()
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    const visitor = await console.visitor()
    await visitor.goto(address)
    await visitor.locator('input[type=file]').setInputFiles([
      { name: 'delivered.png', mimeType: 'image/png', buffer: await sharp({ create: { width: 64, height: 40, channels: 3, background: '#0a84ff' } }).png().toBuffer() }, // prettier-ignore
      { name: 'nonsense.txt', mimeType: 'text/plain', buffer: Buffer.from('nonsense') },
    ])
    await expect.poll(() => visitor.getByText('Delivered', { exact: true }).count()).toBe(2)
    await checkAccess(visitor)

    await page.goto(console.url('/sharing?part=pages'))
    await page.getByRole('button', { name: /Your photos/ }).click()
    await page.getByRole('button', { name: 'Accept: delivered.png' }).click()
    await page.getByText('1 file accepted').waitFor()
    await page.getByRole('button', { name: 'Reject: nonsense.txt' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText('No files wait').waitFor()
    await checkAccess(page)
    await page.goto(console.url('/assets?dir=/MAM/Incoming'))
    await page.getByRole('option', { name: /delivered\.png/ }).waitFor()
  })
})
