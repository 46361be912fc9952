/** Previews by the settings of the storage, and previews that need external programs: video, audio, Office documents. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { toZip } from '../../../adapters/zip.ts'
import { bytesOf, dam, recordOf, upload } from '../../../../test/files.ts'
import { withServer } from '../../../../test/server.ts'

const api = withServer({ KONTOR_PREVIEW_SECONDS: '180', KONTOR_PREVIEW_MEMORY: '4096' })

type Item = { key: string; value: string }
/** The sizes of the previews that a file gets, by format. */
async function previewsIn(rnc: string, name: string, bytes: Buffer | string): Promise<Record<string, string>> {
  const reply = await upload(api, { path: `/${rnc}/${name}`, tid: `${rnc} ${name}`, doPreviewsAsync: false }, bytes)
  expect(reply.status, reply.text).toBe(200)
  const { json } = await api.post(`${dam}/assets/retrieve`, { tids: [recordOf(reply).tid], retrievePreviews: true })
  const [asset] = json.assets.asset
  const factsOf = ({ meta }: { meta: { itm: Item[] } }) =>
    Object.fromEntries(meta.itm.map(({ key, value }) => [key, value]))
  expect(factsOf(asset).importStatus).toBe('available')
  return Object.fromEntries(
    asset.previews.preview.map((one: { type: string; meta: { itm: Item[] } }) => {
      const { width, height } = factsOf(one)
      return [one.type, `${width}x${height}`]
    }),
  )
}

const settings: Record<string, Record<string, string>> = {
  PAGES: { rncPdfFirstPagePreviewOnly: 'false' },
  COARSE: { rncUseResolution: 'true' },
  FINE: { rncUseResolution: 'true', rncOriginalResolution: '144' },
}
beforeAll(async () => {
  const rnc = Object.entries(settings).map(([tid, own]) => ({
    tid,
    name: tid,
    meta: { itm: Object.entries(own).map(([key, value]) => ({ key, value })) },
  }))
  const message = { schemaVersion: '5.6.0', rncs: { rnc } }
  const reply = await api.post(`${dam}/rncs/persist`, message, { token: api.adminToken })
  expect(reply.text).not.toContain('ERROR')
})

/** A document of empty pages of 200 by 100 points. */
function pdf(pages: number, box = '0 0 200 100'): string {
  const numbers = Array.from({ length: pages }, (_, i) => i + 3)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${numbers.map((n) => `${n} 0 R`).join(' ')}] /Count ${pages} >>`,
    ...numbers.map(() => `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] >>`),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const at = text.length
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  return `${text}${table}trailer << /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
}

test('a page that claims to be larger than any has previews all the same', async () => {
  expect(await previewsIn('MAM', 'giant.pdf', pdf(1, '0 0 4000000000 4000000000'))).toMatchObject({
    thumbnail: '160x160',
  })
})

describe('the settings of a storage', () => {
  test('all pages of a document, or only the first', async () => {
    expect(Object.keys(await previewsIn('MAM', 'one.pdf', pdf(3)))).toEqual(['thumbnail', 'preview', 'fullsize'])
    const all = await previewsIn('PAGES', 'all.pdf', pdf(3))
    expect(Object.keys(all)).toEqual(['thumbnail', 'preview', 'fullsize', 'page-2', 'page-3'])
    const page = await bytesOf(api, '/assets/bin?assetTid=PAGES%20all.pdf&format=page-3')
    expect([page.status, page.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await bytesOf(api, '/assets/bin?assetTid=PAGES%20all.pdf&format=page-4')).status).toBe(404)
    const many = await previewsIn('PAGES', 'many.pdf', pdf(60))
    expect(Object.keys(many), 'within bounds').toHaveLength(52)
  })

  test('the largest preview by resolution, or by size', async () => {
    const photo = await sharp({ create: { width: 1500, height: 900, channels: 3, background: '#0a84ff' } })
      .withMetadata({ density: 300 })
      .jpeg()
      .toBuffer()
    expect(await previewsIn('MAM', 'a.jpg', photo)).toMatchObject({ preview: '640x384', fullsize: '1280x768' })
    expect(await previewsIn('COARSE', 'a.jpg', photo)).toEqual({
      thumbnail: '160x96',
      preview: '640x384',
      fullsize: '360x216',
    })
    expect(await previewsIn('FINE', 'a.jpg', photo)).toMatchObject({ preview: '640x384', fullsize: '720x432' })
    expect(await previewsIn('FINE', 'a.pdf', pdf(1))).toMatchObject({ preview: '640x320', fullsize: '400x200' })
  })
})

