import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createClient, fixedToken } from '@kontor/sdk'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ZipFile } from 'yazl'
import type { Infer, Product } from '@kontor/contract'
import { createModel, jacket, productCalls, vals, simple } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'
import { sql } from '../adapters/postgres/sql.ts'
import { readCsv } from './read/csv.ts'
import { createGauge, type Source } from './read/source.ts'
import { readXlsx } from './read/xlsx.ts'
import { openZip } from './read/zip.ts'
import { toXlsx } from './write/tables.ts'

const api = withServer()
const at = '/api/v1/transfers'
const { persist, retrieve, perform } = productCalls(api)
const folder = mkdtempSync(join(tmpdir(), 'kontor-transfer-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
})

type Found = Infer<typeof Product>
type Shown = { id: string; state: string; processed: number; share: number; created: number; updated: number; refused: number; problem?: string } // prettier-ignore
const send = async (body: string | Buffer, query: string): Promise<Shown> => {
  const reply = await api.post(`${at}/imports?${query}`, body, { type: 'application/octet-stream' })
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}
const control = async (id: string, command: string) => {
  const reply = await api.post(`${at}/${id}/${command}`)
  expect(reply.status, reply.text).toBe(200)
}
const stateOf = async (id: string): Promise<Shown> => (await api.get(`${at}/${id}`)).json
const ended = (id: string, ...states: string[]): Promise<Shown> =>
  vi.waitFor(
    async () => {
      const now = await stateOf(id)
      expect(states, now.problem).toContain(now.state)
      return now
    },
    { timeout: 40_000, interval: 50 },
  )
const run = async (body: string | Buffer, query: string): Promise<Shown> => {
  const { id } = await send(body, query)
  await control(id, 'start')
  return ended(id, 'finished')
}
const rowsOf = async (id: string, query = '') => (await api.get(`${at}/${id}/rows?${query}`)).json.rows ?? []
const exported = async (body: object): Promise<string> => {
  const { id } = (await api.post(`${at}/exports`, body)).json
  await ended(id, 'finished')
  return (await api.get(`${at}/${id}/file`)).text
}

const table = `tid,name,node,material,caption@en_GB,caption@de_DE,sizes,notes@en_GB,color,weight,article:tid,article:name,variant:tid,variant:name,size_table/width
C1,Coat,/Standard/Jackets,wool,Warm,"Warm, sehr",S|M,one|two,red,12.5,C1a,Coat blue,C1a1,Coat blue S,10||12
C1,,,,,,,,,,C1a,,C1a2,Coat blue M,
C2,Cape,/Standard/Jackets,,Light,,,,Blue,,,,,,
`

