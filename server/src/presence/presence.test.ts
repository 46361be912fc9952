import { beforeAll, expect, test } from 'vitest'
import { sql } from '../adapters/postgres/sql.ts'
import { createModel, jacket, productCalls } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'

const api = withServer()
const tokens = { kim: '', lou: '' }

beforeAll(async () => {
  await createModel(api)
  await productCalls(api).persist(jacket('OPEN'), jacket('OTHER'))
  tokens.kim = api.token
  tokens.lou = await api.tokenFor({ name: 'lou' })
})

const announce = async (who: keyof typeof tokens, more: object = {}) => {
  const body = { dataType: 'product', tid: 'OPEN', ...more }
  const { status, json, text } = await api.post('/api/v1/presence', body, { token: tokens[who] })
  expect(status, text).toBe(200)
  return json.users ?? []
}

test('people who have the same object open see each other until they leave', async () => {
  expect(await announce('kim')).toEqual([])
  expect(await announce('lou', { editing: true })).toEqual([{ user: 'kim', editing: false }])
  expect(await announce('kim')).toEqual([{ user: 'lou', editing: true }])
  expect(await announce('kim', { tid: 'OTHER' })).toEqual([])
  await announce('lou', { leave: true })
  expect(await announce('kim')).toEqual([])
})

test('somebody who was not seen for a while no longer counts, and the row is removed', async () => {
  await announce('lou')
  await api.db.run(sql`update presence set seen_at = now() - interval '1 minute' where user_name = 'lou'`)
  expect(await announce('kim')).toEqual([])
  expect(await api.db.rows(sql`select from presence where user_name = 'lou'`)).toEqual([])
})

test('an object that does not exist or may not be read is answered in the same way, and nothing is noted', async () => {
  const grants = [{ kind: '*', actions: ['read'], scopes: { node: ['/Standard/Boots'] } }]
  await api.post('/api/v1/identity/roles/boots', { grants }, { method: 'PUT', token: api.adminToken })
  const token = await api.tokenFor({ name: 'bo', roles: ['boots'] })
  const ask = (tid: string) => api.post('/api/v1/presence', { dataType: 'product', tid }, { token })
  const [hidden, unknown] = [await ask('OPEN'), await ask('GHOST')]
  expect([hidden.status, unknown.status]).toEqual([404, 404])
  expect(await api.db.rows(sql`select from presence where user_name = 'bo'`)).toEqual([])
})