const program = (name: string) =>
  ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'].map((at) => join(at, name)).find(existsSync)
const [ffmpeg, soffice, heif] = [program('ffmpeg'), program('soffice'), program('heif-dec') ?? program('heif-convert')]

async function madeBy(name: string, ...options: string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-film-'))
  try {
    execFileSync(ffmpeg!, ['-v', 'error', '-f', 'lavfi', ...options, join(folder, name)])
    return await readFile(join(folder, name))
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe.skipIf(!ffmpeg)('films and sound, which need ffmpeg on this machine', () => {
  test.each(['film.mp4', 'film.webm', 'film.mov', 'film.avi'])('a frame of %s', async (name) => {
    const film = await madeBy(name, '-i', 'testsrc=size=320x240:rate=5', '-t', '2')
    expect(await previewsIn('MAM', name, film)).toEqual({
      thumbnail: '160x120',
      preview: '320x240',
      fullsize: '320x240',
    })
  })

  test.each(['sound.wav', 'sound.mp3', 'sound.flac', 'sound.ogg'])('a waveform of %s', async (name) => {
    const sound = await madeBy(name, '-i', 'sine=frequency=440:duration=1')
    expect(await previewsIn('MAM', name, sound)).toMatchObject({ thumbnail: '160x40', fullsize: '1280x320' })
  })

  test('a video shorter than a second has a frame', async () => {
    const film = await madeBy('short.mp4', '-i', 'testsrc=size=320x240:rate=25', '-t', '0.2')
    expect(await previewsIn('MAM', 'short.mp4', film)).toMatchObject({ fullsize: '320x240' })
  })
})

async function officeFile(parts: Record<string, string>): Promise<Buffer> {
  const entries = Object.entries(parts).map(([name, text]) => ({
    name,
    bytes: Readable.from([Buffer.from(text)]),
    compress: false,
  }))
  return buffer(toZip(entries))
}
const openXml = 'http://schemas.openxmlformats.org'
const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
const docx = () =>
  officeFile({
    '[Content_Types].xml': `<Types xmlns="${openXml}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${openXml}/package/2006/relationships"><Relationship Id="r1" Type="${openXml}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${openXml}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Sails</w:t></w:r></w:p></w:body></w:document>`,
  })

const oasis = 'urn:oasis:names:tc:opendocument:xmlns'
const text = 'application/vnd.oasis.opendocument.text'
/** A document that contains only references to external images. */
const odt = (...pictures: string[]) =>
  officeFile({
    mimetype: text,
    'META-INF/manifest.xml': `<m:manifest xmlns:m="${oasis}:manifest:1.0"><m:file-entry m:full-path="/" m:media-type="${text}"/><m:file-entry m:full-path="content.xml" m:media-type="text/xml"/></m:manifest>`,
    'content.xml': `<o:document-content xmlns:o="${oasis}:office:1.0" xmlns:t="${oasis}:text:1.0" xmlns:d="${oasis}:drawing:1.0" xmlns:s="${oasis}:svg-compatible:1.0" xmlns:x="http://www.w3.org/1999/xlink" o:version="1.2"><o:body><o:text>${pictures
      .map(
        (href) =>
          `<t:p><d:frame s:width="8cm" s:height="8cm"><d:image x:href="${href}" x:type="simple"/></d:frame></t:p>`,
      )
      .join('')}</o:text></o:body></o:document-content>`,
  })
const limit = { timeout: 240_000 }

describe.skipIf(!soffice)('Office documents, which need LibreOffice on this machine', () => {
  test('the first page of a text document', limit, async () => {
    const made = await previewsIn('MAM', 'letter.docx', await docx())
    expect(Object.keys(made)).toEqual(['thumbnail', 'preview', 'fullsize'])
    const { bytes } = await bytesOf(api, '/assets/bin?assetTid=MAM%20letter.docx&format=fullsize')
    const { channels } = await sharp(bytes).stats()
    expect(channels[0]!.min, 'something is written on the page').toBeLessThan(100)
  })

  test('external references of a document are not fetched, from the network or from this machine', limit, async () => {
    let visits = 0
    const server = createServer((_request, response) => void (visits++, response.end()))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const folder = await mkdtemp(join(tmpdir(), 'kontor-secret-'))
    const secret = join(folder, 'secret.png')
    await sharp({ create: { width: 400, height: 400, channels: 3, background: '#000' } }).toFile(secret)
    const outside = `http://127.0.0.1:${(server.address() as AddressInfo).port}/picture.png`
    await previewsIn('MAM', 'reaching.odt', await odt(outside, `file://${secret}`))
    const { bytes } = await bytesOf(api, '/assets/bin?assetTid=MAM%20reaching.odt&format=fullsize')
    const { channels } = await sharp(bytes).stats()
    expect([visits, Math.round(channels[0]!.mean)]).toEqual([0, 255])
    server.close()
    await rm(folder, { recursive: true })
  })
})

/** 96 by 64 pixels, red on the left and blue on the right. */
const heic = Buffer.from(
  `AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAT9tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAA
    AAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFjAAEAAAAAAAAANAAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAv2lwcnAA
    AAChaXBjbwAAAHVodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQAoQgEBA3AAAAMAkA
    AAAwAAAwAeoDCBBZbqSSmubAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQAAAABRpc3BlAAAAAAAAAGAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZp
    cG1hAAAAAAAAAAEAAQOBAoMAAAA8bWRhdAAAADAoAa8ZgNmYYt+q//9TE3/hpdL5+g2DeCJf28aBgBtCOjulC1NCcrQNXa4HP7V3Oqw=`,
  'base64',
)

test.skipIf(!heif)('HEIC has previews if libheif is installed', async () => {
  const sizes = { thumbnail: '96x64', preview: '96x64', fullsize: '96x64' }
  expect(await previewsIn('MAM', 'phone.heic', heic)).toEqual(sizes)
  const { bytes } = await bytesOf(api, '/assets/bin?assetTid=MAM%20phone.heic&format=fullsize')
  const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const pixel = (x: number) =>
    [...data.subarray((32 * 96 + x) * 3, (32 * 96 + x) * 3 + 3)].map((one) => Math.round(one / 255))
  expect([pixel(10), pixel(86)]).toEqual([
    [1, 0, 0],
    [0, 0, 1],
  ])
})

test('HEIC that cannot be decoded can be downloaded; its status says that it has no previews', async () => {
  const head = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
  const reply = await upload(api, { path: '/MAM/broken.heic', tid: 'heic', doPreviewsAsync: false }, head)
  expect(reply.status).toBe(200)
  const { json } = await api.post(`${dam}/assets/statuses`, { tids: ['heic'] })
  expect(json.assets.asset[0].type).toBe('IMG')
  expect(json.assets.asset[0].meta.itm).toContainEqual({ key: 'importStatus', value: 'incomplete' })
  const { status, headers, bytes } = await bytesOf(api, '/assets/bin?assetTid=heic')
  expect([status, headers['content-type'], bytes.equals(head)]).toEqual([200, 'image/heic', true])
  expect((await bytesOf(api, '/assets/bin?assetTid=heic&format=preview')).status).toBe(404)
})
