/** Office documents and pictures of phones with the real LibreOffice and libheif: as these programs write them, and hostile ones. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { bytesOf, dam, makeDirs, recordOf, upload } from '../../../../test/files.ts'
import { withServer } from '../../../../test/server.ts'
import { hasPrograms, make } from '../../../../test/tools.ts'
import { sql } from '../../../adapters/postgres/sql.ts'
import { toZip } from '../../../adapters/zip.ts'

const api = withServer({ KONTOR_PREVIEW_SECONDS: '60', KONTOR_PREVIEW_MEMORY: '4096' })
beforeAll(() => makeDirs(api, '/MAM/papers'))

type Item = { key: string; value: string }
async function take(name: string, bytes: Buffer | string): Promise<Record<string, string>> {
  const reply = await upload(api, { path: `/MAM/papers/${name}`, tid: name, doPreviewsAsync: false }, bytes)
  expect(recordOf(reply).status, reply.text).toBe('SUCCESS')
  const { json } = await api.post(`${dam}/assets/retrieve`, { tids: [name] })
  return Object.fromEntries(json.assets.asset[0].meta.itm.map(({ key, value }: Item) => [key, value]))
}
const pagesOf = async (name: string) => {
  const rows = await api.db.rows<{ text: string }>(sql`
    select p.text from file_page p join dam_entry e on e.sha256 = p.sha256 where e.tid = ${name} order by p.page`)
  return rows.map(({ text }) => text)
}
const preview = async (name: string) => {
  const { status, bytes } = await bytesOf(api, `/assets/bin?assetTid=${name}&format=preview`)
  expect(status).toBe(200)
  return sharp(bytes)
}
/** A file that LibreOffice converts from another one. */
const converted = (name: string, from: string, content: string | Buffer) =>
  make(name, 'soffice', ['--headless', '-env:UserInstallation=file://{}/profile', '--convert-to', name.split('.')[1]!, '--outdir', '{}', `{}/${from}`], { [from]: content }) // prettier-ignore