describe('a table', () => {
  test('becomes products with articles, variations and values of every kind', async () => {
    const { id, created, updated, refused } = await run(table, 'name=coats.csv')
    expect([created, updated, refused]).toEqual([2, 1, 0])
    const [coat] = (await retrieve('C1')) as Found[]
    expect(coat).toMatchObject({ name: 'Coat', node: '/Standard/Jackets' })
    const said = new Map(coat!.vals!.val!.map((val) => [`${val.parent ?? ''}${val.attr}`, val]))
    expect(said.get('caption')!.itm).toEqual([
      { value: 'Warm, sehr', loc: 'de_DE' },
      { value: 'Warm', loc: 'en_GB' },
    ])
    expect(said.get('sizes')!.itm).toEqual([{ value: 'S', pos: 0 }, { value: 'M', pos: 1 }]) // prettier-ignore
    expect(said.get('notes')!.i18N).toEqual([{ loc: 'en_GB', itm: [{ value: 'one', pos: 0 }, { value: 'two', pos: 1 }] }]) // prettier-ignore
    expect(said.get('color')!.itm).toEqual([{ value: 'Red', key: 'red' }])
    expect(said.get('size_tablewidth')!.itm).toEqual([{ value: '10', pos: 0 }, { value: '12', pos: 2 }]) // prettier-ignore
    expect(coat!.articles!.article![0]!.variants!.variant!.map(({ tid }) => tid)).toEqual(['C1a1', 'C1a2'])
    expect(await rowsOf(id)).toEqual([
      { row: 1, status: 'created', tid: 'C1' },
      { row: 2, status: 'updated', tid: 'C1' },
      { row: 3, status: 'created', tid: 'C2' },
    ])
  })

  test('has one outcome per row with column and reason, and a result file that can be corrected and sent again', async () => {
    const faulty =
      'tid;name;node;weight;washable\nW1;One;/Standard/Jackets;heavy;maybe\nW2;Two;/Standard/Jackets;5;true\nW3;Three;/Nowhere;1;true\n'
    const { id, created, refused } = await run(faulty, 'name=faulty.csv')
    expect([created, refused]).toEqual([1, 2])
    const rows = await rowsOf(id, 'status=refused')
    expect(rows).toMatchObject([
      { row: 1, tid: 'W1', faults: [{ column: 'weight' }, { column: 'washable' }] },
      { row: 3, tid: 'W3', faults: [{ column: 'node' }] },
    ])
    expect(rows[0].faults[0].reason).toContain('is not a number')
    const result = (await api.get(`${at}/${id}/result`)).text
    expect(result.split('\r\n').slice(0, 2)).toEqual([
      '\ufefftid,name,node,weight,washable,status,message',
      expect.stringMatching(/^W1,One,\/Standard\/Jackets,heavy,maybe,refused,"?weight: /),
    ])
    const corrected = result.replace('heavy,maybe', '5,true').replace('/Nowhere', '/Standard/Jackets')
    expect(await run(corrected, 'name=corrected.csv')).toMatchObject({ created: 2, refused: 0 })
  })

  test('is previewed with its columns explained, and checked without storing anything', async () => {
    const body = 'tid,name,node,caption@en_GB,caption,unknown,weight\nV1,V,/Standard/Jackets,a,b,c,x\n'
    const { id } = await send(body, 'name=x.csv')
    const { columns, rows } = (await api.get(`${at}/${id}/preview`)).json
    expect(columns.slice(3)).toEqual([
      { column: 'caption@en_GB', meaning: 'caption@en_GB' },
      { column: 'caption', meaning: 'caption', fault: expect.stringContaining('is localized') },
      { column: 'unknown', meaning: 'unknown', fault: 'no attribute has the tid unknown' },
      { column: 'weight', meaning: 'weight' },
    ])
    expect(rows).toMatchObject([{ row: 1, item: { tid: 'V1' }, faults: [{ column: 'weight' }] }])
    await control(id, 'start')
    expect((await ended(id, 'failed')).problem).toContain('column caption')

    const { id: checked } = await send(
      'tid,name,node,weight\nV1,V,/Standard/Jackets,1\nV2,V2,/Standard/Jackets,x\n',
      'name=x.csv',
    )
    await control(checked, 'validate')
    expect(await ended(checked, 'validated')).toMatchObject({ created: 1, refused: 1 })
    expect((await api.post('/api/core/v1/pim/products/retrieve', { tids: ['V1'] })).status).toBe(404)
    await control(checked, 'start')
    expect(await ended(checked, 'finished')).toMatchObject({ created: 1, refused: 1, processed: 2 })
    expect(await retrieve('V1')).toHaveLength(1)
  })

  test('is previewed in a bounded reply, whatever its cells contain', async () => {
    const long = 'x'.repeat(300_000)
    const row = (i: number) => `L${i},L${i},/Standard/Jackets,${long},${long}\n`
    const body = `tid,name,node,material,caption@en_GB\n${Array.from({ length: 20 }, (_, i) => row(i)).join('')}`
    const { id } = await send(body, 'name=x.csv')
    const { text, json } = await api.get(`${at}/${id}/preview?count=100`)
    expect(text.length).toBeLessThan(100_000)
    expect(json.rows).toHaveLength(1)
    expect(json.rows[0].item.vals.val[0].itm).toEqual([{ value: `${'x'.repeat(1000)}…` }])
  })

  test('of foreign headings is read by a profile', async () => {
    const columns = [
      { column: 'Nr.', field: 'tid' },
      { column: 'Bezeichnung', field: 'name' },
      { column: 'Gruppe', field: 'node' },
      { column: 'Text DE', attr: 'caption', locale: 'de_DE' },
      { column: 'Größe 2', attr: 'sizes', position: 0 },
      { column: 'Artikel', field: 'tid', level: 'article' },
      { column: 'Artikelname', field: 'name', level: 'article' },
      { column: 'Stoff', attr: 'material', level: 'article' },
      { column: 'Lager', field: 'ignore' },
    ]
    const put = await api.post(`${at}/profiles/erp`, { columns, emptyClears: true }, { method: 'PUT' })
    expect(put.status, put.text).toBe(200)
    const body =
      'Nr.;Bezeichnung;Gruppe;Text DE;Größe 2;Artikel;Artikelname;Stoff;Lager\nE1;Eins;/Standard/Jackets;Hallo;XL;E1a;Eins a;Filz;17\n'
    expect(await run(body, 'name=erp.csv&profile=erp')).toMatchObject({ created: 1, refused: 0 })
    const [one] = (await retrieve('E1')) as Found[]
    expect(one!.articles!.article![0]!.vals!.val![0]).toMatchObject({ attr: 'material', itm: [{ value: 'Filz' }] })
    await run(body.replace('Hallo', ''), 'name=erp.csv&profile=erp')
    expect(JSON.stringify(await retrieve('E1'))).not.toContain('Hallo')
    expect((await api.get(`${at}/profiles`)).json.profiles).toMatchObject([{ name: 'erp' }])
    expect((await api.get(`${at}/profiles/erp`)).json).toMatchObject({ name: 'erp', emptyClears: true })
    const none = await api.get(`${at}/profiles/none`)
    expect([none.status, none.text]).toEqual([404, expect.stringContaining('no profile has the name none')])
    expect((await api.post(`${at}/profiles/erp`, undefined, { method: 'DELETE' })).status).toBe(200)
    expect((await api.post(`${at}/imports?format=csv&profile=erp`, 'x', { type: 'text/csv' })).status).toBe(404)
  })
})

/** Longer than what is read of a file at once. */
const side = 'side'.repeat(200_000)
const sideHash = createHash('sha256').update(side).digest('hex')

describe('other formats', () => {
  test('XLSX is read and written', async () => {
    async function* one() {
      yield ['X1', 'Ärmel <&>', '/Standard/Jackets', '007']
    }
    const chunks = []
    for await (const chunk of toXlsx(['tid', 'name', 'node', 'material'], one())) chunks.push(chunk)
    const file = Buffer.concat(chunks)
    expect(await run(file, 'name=x.xlsx')).toMatchObject({ created: 1, refused: 0 })
    expect((await retrieve('X1'))[0]).toMatchObject({ name: 'Ärmel <&>', vals: { val: [{ itm: [{ value: '007' }] }] } })
  })

  test('XML envelopes bring what they contain, JSON lines are refused one by one', async () => {
    const xml = `<pim xmlns="http://www.apollon.de/omn" schemaVersion="5.6.0"><products><product tid="XM1"><name>From XML</name><node>/Standard/Jackets</node></product></products><glossaries><glossary tid="XG"><name>From XML</name></glossary></glossaries></pim>`
    expect(await run(xml, 'name=all.xml')).toMatchObject({ created: 2, refused: 0 })
    const lines =
      '{"tid":"JL1","name":"A","node":"/Standard/Jackets"}\n{"tid":\n\n{"tid":"JL2","nme":"B"}\n{"tid":"JL3","name":"C","node":"/Standard/Jackets"}'
    const { id, created, refused } = await run(lines, 'name=p.jsonl')
    expect([created, refused]).toEqual([2, 2])
    expect(await rowsOf(id, 'status=refused')).toMatchObject([
      { row: 2, faults: [{ reason: expect.stringContaining('the message ends before it is complete') }] },
      { row: 3, faults: [{ reason: expect.stringContaining('nme') }] },
    ])
  })

  test('a zip brings media, which become assets of the products', async () => {
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from('tid,name,node,asset\nZ1,With picture,/Standard/Jackets,front.txt|more/side.txt\nZ2,Without,/Standard/Jackets,missing.txt\n'), 'data.csv') // prettier-ignore
    zip.addBuffer(Buffer.from('front'), 'media/front.txt')
    zip.addBuffer(Buffer.from(side), 'media/more/side.txt')
    zip.end()
    const file = await buffer(zip.outputStream)
    const { id, created, refused } = await run(file, 'name=media.zip')
    expect([created, refused]).toEqual([1, 1])
    expect(await rowsOf(id, 'status=refused')).toMatchObject([{ row: 2, faults: [{ column: 'asset' }] }])
    const [product] = (await retrieve('Z1')) as Found[]
    expect(JSON.stringify(product!.links)).toMatch(/assetTid.*assetTid/)
    const paths = await api.post('/api/core/v1/dam/assets/query', { directory: { path: '/MAM/Import/more' } })
    expect(paths.json.tids).toHaveLength(1)
  })

  test('a zip with unknown or escaping paths fails with a message and stores nothing', async () => {
    const zipWith = (name: string) => {
      const zip = new ZipFile()
      zip.addBuffer(Buffer.from('tid,name,node\nZX,Lost,/Standard/Jackets\n'), 'data.csv')
      zip.addBuffer(Buffer.from('x'), name)
      zip.end()
      return buffer(zip.outputStream)
    }
    const out = Buffer.from((await zipWith('assets/MAM/x')).toString('latin1').replaceAll('assets/MAM/x', 'assets/../xx'), 'latin1') // prettier-ignore
    for (const [file, reason] of [
      [await zipWith('assets/NOWHERE/x.txt'), 'NOWHERE'],
      [out, 'assets/../xx'],
    ] as const) {
      const { id } = await send(file, 'name=lost.zip')
      await control(id, 'start')
      expect((await ended(id, 'failed')).problem).toContain(reason)
    }
    expect((await api.post('/api/core/v1/pim/products/retrieve', { tids: ['ZX'] })).status).toBe(404)
  })

  test('files of the DAM are found on the connection that the import has: there may be no other', async () => {
    const over = Promise.withResolvers<void>()
    const begun = Array.from({ length: api.db.pool.options.max - 1 }, () => Promise.withResolvers<void>())
    const others = begun.map(({ resolve }) =>
      api.db.transaction(async (db) => {
        await db.run(sql`select 1`)
        resolve()
        await over.promise
      }),
    )
    await Promise.all(begun.map(({ promise }) => promise))
    const body = 'tid,name,node,asset\nZ5,Busy,/Standard/Jackets,/MAM/no.txt\n'
    await run(body, 'name=busy.csv').finally(() => over.resolve())
    await Promise.all(others)
  })

  test('a table without a zip names files of the DAM by their paths', async () => {
    const body =
      'tid,name,node,asset/Main_Image\nZ3,By path,/Standard/Jackets,/mam/import/FRONT.txt\nZ4,None,/Standard/Jackets,/MAM/no.txt\n'
    const { id } = await run(body, 'name=paths.csv')
    expect(await rowsOf(id)).toMatchObject([
      { tid: 'Z3', status: 'created' },
      { status: 'refused', faults: [{ column: 'asset/Main_Image', reason: 'asset: there is no file /MAM/no.txt' }] },
    ])
    const [product] = (await retrieve('Z3')) as Found[]
    expect(product!.links!.itms).toMatchObject([{ type: 'assetToProduct', itms: [{ type: 'Main_Image', itm: [{ key: 'assetTid' }] }] }]) // prettier-ignore
  })

  test.each([
    ['format=pdf', 'x', 'expected one of csv'],
    ['name=x', 'x', 'expected one of csv'],
  ])('%s is refused', async (query, body, sentence) => {
    const reply = await api.post(`${at}/imports?${query}`, body, { type: 'text/plain' })
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(sentence)])
  })

  test.each([
    ['x.csv', '', 'the file is empty'],
    ['x.xlsx', 'no zip at all', 'the file is not a zip'],
    ['x.xml', '<pim', 'invalid'],
  ])('a broken %s fails as a whole, in words', async (name, body) => {
    const { id } = await send(body, `name=${name}`)
    await control(id, 'start')
    expect((await ended(id, 'failed')).problem).not.toContain('internal')
  })
})

