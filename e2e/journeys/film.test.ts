import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { wav } from '../../server/test/files.ts'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('films and sounds', () => {
  const console = withConsole()

  journey('a film is played and its picture chosen; a sound is played', async () => {
    const page = await console.signIn('/assets?dir=/MAM')
    const film = await readFile('demo/src/boat.mp4')
    await page.locator('input[type=file]').setInputFiles([
      { name: 'boat.mp4', mimeType: 'video/mp4', buffer: film },
      { name: 'tone.wav', mimeType: 'audio/wav', buffer: wav() },
    ])
    await page.getByRole('option', { name: 'boat.mp4' }).click()
    await page.getByRole('link', { name: 'Open details' }).click()
    await page.getByRole('heading', { level: 1, name: 'boat.mp4' }).waitFor()
    const video = page.locator('video')
    await video.waitFor()
    const address = await video.getAttribute('src')
    const played = await fetch(new URL(address!, page.url()), { headers: { range: 'bytes=4-7' } })
    expect([played.status, await played.text()]).toEqual([206, 'ftyp'])
    await checkAccess(page)
    await page.getByRole('button', { name: 'Use this moment as the picture' }).click()
    await page.getByText('The picture is being made from 0 s.').waitFor()
    await page.getByRole('button', { name: 'Choose the picture automatically' }).click()
    await page.getByText('The picture is being chosen again.').waitFor()

    await page.goto(console.url('/assets?dir=/MAM'))
    await page.getByRole('option', { name: 'tone.wav' }).click()
    await page.getByRole('link', { name: 'Open details' }).click()
    await page.locator('audio').waitFor()
    await checkAccess(page)
  })
})
