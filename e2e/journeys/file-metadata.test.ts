import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import sharp from 'sharp'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('metadata in files', () => {
  const console = withConsole()

  journey('an attribute gets a tag, and a download contains its value', async () => {
    const page = await console.signIn('/model?tab=files&definition=CAPTION')
    await page.getByRole('combobox', { name: 'Written to' }).click()
    await page.getByRole('option', { name: 'Headline' }).first().click()
    await page.keyboard.press('Escape')
    await checkAccess(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('saved').first().waitFor()

    const buffer = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#0a84ff' } }).jpeg().toBuffer() // prettier-ignore
    await page.goto(console.url('/assets?dir=/MAM'))
    await page.locator('input[type=file]').setInputFiles([{ name: 'boat.jpg', mimeType: 'image/jpeg', buffer }])
    await page.getByRole('option', { name: 'boat.jpg' }).click()
    await page.getByRole('link', { name: 'Open details' }).click()
    await page.getByRole('tab', { name: 'Metadata' }).click()
    await page.getByRole('textbox', { name: 'Caption' }).fill('Two boats in the harbour')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('xmp:Headline').waitFor()
    await checkAccess(page)

    const started = page.waitForEvent('download')
    await page.getByRole('button', { name: 'More ways to download' }).click()
    await page.getByRole('menuitem', { name: 'With metadata in the file' }).click()
    const bytes = await readFile(await (await started).path())
    expect(bytes.toString('latin1')).toContain('Two boats in the harbour')
    expect((await sharp(bytes).metadata()).width).toBe(640)
  })
})
