import { expect, test } from 'vitest'
import { sql } from '../../adapters/postgres/sql.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const at = '/api/core/v1/common/units'
const put = (code: string, body: object, token = api.adminToken) =>
  api.post(`${at}/${encodeURIComponent(code)}`, body, { method: 'PUT', token })
const remove = (code: string) =>
  api.post(`${at}/${encodeURIComponent(code)}`, undefined, { method: 'DELETE', token: api.adminToken })
const listed = async (token = api.token) =>
  (await api.get(at, { token })).json.units as { code: string; uses?: number }[]
const named = (value: string) => ({ itm: [{ value, loc: 'en_GB' }] })

test('common units and currencies exist from the start, without counts for users', async () => {
  const units = await listed()
  expect(units).toContainEqual(expect.objectContaining({ code: 'kg', kind: 'measure' }))
  expect(units).toContainEqual(expect.objectContaining({ code: 'EUR', kind: 'currency' }))
  expect(units.every((unit) => !('uses' in unit))).toBe(true)
})

test('a unit with a slash is created, renamed and deleted', async () => {
  expect((await put('l/h', { kind: 'measure', name: named('Flow') })).status).toBe(200)
  expect((await put('l/h', { kind: 'measure', name: named('Litres per hour') })).status).toBe(200)
  expect(await listed()).toContainEqual({ code: 'l/h', kind: 'measure', name: named('Litres per hour') })
  expect((await remove('l/h')).status).toBe(200)
  expect((await remove('l/h')).status).toBe(404)
})

test('a unit in use is counted and not deleted', async () => {
  const meta = { itm: [{ key: 'unit', value: 'mm' }] }
  const attrDef = [{ tid: 'width', type: 'number', name: named('Width'), meta }]
  const path = '/api/core/v1/pim/attribute-definitions/persist'
  const stored = await api.post(path, { schemaVersion: '5.6.0', attrDefs: { attrDef } }, { token: api.adminToken })
  expect(stored.json.responses.response[0].status, stored.text).toBe('SUCCESS')
  expect(await listed(api.adminToken)).toContainEqual(expect.objectContaining({ code: 'mm', uses: 1 }))
  const refused = await remove('mm')
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('1 attributes are in mm')
})

test('a unit of a family is converted; the size of a built-in unit is part of Kontor', async () => {
  const units = await listed()
  expect(units).toContainEqual(expect.objectContaining({ code: 'g', family: 'mass', factor: 0.001, builtIn: true }))
  expect(units).toContainEqual(expect.objectContaining({ code: '°F', family: 'temperature', offset: -160 / 9 }))
  expect((await put('g', { kind: 'measure', name: named('Gramme') })).json).toMatchObject({ factor: 0.001 })
  const refused = await put('g', { kind: 'measure', family: 'mass', factor: 2 })
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('g is a built-in unit of mass')])
})

test('a family of its own has units, and its sizes cannot change while attributes measure in it', async () => {
  const roll = { kind: 'measure', family: 'wallpaper' }
  expect((await put('roll', roll)).json).toMatchObject({ family: 'wallpaper', factor: 1 })
  expect((await put('box', { ...roll, factor: 12, synonyms: ['boxes', ' boxes '] })).json).toMatchObject({
    factor: 12,
    synonyms: ['boxes'],
  })
  const attrDef = [{ tid: 'amount', type: 'measure', name: named('Amount'), format: { family: 'wallpaper' } }]
  const path = '/api/core/v1/pim/attribute-definitions'
  const stored = await api.post(`${path}/persist`, { schemaVersion: '5.6.0', attrDefs: { attrDef } }, { token: api.adminToken }) // prettier-ignore
  expect(stored.text).toContain('SUCCESS')
  const changed = await put('box', { ...roll, factor: 10 })
  expect([changed.status, changed.text]).toEqual([409, expect.stringContaining('attributes measure in wallpaper')])
  expect((await remove('box')).status).toBe(409)
  expect((await put('pallet', { ...roll, factor: 720 })).status).toBe(200)
  const { attrDefs } = (await api.post(`${path}/retrieve`, { tids: ['amount'] })).json
  expect(attrDefs.attrDef[0].format).toEqual({
    unit: [
      { code: 'roll', factor: '1' },
      { synonym: ['boxes'], code: 'box', factor: '12' },
      { code: 'pallet', factor: '720' },
    ],
    family: 'wallpaper',
  })
})