describe('how it goes on', () => {
  const many = (count: number, prefix: string) =>
    `tid,name,node,material\n${Array.from({ length: count }, (_, i) => `${prefix}${i},${prefix} ${i},/Standard/Jackets,${'felt '.repeat(40)}${i}`).join('\n')}\n`

  test('it can be paused, resumed and cancelled, and nothing is stored twice', async () => {
    const { id } = await send(many(6000, 'PA'), 'name=many.csv')
    await control(id, 'start')
    await vi.waitFor(async () => expect((await stateOf(id)).processed).toBeGreaterThan(0), 20_000)
    await control(id, 'pause')
    const { processed, share } = await ended(id, 'paused')
    expect(processed).toBeLessThan(6000)
    expect(share, 'how much of the file is read').toBeGreaterThan(0)
    expect(share).toBeLessThan(1)
    expect((await api.post(`${at}/${id}/start`)).status).toBe(409)
    await control(id, 'resume')
    expect(await ended(id, 'finished')).toMatchObject({ processed: 6000, share: 1, created: 6000, updated: 0 })
    expect(await rowsOf(id, 'after=5499&count=2')).toMatchObject([{ row: 5500 }, { row: 5501 }])
    expect(await rowsOf(id, 'after=5999')).toMatchObject([{ row: 6000 }])
    expect(await rowsOf(id, 'after=6000')).toEqual([])
    const history = await api.db.row<{ count: number }>(sql`
      select count(*) from history h join product p on p.id = h.object_id where p.tid like 'PA%' and h.action = 'create'`)
    expect(history!.count).toBe(6000)
    const { id: other } = await send(many(10, 'CA'), 'name=c.csv')
    await control(other, 'cancel')
    expect((await stateOf(other)).state).toBe('cancelled')
    expect((await api.post(`${at}/${other}`, undefined, { method: 'DELETE' })).status).toBe(200)
    expect((await api.get(`${at}/${other}`)).status).toBe(404)
  })

  test('is invisible to others, and stores only permitted objects', async () => {
    const { id } = await send('tid,name,node\nS1,S,/Standard/Jackets\n', 'name=s.csv')
    const other = await api.tokenFor({ roles: ['user'] })
    expect((await api.get(`${at}/${id}`, { token: other })).status).toBe(404)
    const reader = await api.tokenFor({ roles: ['reader'] })
    expect((await api.post(`${at}/imports?format=csv`, 'x', { token: reader, type: 'text/csv' })).status).toBe(401)
    const xml = `<pim xmlns="http://www.apollon.de/omn" schemaVersion="5.6.0"><nodes><node tid="N" parentPath="/Standard"/></nodes></pim>`
    const { id: nodes } = await run(xml, 'name=nodes.xml')
    expect(await rowsOf(nodes)).toMatchObject([{ status: 'refused', faults: [{ reason: expect.stringContaining('role admin') }] }]) // prettier-ignore
  })

  test('the SDK sends a file, starts it and watches it', async () => {
    const { transfers } = createClient({ baseUrl: await api.listen(), tokens: fixedToken(api.token) })
    const sent = await transfers.send(new File([many(700, 'SD')], 'sdk.csv'))
    await transfers.controlTransfer({ params: { id: sent.id!, command: 'start' } })
    const seen: number[] = []
    const done = await transfers.watch(sent.id!, { onProgress: ({ share }) => void seen.push(share!) })
    expect(done).toMatchObject({ state: 'finished', created: 700, total: 700 })
    expect(seen.at(-1)).toBe(1)
    expect(seen, 'never back').toEqual(seen.toSorted((a, b) => a - b))
  })
})

