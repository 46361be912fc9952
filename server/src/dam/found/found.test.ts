/** Files found by how they look and by what they say: colours, orientation, similar pictures, text by page. */
import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { deflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { dam, makeDirs, recordOf, upload } from '../../../test/files.ts'
import { field, fullText, searchCalls } from '../../../test/search.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { toZip } from '../../adapters/zip.ts'
import { analyseJob } from './analyse.ts'

const api = withServer({ KONTOR_PREVIEW_SECONDS: '30', KONTOR_PREVIEW_MEMORY: '900' })
const { call, find, found } = searchCalls(api)
beforeAll(() => makeDirs(api, '/MAM/boats', '/MAM/secret'))

/** Uploads a file and waits for its analysis. */
async function store(name: string, bytes: Buffer | string, dir = 'boats'): Promise<string> {
  const tid = randomUUID()
  const path = `/MAM/${dir}/${tid} ${name}`
  const reply = await upload(api, { path, tid, doPreviewsAsync: false }, bytes)
  expect(reply.status, reply.text).toBe(200)
  return tid
}
const factsOf = async (tid: string): Promise<Record<string, string>> => {
  const [asset] = (await api.post(`${dam}/assets/retrieve`, { tids: [tid] })).json.assets.asset
  return Object.fromEntries(asset.meta.itm.map(({ key, value }: { key: string; value: string }) => [key, value]))
}
const similar = async (request: object, token = api.token) => {
  const reply = await api.post(`${dam}/assets/similar/retrieve`, request, { token })
  expect(reply.status, reply.text).toBe(200)
  type Asset = { tid: string; meta: { itm: { key: string; value: string }[] } }
  return ((reply.json.assets?.asset ?? []) as Asset[]).map(({ tid, meta }) => {
    const facts: Record<string, string> = Object.fromEntries(meta.itm.map(({ key, value }) => [key, value]))
    return { tid, distance: facts.distance, similarTo: facts.similarTo, nearDuplicates: facts.nearDuplicates }
  })
}
const tidsOf = (all: readonly { tid: string }[]) => all.map(({ tid }) => tid)
const runJob = () => api.app.jobs[analyseJob]!({} as never, new AbortController().signal)

/** A picture with structure: discs on a background, elsewhere for another seed. */
function scene(seed: number, { width = 600, height = 400, background = '#2f6fd6' } = {}) {
  const at = (n: number) => ((seed * 7919 + n * 104_729) % 997) / 997
  const discs = [1, 2, 3, 4, 5, 6].map(
    (n) =>
      `<circle cx="${at(n) * 100}%" cy="${at(n + 10) * 100}%" r="${8 + at(n + 20) * 18}%" fill="${n % 2 ? '#111111' : '#ffffff'}"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${background}"/>${discs.join('')}</svg>`
  return sharp(Buffer.from(svg)).flatten()
}
const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

describe('pictures', () => {
  test('have dominant colours and an orientation, as facts, filters and counted labels', async () => {
    const red = await store('red.png', await plain(300, 200, '#d21f1f'))
    expect(await factsOf(red)).toMatchObject({ dominantColours: 'red', dominantColourValues: '#d21f1f', orientation: 'landscape' }) // prettier-ignore
    const halves = await sharp(await plain(1000, 200, '#ffffff'))
      .composite([{ input: await plain(400, 200, '#2e8b3d'), left: 0, top: 0 }])
      .jpeg()
      .toBuffer()
    const wide = await store('wide.jpg', halves)
    expect(await factsOf(wide)).toMatchObject({ dominantColours: 'white,green', orientation: 'landscape,panorama' })
    await vi.waitFor(async () => {
      expect(await found('ASSET', field('dominantColours', 'EQ', 'red'))).toEqual([red])
      expect(await found('ASSET', field('orientation', 'EQ', 'panorama'))).toEqual([wide])
      expect(await found('ASSET', field('orientation', 'EQ', 'landscape'))).toEqual(expect.arrayContaining([red, wide]))
    }, 30_000)
    const { facets } = (await call('', {
      context: { searchType: 'INDEX', index: 'ASSET', labelLocalization: 'de_DE' },
      aggregationEnabled: true,
      aggregationAttributes: ['dominantColours', 'orientation'],
    })) as { facets: object[] }
    expect(JSON.stringify(facets)).toMatch(/"Rot".*"Querformat"/)
  })

  test('are found by their resolution, as a number', async () => {
    const print = await scene(31).withMetadata({ density: 240 }).jpeg().toBuffer()
    const tid = await store('print.jpg', print)
    expect(await factsOf(tid)).toMatchObject({ resolution: '240' })
    await vi.waitFor(async () => {
      expect(await found('ASSET', field('resolution', 'GE', '200'))).toEqual([tid])
      expect(await found('ASSET', field('resolution', 'GE', '1000'))).toEqual([])
    }, 30_000)
  })

  test('are similar if they were resized, compressed or brightened, and not otherwise', async () => {
    const original = await store('original.png', await scene(1).png().toBuffer())
    const small = await store('small.jpg', await scene(1).resize(150).jpeg({ quality: 40 }).toBuffer())
    const bright = await store('bright.jpg', await scene(1).modulate({ brightness: 1.2 }).jpeg().toBuffer())
    const others = [await store('other.png', await scene(5).png().toBuffer()), await store('third.png', await scene(9).png().toBuffer())] // prettier-ignore
    const all = await similar({ tids: [original] })
    expect(tidsOf(all).toSorted()).toEqual([small, bright].toSorted())
    expect(all.every(({ distance, similarTo }) => Number(distance) <= 10 && similarTo === original)).toBe(true)
    expect(tidsOf(await similar({ tids: [original], distance: 20, limit: 1 }))).toHaveLength(1)
    const near = await similar({})
    expect(tidsOf(near)).toEqual(expect.arrayContaining([original, small]))
    for (const other of others) expect(tidsOf(near)).not.toContain(other)
    expect(new Set(near.filter(({ tid }) => [original, small].includes(tid)).map(({ nearDuplicates }) => nearDuplicates)).size).toBe(1) // prettier-ignore
  })

  test('without structure are not similar to each other', async () => {
    const [a, b] = [await store('a.png', await plain(50, 50, '#eeeeee')), await store('b.png', await plain(60, 60, '#eeeeef'))] // prettier-ignore
    expect(await similar({ tids: [a, b], distance: 20 })).toEqual([])
  })

  test('that the caller may not read are neither found nor counted', async () => {
    const open = await store('open.png', await scene(21).png().toBuffer())
    const hidden = await store('hidden.png', await scene(21).resize(300).png().toBuffer(), 'secret')
    const grants = [{ kind: 'asset', actions: ['read'], scopes: { dir: ['/MAM/boats'] } }]
    const put = await api.post('/api/v1/identity/roles/boats-only', { grants }, { method: 'PUT', token: api.adminToken }) // prettier-ignore
    expect(put.status, put.text).toBe(200)
    const token = await api.tokenFor({ name: 'bo', roles: ['boats-only'] })
    expect(tidsOf(await similar({ tids: [open] }))).toEqual([hidden])
    expect(tidsOf(await similar({}))).toEqual(expect.arrayContaining([open, hidden]))
    expect(await similar({ tids: [open] }, token)).toEqual([])
    expect(tidsOf(await similar({}, token)), 'a file does not reveal its hidden twin').not.toContain(open)
    expect((await api.post(`${dam}/assets/similar/retrieve`, { tids: [hidden] }, { token })).status).toBe(404)
  })

  test('a request out of bounds is refused with its place', async () => {
    const refused = async (request: object) => {
      const reply = await api.post(`${dam}/assets/similar/retrieve`, request)
      return [reply.status, reply.text] as const
    }
    for (const [request, text] of [
      [{ tids: ['x'], distance: 21 }, 'distance'],
      [{ distance: 10 }, 'near duplicates'],
      [{ tids: Array.from({ length: 21 }, (_, i) => `t${i}`) }, 'at most 20'],
      [{ tids: ['x'], distance: -1 }, 'distance'],
      [{ tids: ['x'], limit: 0 }, 'limit'],
      [{ limit: 1001 }, 'limit'],
    ] as const) {
      const [status, reply] = await refused(request)
      expect([status, reply]).toEqual([400, expect.stringContaining(text)])
    }
    expect((await refused({ tids: ['none'] }))[0]).toBe(404)
  })
})

/** A document with a line of text on every page. */
function pdf(...lines: string[]): string {
  const kids = lines.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${lines.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...lines.flatMap((line, i) => {
      const stream = `BT /F1 12 Tf 10 50 Td (${line}) Tj ET`
      const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 100] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * i} 0 R >>`
      return [page, `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`]
    }),
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
async function* some(bytes: Buffer) {
  yield bytes
}
const zipOf = (parts: Record<string, string | Buffer>) =>
  buffer(toZip(Object.entries(parts).map(([name, text]) => ({ name, bytes: some(Buffer.from(text)), compress: true }))))
const pagesOf = async (tid: string) =>
  (
    await api.db.rows<{ page: number; text: string }>(sql`
      select p.page, p.text from file_page p join dam_entry e on e.sha256 = p.sha256 where e.tid = ${tid} order by 1`)
  ).map(({ page, text }) => `${page}: ${text}`)

describe('documents', () => {
  test('are found by their text, and the hit names the page', async () => {
    const tid = await store('manual.pdf', pdf('Introduction', '', 'Tighten the capstan before sailing', 'End'))
    expect(await pagesOf(tid)).toEqual(['1: Introduction', '3: Tighten the capstan before sailing', '4: End'])
    await vi.waitFor(async () => expect(await found('ASSET', fullText('capstan'))).toEqual([tid]), 30_000)
    const { items } = await find('ASSET', fullText('capstan'))
    expect(items[0].highlights).toEqual([
      { name: 'documentText', value: ['Tighten the <em>capstan</em> before sailing'], pages: [3] },
    ])
    expect(await found('ASSET', field('documentText', 'LIKE', 'capstan'))).toEqual([tid])
  })

  test.each([
    [
      'letter.docx',
      { 'word/document.xml': '<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>First</w:t></w:r><w:r><w:t> page</w:t></w:r></w:p><w:p><w:r><w:br w:type="page"/></w:r></w:p><w:p><w:r><w:lastRenderedPageBreak/><w:t>Second</w:t></w:r></w:p><w:p><w:r><w:lastRenderedPageBreak/><w:t>Third</w:t></w:r></w:p></w:body></w:document>' }, // prettier-ignore
      ['1: First page', '2: Second', '3: Third'],
    ],
    [
      'talk.pptx',
      { 'ppt/slides/slide10.xml': '<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>Ten</a:t></a:r></a:p></p:sld>', 'ppt/slides/slide2.xml': '<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>Two</a:t></a:r></a:p><a:p><a:r><a:t>lines</a:t></a:r></a:p></p:sld>' }, // prettier-ignore
      ['1: Two lines', '2: Ten'],
    ],
    [
      'list.xlsx',
      { 'xl/sharedStrings.xml': '<sst><si><t>Anchor</t></si><si><r><t>Sa</t></r><r><t>il</t></r></si></sst>', 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row><c t="s"><v>1</v></c><c><v>42</v></c></row></sheetData></worksheet>', 'xl/worksheets/sheet2.xml': '<worksheet><sheetData><row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>here</t></is></c></row></sheetData></worksheet>' }, // prettier-ignore
      ['1: Sail 42', '2: Anchor here'],
    ],
    [
      'text.odt',
      { 'content.xml': '<office:document-content xmlns:office="o" xmlns:text="t"><office:body><office:text><text:p>One</text:p><text:soft-page-break/><text:p>Two<text:s/>words</text:p></office:text></office:body></office:document-content>' }, // prettier-ignore
      ['1: One', '2: Two words'],
    ],
    [
      'table.ods',
      { 'content.xml': '<d xmlns:table="t" xmlns:text="x"><body><table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell></table:table-row></table:table><table:table><text:p>B</text:p></table:table></body></d>' }, // prettier-ignore
      ['1: A', '2: B'],
    ],
  ])('%s by page, slide or sheet', async (name, parts, pages) => {
    const tid = await store(name, await zipOf(parts))
    expect(await pagesOf(tid)).toEqual(pages)
    expect((await factsOf(tid)).analysisNote).toBeUndefined()
  })

  test('that are long are searched in their beginning, with a note', async () => {
    const word = '<w:p><w:r><w:t>mainsail and spinnaker in the wind</w:t></w:r></w:p>'
    const tid = await store('long.docx', await zipOf({ 'word/document.xml': `<w:document xmlns:w="w">${word.repeat(15_000)}</w:document>` })) // prettier-ignore
    const { size } = (await api.db.row<{ size: number }>(sql`
      select sum(length(p.text))::int as size from file_page p join dam_entry e on e.sha256 = p.sha256 where e.tid = ${tid}`))!
    expect(size).toBe(400_000)
    expect((await factsOf(tid)).analysisNote).toContain('long')
  })

  test('that are broken, encrypted or bombs are stored, with a note', async () => {
    const encrypted = pdf('Secret').replace('/Root 1 0 R', '/Root 1 0 R /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O (12345678901234567890123456789012) /U (12345678901234567890123456789012) >> /ID [(1234567890123456) (1234567890123456)]') // prettier-ignore
    const deep = `<w:document xmlns:w="w">${'<w:p>'.repeat(2000)}${'</w:p>'.repeat(2000)}</w:document>`
    const laughs =
      '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><w:document xmlns:w="w"><w:t>&b;</w:t></w:document>'
    const files: [string, Buffer | string][] = [
      ['broken.pdf', '%PDF-1.7 nothing'],
      ['encrypted.pdf', encrypted],
      ['not-a-zip.docx', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(500)])],
      ['bomb.docx', await zipOf({ 'word/document.xml': Buffer.alloc(60 * 1024 * 1024, ' ') })],
      ['deep.docx', await zipOf({ 'word/document.xml': deep })],
      ['laughs.docx', await zipOf({ 'word/document.xml': laughs })],
      ['lying.docx', lyingZip()],
    ]
    for (const [name, bytes] of files) {
      const tid = await store(name, bytes)
      expect((await factsOf(tid)).analysisNote, name).toBeTruthy()
      expect(await pagesOf(tid), name).toEqual([])
    }
    const after = await store('after.pdf', pdf('Still works'))
    expect(await pagesOf(after)).toEqual(['1: Still works'])
  })
})

/** A zip whose entry unfolds to 50 MiB and claims to have 10 bytes. */
function lyingZip(): Buffer {
  const name = Buffer.from('word/document.xml')
  const data = deflateRawSync(Buffer.alloc(50 * 1024 * 1024))
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(data.length, 18)
  local.writeUInt32LE(10, 22)
  local.writeUInt16LE(name.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(data.length, 20)
  central.writeUInt32LE(10, 24)
  central.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(46 + name.length, 12)
  end.writeUInt32LE(30 + name.length + data.length, 16)
  return Buffer.concat([local, name, data, central, name, end])
}

describe('files that have no analysis yet', () => {
  test('are analysed by a job, once for equal bytes, also by two jobs at the same time', async () => {
    const bytes = await scene(33, { background: '#7b3fa0' }).png().toBuffer()
    const tids = [await store('one.png', bytes), await store('two.png', bytes)]
    const document = await store('old.pdf', pdf('Halyard'))
    await api.db.run(sql`
      delete from file_analysis where sha256 in (select sha256 from dam_entry where tid = any(${[...tids, document]}::text[]))`)
    expect((await factsOf(tids[0]!)).dominantColours).toBeUndefined()
    await Promise.all([runJob(), runJob()])
    for (const tid of tids) expect((await factsOf(tid)).dominantColours).toMatch(/purple/)
    expect(await pagesOf(document)).toEqual(['1: Halyard'])
    await vi.waitFor(async () => {
      expect(await found('ASSET', field('dominantColours', 'EQ', 'purple'))).toEqual(expect.arrayContaining(tids))
      expect(await found('ASSET', fullText('halyard'))).toEqual([document])
    }, 30_000)
  })

  test('in a storage without previews are analysed with the upload', async () => {
    const rnc = [{ tid: 'BARE', name: 'BARE', meta: { itm: [{ key: 'rncDisablePreviewGeneration', value: 'true' }] } }]
    await api.post(`${dam}/rncs/persist`, { schemaVersion: '5.6.0', rncs: { rnc } }, { token: api.adminToken })
    const tid = randomUUID()
    const path = `/BARE/${tid}.png`
    const reply = await upload(api, { path, tid, doPreviewsAsync: false }, await plain(40, 40, '#f7d51d'))
    expect(recordOf(reply).status, reply.text).toBe('SUCCESS')
    expect(await factsOf(tid)).toMatchObject({ dominantColours: 'yellow' })
  })

  test('the analysis goes with the last file that has these bytes', async () => {
    const tid = await store('gone.png', await scene(77).png().toBuffer())
    const sha256 = (await factsOf(tid)).checksum!
    await api.db.run(sql`delete from asset_preview where asset_id in (select id from dam_entry where tid = ${tid})`)
    await api.db.run(sql`delete from dam_entry where tid = ${tid}`)
    await api.db.run(sql`delete from blob where sha256 = ${sha256}`)
    expect(await api.db.rows(sql`select from file_analysis where sha256 = ${sha256}`)).toEqual([])
  })
})