test.each([
  ['pim', '/api/core/v1/pim/attribute-definitions/persist'],
  ['dam', '/api/core/v1/dam/admin/attribute-definitions/persist'],
])('a size that changes while an attribute of %s is created waits for it and is refused', async (area, path) => {
  const family = `${area} rolls`
  await put(`${area}1`, { kind: 'measure', family })
  await put(`${area}9`, { kind: 'measure', family, factor: 9 })
  const attrDef = [{ tid: `${area}Length`, type: 'measure', name: named('Length'), format: { family } }]
  const waiting = async () =>
    (await api.db.row<{ n: number }>(sql`select count(*)::int as n from pg_locks l join pg_class c on c.oid = l.relation
      where not granted and relname in ('outbox', 'unit')`))!.n // prettier-ignore
  let isDone = false
  const blocked = api.db.transaction(async (db) => {
    await db.lock(sql`lock table outbox in share mode`)
    const defined = api.post(path, { schemaVersion: '5.6.0', attrDefs: { attrDef } }, { token: api.adminToken })
    await expect.poll(waiting, { timeout: 30_000 }).toBe(1)
    const changed = put(`${area}9`, { kind: 'measure', family, factor: 10 }).finally(() => (isDone = true))
    await expect.poll(async () => isDone || (await waiting()) > 1, { timeout: 30_000 }).toBe(true)
    return [defined, changed] as const
  })
  const [defined, changed] = await Promise.all(await blocked)
  expect(defined.text).toContain('SUCCESS')
  expect([changed.status, changed.text]).toEqual([409, expect.stringContaining(`attributes measure in ${family}`)])
})

test.each([
  ['EURO', { kind: 'currency', family: 'money' }],
  ['stone', { kind: 'measure', family: ' mass' }],
  ['stone', { kind: 'measure', family: 'mass', factor: 0 }],
  [' kg', { kind: 'measure' }],
  ['a very long code of a unit', { kind: 'measure' }],
  ['oz t', { kind: 'weight' }],
  ['oz t', {}],
])('the unit %j with %j is refused', async (code, body) => {
  expect((await put(code, body)).status).toBe(400)
})

test('users do not change units', async () => {
  expect((await put('st', { kind: 'measure' }, api.token)).status).toBe(403)
})

test('a family has a base unit as long as it has units', async () => {
  const gross = { kind: 'measure', family: 'pieces', factor: 144 }
  const refused = await put('gross', gross)
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('the family pieces needs a base unit')])
  expect((await put('gross', { ...gross, factor: 1, offset: 5 })).status).toBe(400)
  expect((await put('each', { kind: 'measure', family: 'pieces' })).status).toBe(200)
  expect((await put('gross', gross)).status).toBe(200)
  expect((await put('each', { kind: 'measure', family: 'pieces', factor: 2 })).status).toBe(400)
  expect((await put('each', { kind: 'measure' })).status).toBe(400)
  expect((await remove('each')).status).toBe(400)
  expect([(await remove('gross')).status, (await remove('each')).status]).toEqual([200, 200])
})

test('a currency keeps its kind while prices are in it, and may have any code that a price can contain', async () => {
  expect((await put('btc', { kind: 'currency' })).status).toBe(200)
  const attrDef = [{ tid: 'cost', type: 'price', name: named('Cost'), format: { unit: [{ code: 'BTC' }] } }]
  const path = '/api/core/v1/pim/attribute-definitions/persist'
  const stored = await api.post(path, { schemaVersion: '5.6.0', attrDefs: { attrDef } }, { token: api.adminToken })
  expect(stored.json.responses.response[0].status, stored.text).toBe('SUCCESS')
  const refused = await put('btc', { kind: 'measure' })
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('1 attributes are in btc')])
  expect((await put('a;b', { kind: 'currency' })).status).toBe(400)
})