const office = 'urn:oasis:names:tc:opendocument:xmlns'
const flat = (kind: string, body: string, styles = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="${office}:office:1.0" xmlns:style="${office}:style:1.0" xmlns:fo="${office}:xsl-fo-compatible:1.0" xmlns:text="${office}:text:1.0" xmlns:draw="${office}:drawing:1.0" xmlns:svg="${office}:svg-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document>`
const text = flat(
  'text',
  '<office:text><text:p>Oak hull</text:p><text:p text:style-name="B">Second page</text:p></office:text>',
  '<style:style style:name="B" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style>',
)
const slide = (name: string) =>
  `<draw:page draw:name="${name}"><draw:frame svg:width="10cm" svg:height="3cm"><draw:text-box><text:p>${name}</text:p></draw:text-box></draw:frame></draw:page>`
const slides = flat('presentation', `<office:presentation>${slide('Sails')}${slide('Masts')}</office:presentation>`)
const table = 'Name,Price\nA boat with a long name that no column shows,1234\n'

describe.skipIf(!hasPrograms('soffice'))('documents as LibreOffice writes them', () => {
  test.each([
    ['a.odt', 'a.fodt', text, ['Oak hull', 'Second page']],
    ['a.docx', 'a.fodt', text, ['Oak hull', 'Second page']],
    ['a.doc', 'a.fodt', text, ['Oak hull', 'Second page']],
    ['a.rtf', 'a.fodt', text, ['Oak hull', 'Second page']],
    ['b.odp', 'b.fodp', slides, ['Sails', 'Masts']],
    ['b.pptx', 'b.fodp', slides, ['Sails', 'Masts']],
    ['b.ppt', 'b.fodp', slides, ['Sails', 'Masts']],
    ['c.ods', 'c.csv', table, [/Name Price A boat with a long name that no column shows 1234/]],
    ['c.xlsx', 'c.csv', table, [/Name Price A boat with a long name that no column shows 1234/]],
    ['c.xls', 'c.csv', table, [/Name Price A boat with a long name that no column shows 1234/]],
  ])('%s has a picture of its first page and its text by page', async (name, from, content, pages) => {
    expect(await take(name, await converted(name, from, content))).toMatchObject({ importStatus: 'available' })
    const { channels } = await (await preview(name)).stats()
    expect(channels[0]!.min, 'something is written on the page').toBeLessThan(150)
    expect(await pagesOf(name)).toEqual(pages.map((page) => expect.stringMatching(page)))
  })
})

const zipOf = (parts: Record<string, Iterable<string>>) =>
  buffer(toZip(Object.entries(parts).map(([name, pieces]) => ({ name, bytes: Readable.from(pieces), compress: true }))))
const namespaces = 'http://schemas.openxmlformats.org'
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
const docxOf = (body: Iterable<string>, rels = '') =>
  zipOf({
    '[Content_Types].xml': [`<Types xmlns="${namespaces}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${word}"/></Types>`], // prettier-ignore
    '_rels/.rels': [`<Relationships xmlns="${namespaces}/package/2006/relationships"><Relationship Id="r1" Type="${namespaces}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`], // prettier-ignore
    'word/_rels/document.xml.rels': [`<Relationships xmlns="${namespaces}/package/2006/relationships">${rels}</Relationships>`], // prettier-ignore
    'word/document.xml': (function* () {
      yield `<w:document xmlns:w="${namespaces}/wordprocessingml/2006/main" xmlns:r="${namespaces}/officeDocument/2006/relationships"><w:body>`
      yield* body
      yield '</w:body></w:document>'
    })(),
  })

describe.skipIf(!hasPrograms('soffice'))('hostile documents', () => {
  test('templates and pictures elsewhere are not fetched', async () => {
    let visits = 0
    const server = createServer((_request, response) => void (visits++, response.end()))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const kinds = ['attachedTemplate', 'image', 'subDocument', 'frame', 'hyperlink', 'oleObject']
    const rels = kinds.map((kind) => `<Relationship Id="${kind}" Type="${namespaces}/officeDocument/2006/relationships/${kind}" Target="${at}/${kind}" TargetMode="External"/>`) // prettier-ignore
    const field = `<w:p><w:fldSimple w:instr='INCLUDETEXT "${at}/text"'><w:r><w:t>x</w:t></w:r></w:fldSimple><w:subDoc r:id="subDocument"/></w:p>`
    await take('links.docx', await docxOf([field, '<w:p><w:r><w:t>Words</w:t></w:r></w:p>'], rels.join('')))
    const cell = `<text:p xmlns:text="${office}:text:1.0">x</text:p>`
    const formula = `<office:spreadsheet><table:table xmlns:table="${office}:table:1.0" table:name="A"><table:table-row><table:table-cell table:formula="of:=WEBSERVICE(&quot;${at}/service&quot;)" office:value-type="string">${cell}</table:table-cell></table:table-row></table:table></office:spreadsheet>` // prettier-ignore
    await take('service.ods', await converted('service.ods', 'service.fods', flat('spreadsheet', formula)))
    server.close()
    expect(visits).toBe(0)
  })

  test('macros that start with the document are not run', async () => {
    const script = `<office:scripts xmlns:office="${office}:office:1.0"><office:script xmlns:script="${office}:script:1.0" script:language="ooo:Basic"><ooo:libraries xmlns:ooo="http://openoffice.org/2004/office"><ooo:library-embedded ooo:name="Standard"><ooo:module ooo:name="M"><ooo:source-code>Sub Main
Open "/tmp/kontor-macro-ran" For Output As #1
Print #1, "x"
Close #1
End Sub</ooo:source-code></ooo:module></ooo:library-embedded></ooo:libraries></office:script><office:event-listeners><script:event-listener xmlns:script="${office}:script:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.M.Main?language=Basic&amp;location=document"/></office:event-listeners></office:scripts>`
    const document = text.replace('<office:automatic-styles>', `${script}<office:automatic-styles>`)
    await take('macro.odt', await converted('macro.odt', 'macro.fodt', document))
    expect(await make('out', 'sh', ['-c', 'ls /tmp/kontor-macro-ran 2>/dev/null | wc -l > out'])).toEqual(
      Buffer.from('0\n'),
    )
  })

  test('a document that unfolds to a thousand times its size, one without end and one that is cut harm nothing else', async () => {
    const spaces = ' '.repeat(1024 * 1024)
    const bomb = await docxOf((function* () { for (let i = 0; i < 256; i++) yield spaces })()) // prettier-ignore
    const paragraph = '<w:p><w:r><w:t>without end</w:t></w:r></w:p>'.repeat(1000)
    const endless = await docxOf((function* () { for (let i = 0; i < 200; i++) yield paragraph })()) // prettier-ignore
    const cut = (await docxOf(['<w:p/>'])).subarray(0, 300)
    for (const [name, bytes] of Object.entries({ 'bomb.docx': bomb, 'endless.docx': endless, 'cut.docx': cut })) {
      const { importStatus, analysisNote } = await take(name, bytes)
      if (name !== 'endless.docx') expect([name, importStatus]).toEqual([name, 'incomplete'])
      expect(analysisNote ?? '', name).not.toContain('/tmp/')
    }
    expect(await pagesOf('bomb.docx')).toEqual([])
    expect(await take('after.docx', await docxOf(['<w:p><w:r><w:t>after</w:t></w:r></w:p>']))).toMatchObject({ importStatus: 'available' }) // prettier-ignore
  })
})

describe.skipIf(!hasPrograms('heif-enc', 'heif-dec|heif-convert'))('pictures of phones', () => {
  const photo = async (background: string) =>
    sharp({ create: { width: 64, height: 96, channels: 3, background } })
      .withExif({ IFD0: { Make: 'Kontor', Model: 'Phone' } })
      .jpeg()
      .toBuffer()
  const encoded = async (name: string, options: string[] = []) =>
    make(name, 'heif-enc', [...options, '{}/red.jpg', ...(name.startsWith('two') ? ['{}/blue.jpg'] : []), '-o', `{}/${name}`], { 'red.jpg': await photo('#ff0000'), 'blue.jpg': await photo('#0000ff') }) // prettier-ignore

  test.each([
    ['one.heic', []],
    ['thumb.heic', ['-t', '32']],
    ['two.heic', []],
    ['one.avif', ['-A']],
  ])('%s has previews of its first picture, and its metadata', async (name, options) => {
    expect(await take(name, await encoded(name, options))).toMatchObject({ importStatus: 'available', width: '64', height: '96' }) // prettier-ignore
    const { dominant } = await (await preview(name)).stats()
    expect([dominant.r > 200, dominant.b < 60]).toEqual([true, true])
    const row = await api.db.row<{ make: string }>(sql`
      select embedded -> 'exif' ->> 'Make' as make from dam_entry where tid = ${name}`)
    expect(row!.make).toBe('Kontor')
    const { bytes } = await bytesOf(api, `/renditions/bin?assetTid=${name}&width=32&format=webp`)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 32, height: 48 })
  })

  test('a picture that is cut has no previews and harms nothing else', async () => {
    const whole = await encoded('cut.heic')
    expect(await take('cut.heic', whole.subarray(0, whole.length - 60))).toMatchObject({ importStatus: expect.any(String) }) // prettier-ignore
    expect(await take('next.heic', await encoded('next.heic'))).toMatchObject({ importStatus: 'available' })
  })
})
