import { describe } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('the care of files', () => {
  const console = withConsole()

  journey('an administrator has all files read, sees the report, and where the space goes', async () => {
    const page = await console.signIn('/assets?dir=/MAM')
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('of a ship') }])
    await page.getByRole('option', { name: 'log.txt' }).waitFor()

    await page.goto(console.url('/settings?part=care'))
    await page.getByText('Every file is available.').waitFor()
    await page.getByText('Set KONTOR_CLAMAV').waitFor()
    await page.getByText('Set KONTOR_ARCHIVE').waitFor()
    await page.getByRole('button', { name: 'Read all files now' }).click()
    await page.getByRole('region', { name: 'Passes over all files' }).getByText('admin').waitFor()
    await page.getByText('All files are whole.').waitFor()
    await checkAccess(page)

    await page.goto(console.url('/settings?part=statistics'))
    await page.getByRole('region', { name: 'By type' }).getByText('text/plain').waitFor()
    await page.getByRole('region', { name: 'By folder' }).getByRole('button', { name: '/MAM' }).click()
    await page.getByRole('button', { name: 'All folders' }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    await download
    await checkAccess(page)
  })
})