describe('an export', () => {
  test('contains its columns, and can be imported again', async () => {
    const text = await exported({ format: 'csv', tids: ['C1', 'C2'] })
    const lines = text.trim().split('\r\n')
    expect(lines[0]).toContain('tid,name,node,article:tid,article:name,variant:tid,variant:name,')
    expect(lines).toHaveLength(4)
    await perform({ type: 'delete', tid: 'C1' }, { type: 'delete', tid: 'C2' })
    const { refused, id } = await run(text, 'name=again.csv')
    expect(refused, JSON.stringify(await rowsOf(id))).toBe(0)
    expect(await exported({ format: 'csv', tids: ['C1', 'C2'] })).toBe(text)
    expect(await exported({ format: 'csv', tids: ['C2'], columns: ['tid', 'caption@en_GB'] })).toBe('\ufefftid,caption@en_GB\r\nC2,Light\r\n') // prettier-ignore
  })

  test('is made in every format', async () => {
    const body = { nodePaths: ['/Standard/Boots'] }
    await persist(jacket('B1', { node: '/Standard/Boots', ...vals(simple('code', 'AB1')) }))
    expect(await exported({ format: 'jsonl', ...body })).toMatch(/^{.*"tid":"B1".*}\n$/)
    expect(await exported({ format: 'xml', ...body })).toMatch(/^<\?xml.*<product tid="B1">.*<\/pim>\s*$/s)
    const { id } = (await api.post(`${at}/exports`, { format: 'xlsx', ...body })).json
    await ended(id, 'finished')
    const reply = await api.app.http.inject({ url: `${at}/${id}/file`, headers: { authorization: `Bearer ${api.token}` } }) // prettier-ignore
    const path = join(folder, 'out.xlsx')
    writeFileSync(path, reply.rawPayload)
    const zip = await openZip(path)
    const source = await readXlsx(zip, createGauge())
    expect(source.headings!.slice(0, 3)).toEqual(['tid', 'name', 'node'])
    expect((await all(source))[0]).toMatchObject({ cells: expect.arrayContaining(['B1', 'AB1']) })
    zip.close()
  })

  test('as a zip has the linked files, and brings products, files and links back after all were deleted', async () => {
    const exportZip = async () => {
      const { id } = (await api.post(`${at}/exports`, { format: 'zip', tids: ['Z1', 'Z3'] })).json
      await ended(id, 'finished')
      const headers = { authorization: `Bearer ${api.token}` }
      return (await api.app.http.inject({ url: `${at}/${id}/file`, headers })).rawPayload
    }
    const file = await exportZip()
    const path = join(folder, 'out.zip')
    writeFileSync(path, file)
    const zip = await openZip(path)
    expect(zip.names).toEqual(['products.csv', 'assets/MAM/Import/front.txt', 'assets/MAM/Import/more/side.txt'])
    const table = (await buffer(await zip.read('products.csv'))).toString()
    expect(table).toContain('tid,name,node,asset,asset/Main_Image\r\n')
    expect(table).toContain('/MAM/Import/front.txt|/MAM/Import/more/side.txt,\r\n')
    zip.close()

    await perform({ type: 'delete', tid: 'Z1' }, { type: 'delete', tid: 'Z3' })
    const gone = { dataType: 'dir', type: 'delete', path: '/MAM/Import' }
    const deleted = await api.post('/api/core/v1/dam/dirs/perform', { schemaVersion: '5.6.0', actions: { action: [gone] } }) // prettier-ignore
    expect(deleted.text).not.toContain('ERROR')
    expect(await run(file, 'name=again.zip')).toMatchObject({ created: 2, refused: 0 })
    const found = await api.post('/api/core/v1/dam/assets/query', { directory: { path: '/MAM/Import/more' } })
    const [tid] = found.json.tids
    expect((await api.get(`/api/core/v1/dam/assets/bin?assetTid=${tid}`)).text).toBe(side)
    expect(JSON.stringify((await retrieve('Z1')) as Found[])).toContain(tid)
    const listed = async (bytes: Buffer) => (writeFileSync(path, bytes), openZip(path))
    const again = await listed(await exportZip())
    expect((await buffer(await again.read('products.csv'))).toString()).toBe(table)
    again.close()
  })

  test('that cannot read a file fails, and the server goes on', async () => {
    const blobs = join(api.config.data, 'blobs')
    const stored = readdirSync(blobs, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith(sideHash.slice(8)),
    )
    expect(stored).toHaveLength(1)
    rmSync(join(blobs, stored[0]!))
    const { id } = (await api.post(`${at}/exports`, { format: 'zip', tids: ['Z1'] })).json
    expect((await ended(id, 'failed')).problem).toContain('support id')
  })

  test('of a series contains changed and deleted products', async () => {
    await persist(jacket('D1', { node: '/Standard/Jackets/Rain' }), jacket('D2', { node: '/Standard/Jackets/Rain' }))
    const body = { format: 'jsonl', nodePaths: ['/Standard/Jackets/Rain'], series: 'shop' }
    expect((await exported(body)).match(/"tid":"D\d"/g)).toEqual(['"tid":"D1"', '"tid":"D2"'])
    expect(await exported(body)).toBe('')
    await persist(jacket('D3', { node: '/Standard/Jackets/Rain' }), { tid: 'D1', name: 'Changed' })
    await perform({ type: 'delete', tid: 'D2' })
    const delta = (await exported(body)).trim().split('\n').map((line) => JSON.parse(line)) // prettier-ignore
    expect(delta).toMatchObject([
      { tid: 'D1', name: 'Changed' },
      { tid: 'D3' },
      { deletion: { dataType: 'product', tid: 'D2' } },
    ])
    await perform({ type: 'delete', tid: 'D3' })
    const csv = await exported({ ...body, format: 'csv', columns: ['tid'] })
    expect(csv.split('\r\n')).toEqual(['\ufefftid,deleted', 'D1,', 'D3,true', ''])
    await persist({ tid: 'D1', node: '/Standard/Jackets' }) // not gone, but not meant any more
    expect(await exported({ ...body, format: 'xml' })).toMatch(/<deletions>\s*<deletion [^>]*tid="D1"/)
  })

  test('has every product once, in the order asked for, however many there are', async () => {
    const tids = Array.from({ length: 903 }, (_, i) => `P${903 - i}`)
    await persist(...tids.map((tid) => jacket(tid)))
    const csv = await exported({ format: 'csv', columns: ['tid'], tids: [...tids, ...tids.slice(0, 600)] })
    expect(csv.split('\r\n').slice(1, -1)).toEqual(tids)
    expect(await api.db.rows(sql`select from transfer_item`)).toEqual([])
  })

  test('leaves out deleted products', async () => {
    expect(await exported({ format: 'jsonl', tids: ['P0'] })).toBe('')
    expect((await exported({ format: 'jsonl', tids: ['P0', 'P1'] })).trim().split('\n')).toHaveLength(1)
  })

  test('that is cancelled stays so, and is not in its series', async () => {
    const held = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<string>()
    const holding = api.db.transaction(async (db) => {
      await db.lock(sql`lock table transfer_item`)
      asked.resolve((await api.post(`${at}/exports`, { format: 'jsonl', tids: ['P1'], series: 'held' })).json.id)
      await held.promise
    })
    const id = await asked.promise
    await control(id, 'cancel')
    held.resolve()
    await holding
    await vi.waitUntil(async () => (await api.db.rows(sql`select from graphile_worker._private_jobs where payload->>'id' = ${id}`)).length === 0) // prettier-ignore
    expect((await stateOf(id)).state).toBe('cancelled')
    expect(await api.db.rows(sql`select from transfer_series where name like '%/held'`)).toEqual([])
  })

  test('with an invalid request fails with a message', async () => {
    const { id } = (await api.post(`${at}/exports`, { format: 'csv', columns: ['::'] })).json
    expect((await ended(id, 'failed')).problem).toContain('column ::')
    expect((await api.get(`${at}/${id}/file`)).status).toBe(409)
  })
})

