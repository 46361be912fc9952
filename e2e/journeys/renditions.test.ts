import { describe, expect } from 'vitest'
import sharp from 'sharp'
import { wav } from '../../server/test/files.ts'
import { checkAccess, journey, withConsole } from './journey.ts'

const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0a84ff' } }).png().toBuffer() // prettier-ignore

describe('renditions', () => {
  const console = withConsole()

  journey('a rendition is set up, and a file gets a public address that is copied and revoked', async () => {
    const page = await console.signIn('/settings?part=renditions')
    await page.getByRole('heading', { name: 'No renditions yet' }).waitFor()
    await page.getByRole('button', { name: 'New rendition' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Web shop')
    await page.getByLabel('Width in pixels').fill('200')
    await page.getByLabel('Height in pixels').fill('200')
    await page.getByRole('combobox', { name: 'How it fills the box' }).click()
    await page.getByRole('option', { name: 'Fill the box and crop' }).click()
    await page.getByRole('combobox', { name: 'Crop around' }).waitFor()
    await page.getByRole('combobox', { name: 'Format' }).click()
    await page.getByRole('option', { name: 'WebP' }).click()
    await checkAccess(page)
    await page.getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Web shop' })
    await row.getByText('200 × 200').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await checkAccess(page)
    const { profiles = [] } = await console.client().dam.listRenditionProfiles()
    expect(profiles.map(({ tid }) => tid)).toEqual(['web-shop'])

    await page.getByRole('button', { name: 'New rendition' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Another')
    await page.getByRole('textbox', { name: /^ID/ }).fill('web-shop')
    await page.getByText('This ID is taken.').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')

    const bytes = await png(640, 400)
    await page.goto(console.url('/assets?dir=/MAM'))
    await page.locator('input[type=file]').setInputFiles([{ name: 'boat.png', mimeType: 'image/png', buffer: bytes }])
    await page.getByRole('option', { name: 'boat.png' }).click()
    await page.getByRole('link', { name: 'Open details' }).click()
    await page.getByRole('heading', { level: 1, name: 'boat.png' }).waitFor()
    await page.getByRole('combobox', { name: 'Kind of address' }).click()
    await page.getByRole('option', { name: 'Web shop' }).click()
    await page.getByRole('button', { name: 'Create address' }).click()
    const address = await page.getByRole('textbox', { name: 'Public addresses' }).inputValue()
    await checkAccess(page)
    const shown = await fetch(address)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({ width: 200, height: 200 })

    await page.getByRole('button', { name: 'Revoke all addresses of this file' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke addresses' }).click()
    await page.getByText('Addresses revoked').waitFor()
    expect((await fetch(address)).status).toBe(403)
  })

  journey('without any profile, a picture gets the address of a viewer and a sound one to play it', async () => {
    const page = await console.signIn('/')
    const { dam } = console.client()
    const { profiles = [] } = await dam.listRenditionProfiles()
    for (const { tid = '' } of profiles) await dam.deleteRenditionProfile({ params: { tid } })
    const open = async (name: string, mimeType: string, buffer: Buffer) => {
      await page.goto(console.url('/assets?dir=/MAM'))
      await page.locator('input[type=file]').setInputFiles([{ name, mimeType, buffer }])
      await page.getByRole('option', { name }).click()
      await page.getByRole('link', { name: 'Open details' }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
    const create = async (kind: string, hint: string) => {
      await page.getByRole('combobox', { name: 'Kind of address' }).click()
      expect(await page.getByRole('option').allInnerTexts()).toEqual([kind])
      await page.getByRole('option', { name: kind }).click()
      await page.getByRole('button', { name: 'Create address' }).click()
      await page.getByText(hint).waitFor()
      await checkAccess(page)
      return page.getByRole('textbox', { name: 'Public addresses' }).inputValue()
    }
    const revoke = async (address: string) => {
      await page.getByRole('button', { name: 'Revoke all addresses of this file' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke addresses' }).click()
      await page.getByText('Addresses revoked').waitFor()
      expect((await fetch(address)).status).toBe(403)
    }
    await open('quay.png', 'image/png', await png(600, 400))
    const viewer = await create('Viewer that zooms (IIIF)', 'Enter it in a viewer such as OpenSeadragon or Mirador.')
    expect(await (await fetch(viewer)).json()).toMatchObject({ width: 600, height: 400, type: 'ImageService3' })
    await revoke(viewer)

    await open('tone.wav', 'audio/wav', wav())
    const player = await create('Film or sound', 'Anyone can play the file at this address')
    const played = await fetch(player, { headers: { range: 'bytes=0-3' } })
    expect([played.status, await played.text()]).toEqual([206, 'RIFF'])
    await revoke(player)

    await open('terms.txt', 'text/plain', Buffer.from('As agreed'))
    await page.getByRole('button', { name: 'Revoke all addresses of this file' }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Kind of address' }).count()).toBe(0)
  })
})
