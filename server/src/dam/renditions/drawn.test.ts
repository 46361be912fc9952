/** Renditions as they are drawn: sizes of files without pixels of their own, metadata beside a watermark, colour profiles. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bytesOf, dam, makeDirs, recordOf, upload } from '../../../test/files.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const folder = await mkdtemp(join(tmpdir(), 'kontor-drawn-'))
afterAll(() => rm(folder, { recursive: true }))
/** Stands for libheif's program, whose result is a JPEG in the size of the picture. */
const photo = join(folder, 'photo.jpg')
await writeFile(join(folder, 'heif-dec'), `#!/bin/sh\nexec cp '${photo}' "$4"\n`)
await chmod(join(folder, 'heif-dec'), 0o755)

const api = withServer({ KONTOR_TOOLS: folder })
const take = async (name: string, bytes: Buffer | string) => {
  const reply = await upload(api, { path: `/MAM/drawn/${name}`, tid: name, doPreviewsAsync: false }, bytes)
  expect(recordOf(reply).status, reply.text).toBe('SUCCESS')
}
const drawn = async (query: string) => {
  const { bytes, status } = await bytesOf(api, `/renditions/bin?${query}`)
  expect(status, bytes.toString('utf8', 0, 300)).toBe(200)
  return bytes
}
const factsOf = async (query: string) => sharp(await drawn(query)).metadata()
const put = (tid: string, profile: object) =>
  api.post(`${dam}/renditions/profiles/${tid}`, profile, { method: 'PUT', token: api.adminToken })

/** Left half black, right half white. */
const banner = (width: number, height: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#fff"/><rect width="${width / 2}" height="${height}"/></svg>`

function pdf(width: number, height: number): string {
  const drawing = `0 0 ${width / 2} ${height} re f`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R >>`,
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
  ]
  return `%PDF-1.4\n${objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer << /Root 1 0 R >>\n%%EOF`
}

const described = () =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: '#c81e1e' } })
    .withExif({ IFD0: { Artist: 'Kim' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>') // prettier-ignore

beforeAll(async () => {
  await makeDirs(api, '/MAM/drawn')
  await writeFile(photo, await described().jpeg().toBuffer())
  const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(64)])
  await take('photo.heic', heic)
  await take('banner.svg', banner(400, 40))
  await take('icon.svg', banner(16, 16))
  await take('page.pdf', pdf(400, 40))
  await take('photo.jpg', await described().jpeg().toBuffer())
  await take('mark.png', await sharp({ create: { width: 9, height: 9, channels: 4, background: '#fff' } }).png().toBuffer()) // prettier-ignore
})

describe.each(['banner.svg', 'page.pdf'])('a rendition of %s', (name) => {
  test.each([
    ['width=800&height=800&fit=cover', 800, 800],
    ['width=800&height=800&fit=fill', 800, 800],
    ['width=800&height=800&fit=contain', 800, 800],
    ['width=800&height=800', 800, 80],
    ['height=200', 2000, 200],
    ['width=5000', 5000, 500],
  ])('with %s has that size and is sharp', async (query, width, height) => {
    const bytes = await drawn(`assetTid=${name}&format=png&${query}`)
    const { data, info } = await sharp(bytes).grayscale().raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width, height })
    const middle = Math.floor(height / 2) * width * info.channels
    const row = Array.from({ length: width }, (_, x) => data[middle + x * info.channels]!)
    expect(row.filter((value) => value > 10 && value < 245).length, 'pixels that are neither black nor white').toBeLessThan(8) // prettier-ignore
  })

  test('that would be cut from a huge picture is refused', async () => {
    const { status, bytes } = await bytesOf(api, `/renditions/bin?assetTid=${name}&width=5000&height=5000&fit=cover`)
    expect([status, String(bytes)]).toEqual([400, expect.stringContaining('more than 40000000 pixels')])
  })
})

test('a small drawing has renditions of any size', async () => {
  expect(await factsOf('assetTid=icon.svg&width=3000')).toMatchObject({ width: 3000, height: 3000 })
})

test.each([
  ['width=200&height=200&fit=cover', 200, 200],
  ['width=300&height=300&fit=cover', 300, 300],
  ['width=100&height=200&fit=fill', 100, 200],
  ['width=380', 380, 285],
  ['height=290', 387, 290],
  ['width=1000', 400, 300],
  ['', 400, 300],
])('a rendition of a HEIC picture with %s is %i × %i', async (query, width, height) => {
  expect(await factsOf(`assetTid=photo.heic&${query}`)).toMatchObject({ width, height })
})

test.each(['photo.jpg', 'photo.heic'])('a rendition of %s keeps its metadata beside a watermark', async (name) => {
  const profile = { width: 100, keepMetadata: true }
  for (const more of [{}, { watermarkTid: 'mark.png' }, { watermarkTid: 'mark.png', format: 'webp' }]) {
    expect((await put('kept', { ...profile, ...more })).status).toBe(200)
    const { exif, xmp, orientation = 1, width } = await factsOf(`assetTid=${name}&profile=kept`)
    expect([width, orientation, xmp?.toString()]).toEqual([100, 1, expect.stringContaining('xmpmeta')])
    expect(exif?.toString('latin1')).toContain('Kim')
  }
})

test('a TIFF is made once, because quality means nothing to it', async () => {
  const made = async (query: string) => {
    await drawn(`assetTid=photo.jpg&width=77&${query}`)
    return (await api.db.rows(sql`select 1 from rendition r join dam_entry e on e.sha256 = r.source where e.tid = 'photo.jpg'`)).length // prettier-ignore
  }
  const first = await made('format=tiff&quality=10')
  expect(await made('format=tiff&quality=90')).toBe(first)
  expect(await made('format=webp&quality=90')).toBe(first + 1)
})

describe('a colour profile', () => {
  beforeAll(async () => {
    for (const space of ['p3', 'cmyk']) {
      const { icc } = await sharp(await described().withIccProfile(space).jpeg().toBuffer()).metadata()
      await take(`${space}.icc`, icc!)
    }
    await take('text.icc', 'a note, which is long enough to be the header of a colour profile. '.repeat(3))
    await take('short.icc', 'a note')
  })

  test.each([
    ['p3.icc', 'png', 'srgb'],
    ['p3.icc', 'jpeg', 'srgb'],
    ['cmyk.icc', 'jpeg', 'cmyk'],
    ['cmyk.icc', 'tiff', 'cmyk'],
  ])('%s is in renditions as %s', async (iccTid, format, space) => {
    expect((await put('own', { width: 50, format, iccTid })).status).toBe(200)
    const { icc, ...facts } = await factsOf('assetTid=photo.jpg&profile=own')
    expect(facts).toMatchObject({ space, width: 50 })
    expect(icc!.toString('latin1', 36, 40)).toBe('acsp')
  })

  test.each([
    [{ iccTid: 'cmyk.icc', format: 'png' }, 'needs the format jpeg or tiff'],
    [{ iccTid: 'cmyk.icc', format: 'webp' }, 'needs the format jpeg or tiff'],
    [{ iccTid: 'cmyk.icc', format: 'avif' }, 'needs the format jpeg or tiff'],
    [{ iccTid: 'text.icc' }, 'not a colour profile'],
    [{ iccTid: 'short.icc' }, 'not a colour profile'],
  ])('%j is refused', async (profile, reason) => {
    const { status, text } = await put('own', profile)
    expect([status, text]).toEqual([400, expect.stringContaining(reason)])
  })
})