async function all({ rows }: Source) {
  const found = []
  for await (const row of rows) found.push(row)
  return found
}

test('CSV of many kinds is read alike', async () => {
  const files = ['a,b\n1,"x\ny"\n', '\ufeffa;b\r\n1;"x\ny"\r\n', 'a\tb\n1\t"x\ny"']
  for (const text of files) {
    const path = join(folder, 'in.csv')
    writeFileSync(path, text)
    const source = await readCsv(createReadStream(path))
    expect([source.headings, await all(source)]).toEqual([['a', 'b'], [{ number: 1, cells: ['1', 'x\ny'] }]])
  }
})

describe('cells that a spreadsheet would run as formulas', () => {
  const texts = ['=1+1', '+1+1', '-2+3', '@SUM(A1)', "'=1", "''-x", '-', '=a|b']
  const columns = ['tid', 'name', 'node', 'material', 'weight']
  const find = async () => ((await retrieve('=F0', ...texts.map((_, i) => `F${i}`))) as Found[]).toSorted(byTid)
  const byTid = (a: Found, b: Found) => (a.tid! < b.tid! ? -1 : 1)
  const request = { format: 'csv', columns, tids: ['=F0', ...texts.map((_, i) => `F${i}`)] }
  beforeAll(async () => {
    const made = texts.map((text, i) => jacket(`F${i}`, { name: `Formula ${i}`, ...vals(simple('material', text)) }))
    const records = await persist(...made, jacket('=F0', { name: '=Formula', ...vals(simple('weight', '5')) }))
    expect(records.map(({ status, description }) => [status, description])).toEqual(
      records.map(() => ['SUCCESS', expect.anything()]),
    )
  })

  test('are exported as texts, and the file imports to the same values', async () => {
    const before = await find()
    const file = await exported(request)
    const cells = file.split(/\r\n|,/).map((cell) => cell.replace(/^"/, ''))
    expect(cells.filter((cell) => /^[=+@-]/.test(cell))).toEqual([])
    expect(file).toContain("'=1+1")
    expect(file).toContain("''=1")
    expect(await run(file, 'name=back.csv')).toMatchObject({
      refused: 0,
      created: 0,
      updated: 0,
      unchanged: texts.length + 1,
    })
    expect(await find()).toMatchObject(before.map(({ name, vals }) => ({ name, vals })))
  })

  test('are kept as they are if the call or the profile asks for it, also in an import', async () => {
    const before = await find()
    const file = await exported({ ...request, formulas: 'keep' })
    expect(file.split(/\r\n|,/)).toEqual(expect.arrayContaining(['=1+1', '-2+3', "'=1", '=F0']))
    await api.post(`${at}/profiles/machine`, { formulas: 'keep' }, { method: 'PUT' })
    expect(await exported({ ...request, profile: 'machine' })).toBe(file)
    expect(await run(file, 'name=back.csv&profile=machine')).toMatchObject({ refused: 0, created: 0 })
    expect(await find()).toMatchObject(before.map(({ name, vals }) => ({ name, vals })))
    const reply = await api.post(`${at}/exports`, { ...request, formulas: 'run' })
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('formulas')])
  })

  test('are texts in the result file of an import too, and numbers stay numbers', async () => {
    const table = "tid,name,node,weight\nN1,'=Named,/Standard/Jackets,-5\n"
    const { id } = await run(table, 'name=n.csv')
    const [, row] = (await api.get(`${at}/${id}/result`)).text.split('\r\n')
    expect(row).toMatch(/^N1,'=Named,\/Standard\/Jackets,-5,refused,/)
  })
})
