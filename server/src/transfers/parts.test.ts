/** Rules of columns: templates, parts of cells, units, categories by name, and files by address. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Infer, TransferProfile } from '@kontor/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createModel, pim, productCalls, schemaVersion } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'
import { transferCalls } from '../../test/transfers.ts'

const api = withServer({ KONTOR_WEBHOOK_PRIVATE: 'true' })
const at = '/api/v1/transfers'
const { retrieve } = productCalls(api)
const { run, rowsOf, exported } = transferCalls(api)
type Profile = Infer<typeof TransferProfile>

const picture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
const host = createServer((request, reply) => {
  if (request.url === '/moved.svg') return reply.writeHead(302, { location: '/pictures/a.svg' }).end()
  if (request.url === '/pictures/a.svg') return reply.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture)
  return reply.writeHead(404).end()
})

beforeAll(async () => {
  await createModel(api)
  const node = [
    { parentPath: '/Standard', tid: 'MEN', name: { itm: [{ value: 'Men', loc: 'en_GB' }, { value: 'Herren', loc: 'de_DE' }] } }, // prettier-ignore
    { parentPath: '/Standard', tid: 'WOMEN', name: { itm: [{ value: 'Women', loc: 'en_GB' }] } },
    { parentPath: '/Standard/MEN', tid: 'M1', name: { itm: [{ value: 'Shoes', loc: 'en_GB' }, { value: 'Schuhe', loc: 'de_DE' }] } }, // prettier-ignore
    { parentPath: '/Standard/WOMEN', tid: 'W1', name: { itm: [{ value: 'Shoes', loc: 'en_GB' }] } },
  ]
  const reply = await api.post(`${pim}/nodes/persist`, { schemaVersion, nodes: { node } }, { token: api.adminToken })
  expect(reply.text).not.toContain('ERROR')
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  await api.startWorker()
})
afterAll(() => void host.close())

const putProfile = (profile: Profile) => api.post(`${at}/profiles/rules`, profile, { method: 'PUT' })
async function importWith(profile: Profile, table: string) {
  const { status, text } = await putProfile(profile)
  expect(status, text).toBe(200)
  return run(table, 'name=x.csv&profile=rules')
}
const valuesOf = async (tid: string) => {
  const [product] = await retrieve(tid)
  const all = (product.vals?.val ?? []) as { attr: string; itm?: { value: string }[] }[]
  return { name: product.name, node: product.node, ...Object.fromEntries(all.map(({ attr, itm = [] }) => [attr, itm.map(({ value }) => value).join('|')])) } // prettier-ignore
}

const rules: Profile = {
  decimal: ',',
  trim: true,
  columns: [
    { column: 'No', field: 'tid' },
    { column: 'Title', field: 'name', template: '{Brand} {Model}' },
    { column: 'Brand', field: 'ignore' },
    { column: 'Model', field: 'ignore' },
    { column: 'Group', field: 'node' },
    { column: 'Box', field: 'ignore' },
    { column: 'Height', attr: 'material', template: '{Box}', split: 'x', part: 1 },
    { column: 'Sizes', attr: 'sizes', split: ',' },
    { column: 'Mass', attr: 'weight', unit: 'kg', cellUnit: 'g' },
    { column: 'Tags', attr: 'code', split: '+', join: '' },
  ],
}
const table = (...rows: string[]) => ['No;Brand;Model;Group;Box;Sizes;Mass;Tags', ...rows].join('\n')

test('columns are made of others, split, joined, trimmed and converted, and an export can be imported again', async () => {
  const { id } = await importWith(rules, table(
    'R1; Sea ;7;Herren > Schuhe;20x30x5;S, M;1500;AB+1',
    'R2;Sea;;/Standard/Jackets;20;L;2,5 kg;',
    'R3;Sea;8;Jackets;;;12 l;',
    'R4;Sea;9;Shoes;;;;',
  )) // prettier-ignore
  const rows = await rowsOf(id)
  expect(rows.map(({ status, faults }: { status: string; faults?: object[] }) => [status, faults])).toEqual([
    ['created', undefined],
    ['created', undefined],
    ['refused', [{ column: 'Mass', reason: '"12 l" is not in kg; expected a number, or an amount in kg or a unit that can be converted' }]], // prettier-ignore
    ['refused', [{ column: 'Group', reason: 'node: Shoes fits several categories (/Standard/MEN/M1, /Standard/WOMEN/W1); write more of the path' }]], // prettier-ignore
  ])
  const first = { name: 'Sea 7', node: '/Standard/MEN/M1', material: '30', sizes: 'S|M', weight: '1.5', code: 'AB1' }
  expect(await valuesOf('R1')).toEqual(first)
  expect(await valuesOf('R2')).toEqual({ name: 'Sea', node: '/Standard/Jackets', sizes: 'L', weight: '2.5' })

  const back = (await exported({ format: 'csv', tids: ['R1'], profile: 'rules' })).toString()
  expect(back.trim().split('\r\n')).toEqual([
    '\ufeffNo,Title,Brand,Model,Group,Box,Height,Sizes,Mass'.trim(),
    'R1,Sea 7,,,/Standard/MEN/M1,,30,"S,M",1500',
  ])
  expect(await run(back, 'name=x.csv&profile=rules')).toMatchObject({ unchanged: 1, refused: 0 })
})

test.each([
  [{ column: 'A', attr: 'material', template: 'no braces' }, 'template'],
  [{ column: 'A', attr: 'material', part: 1 }, 'part and join need split'],
  [{ column: 'A', attr: 'material', split: ',', part: 1, join: '+' }, 'either part or join'],
  [{ column: 'A', attr: 'material', split: '' }, 'split'],
  [{ column: 'A', attr: 'weight', cellUnit: 'g' }, 'cellUnit needs unit'],
  [{ column: 'A', attr: 'weight', unit: 'kg', cellUnit: 'm' }, 'm cannot be converted to kg'],
])('a profile with %j is refused', async (column, expected) => {
  const { status, text } = await putProfile({ columns: [column] })
  expect([status, text]).toEqual([400, expect.stringContaining(expected)])
})

test('a template with a heading that the file does not have is a fault of its column', async () => {
  const profile: Profile = { columns: [{ column: 'T', field: 'name', template: '{Nope}' }] }
  const { problem } = await importWith(profile, 'tid\nX\n')
  expect(problem).toBe('column T: the file has no column Nope, which the template names')
})

describe('files by address', () => {
  const address = (path: string) => `http://127.0.0.1:${(host.address() as AddressInfo).port}${path}`
  const linked = (path: string) => `tid;name;node;asset\nF1;File;/Standard;${address(path)}\n`

  test('are downloaded and linked, and the same address is the same asset', async () => {
    const done = await run(linked('/moved.svg'))
    expect(done, JSON.stringify(await rowsOf(done.id))).toMatchObject({ created: 1, refused: 0 })
    const [product] = await retrieve('F1')
    expect(JSON.stringify(product.links)).toContain('assetTid')
    expect(await run(linked('/moved.svg'))).toMatchObject({ unchanged: 1 })
    const back = (await exported({ format: 'csv', tids: ['F1'], columns: ['tid', 'asset'] })).toString()
    expect(back).toContain('/MAM/Import/127.0.0.1/moved.svg')
  })

  test('that do not exist refuse their row', async () => {
    const { id } = await run(linked('/nothing.svg'))
    const [row] = await rowsOf(id)
    expect(row.faults).toEqual([{ column: 'asset', reason: `asset: ${address('/nothing.svg')} cannot be downloaded: the host answered 404` }]) // prettier-ignore
  })
})

test('a host that does not answer is not asked for each of its files', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `S${i}`)
  const rows = names.map((tid) => `${tid};${tid};/Standard;http://127.0.0.1:1/${tid}.svg\n`).join('')
  const { id, refused } = await run(`tid;name;node;asset\n${rows}`)
  const reasons = (await rowsOf(id)).map(({ faults }: { faults: { reason: string }[] }) => faults[0]!.reason)
  const asked = reasons.filter((reason: string) => reason.includes('the host does not answer (ECONNREFUSED)')).length
  const skipped = reasons.filter((reason: string) => reason.includes('127.0.0.1:1 has not answered 5 times')).length
  // Four are downloaded at once.
  expect([refused, asked + skipped, asked >= 5 && asked <= 8]).toEqual([20, 20, true])
})

describe('files by address in our own network', () => {
  const closed = withServer()
  test('are refused by a check and by an import, and are never called', async () => {
    await createModel(closed)
    const calls = transferCalls(closed)
    await closed.startWorker()
    const done = await calls.run('tid;name;node;asset\nF1;File;/Standard;http://127.0.0.1:1/a.svg\nF2;File;/Standard;https://localhost/a.svg\n') // prettier-ignore
    const reasons = (await calls.rowsOf(done.id)).map(
      ({ faults }: { faults: { reason: string }[] }) => faults[0]!.reason,
    )
    expect(reasons).toEqual([
      expect.stringContaining('127.0.0.1 is not a public address'),
      expect.stringMatching(/localhost leads to .*, which is not public/),
    ])
    const { id } = (await calls.send('tid;name;node;asset\nF1;File;/Standard;http://10.0.0.1/a.svg\n', 'name=x.csv'))
      .json
    expect(JSON.stringify(await calls.previewOf(id))).toContain('10.0.0.1 is not a public address')
  })
})

test('refused rows are corrected and imported again, with the same profile', async () => {
  const done = await importWith({ ...rules, headerRow: 2 }, `Title\n${table('C1;Sea;1;Jackets;;;1;', 'C2;Sea;2;Jackets;;;12 l;')}`) // prettier-ignore
  expect(done).toMatchObject({ created: 1, refused: 1 })
  const { json } = await api.get(`${at}/${done.id}/rows?status=refused&cells=true`)
  expect(json).toMatchObject({ headings: ['No', 'Brand', 'Model', 'Group', 'Box', 'Sizes', 'Mass', 'Tags'], rows: [{ row: 2, cells: ['C2', 'Sea', '2', 'Jackets', '', '', '12 l', ''] }] }) // prettier-ignore
  const cells = json.rows[0].cells.with(6, '12 kg')
  const made = await api.post(`${at}/${done.id}/corrections`, { rows: [{ row: 2, cells }] })
  expect(made.json, made.text).toMatchObject({ state: 'received', name: 'x-corrected.csv', format: 'csv' })
  expect((await api.post(`${at}/${made.json.id}/start`)).status).toBe(200)
  await expect.poll(async () => (await api.get(`${at}/${made.json.id}`)).json, { timeout: 20_000 }).toMatchObject({ state: 'finished', created: 1 }) // prettier-ignore
  expect(await valuesOf('C2')).toMatchObject({ weight: '12' })
  for (const body of [{}, { rows: [{ row: 2, cells: [...cells, 'more'] }] }])
    expect((await api.post(`${at}/${done.id}/corrections`, body)).status).toBe(400)
  const other = await api.tokenFor({ name: 'otto', roles: ['user'] })
  expect((await api.post(`${at}/${done.id}/corrections`, { rows: [{ row: 2, cells }] }, { token: other })).status).toBe(404) // prettier-ignore
})
