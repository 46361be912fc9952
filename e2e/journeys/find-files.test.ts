import { describe } from 'vitest'
import sharp from 'sharp'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('files found by look and text', () => {
  const console = withConsole()

  journey(
    'a picture shows its colours and similar ones; filters and the search find by colour and by page',
    async () => {
      const page = await console.signIn('/assets?dir=/MAM')
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><rect width="600" height="300" fill="#7b3fa0"/><circle cx="150" cy="120" r="80" fill="#ffffff"/><circle cx="450" cy="200" r="60"/></svg>`
      const picture = (width: number) => sharp(Buffer.from(svg)).resize(width).png().toBuffer()
      const line = 'BT /F1 12 Tf 10 50 Td (Oil the capstan) Tj ET'
      const pdf = `%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Kids [4 0 R 5 0 R] /Count 2 >> endobj\n3 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj\n4 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 400 100] >> endobj\n5 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 400 100] /Resources << /Font << /F1 3 0 R >> >> /Contents 6 0 R >> endobj\n6 0 obj << /Length ${line.length} >>\nstream\n${line}\nendstream\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n`
      await page.locator('input[type=file]').setInputFiles([
        { name: 'violet.png', mimeType: 'image/png', buffer: await picture(600) },
        { name: 'violet-small.png', mimeType: 'image/png', buffer: await picture(200) },
        { name: 'manual.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf) },
      ])
      for (const name of ['violet.png', 'violet-small.png', 'manual.pdf'])
        await page.getByRole('option', { name }).waitFor()

      // The small one first, so that both are analysed when the large one is opened.
      for (const name of ['violet-small.png', 'violet.png']) {
        await page.goto(console.url('/assets?dir=/MAM'))
        await page.getByRole('option', { name }).click()
        await page.getByRole('link', { name: 'Open details' }).click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
        await page.getByText('Dominant colours').waitFor()
      }
      const similar = page.getByRole('region', { name: 'Similar pictures' })
      await similar.getByRole('link', { name: /violet-small\.png/ }).waitFor()
      await similar.getByText('Almost the same').waitFor()
      await checkAccess(page)

      await page.goto(console.url('/assets'))
      await page.getByRole('link', { name: 'Near duplicates' }).click()
      await page.getByRole('checkbox', { name: 'violet-small.png' }).check()
      await page.getByText('1 selected').waitFor()
      await checkAccess(page)

      await page.goto(console.url('/assets?f.look=purple&f.orientation=panorama'))
      await page.getByRole('option', { name: 'violet.png' }).waitFor()
      await page.getByRole('combobox', { name: 'Dominant colours' }).click()
      await page.getByRole('option', { name: /Purple \(\d+\)/ }).waitFor()
      await checkAccess(page)

      await page.goto(console.url('/search?q=capstan&index=ASSET'))
      await page.getByText('page 2:').waitFor()
      await checkAccess(page)
    },
  )
})
