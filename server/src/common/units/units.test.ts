import { expect, test } from 'vitest'
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
  expect((await put('km/h', { kind: 'measure', name: named('Speed') })).status).toBe(200)
  expect((await put('km/h', { kind: 'measure', name: named('Kilometres per hour') })).status).toBe(200)
  expect(await listed()).toContainEqual({ code: 'km/h', kind: 'measure', name: named('Kilometres per hour') })
  expect((await remove('km/h')).status).toBe(200)
  expect((await remove('km/h')).status).toBe(404)
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

test.each([
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
