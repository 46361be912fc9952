import { expect, test } from 'vitest'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const base = '/api/core/v1/common'
const runs = async (query = '', token = api.token) => {
  const reply = await api.get(`${base}/runs${query}`, { token })
  return { status: reply.status, runs: reply.json?.runs ?? [] }
}

test('users see the progress of their own bulk messages, administrators that of all', async () => {
  const kwd = [{ name: { itm: [{ value: 'Sea' }] } }, { name: { itm: [{ value: 'Lake' }] } }]
  const id = (await api.post(`${base}/keywords/bulk`, { schemaVersion: '5.6.0', kwds: { kwd } })).text
  const waiting = { id, resource: `${base}/keywords`, state: 'waiting', processed: 0, total: 2, user: 'kim' }
  expect((await runs('?state=open')).runs).toMatchObject([waiting])
  expect((await runs('', api.adminToken)).runs).toEqual([])
  expect((await runs('?all=true', api.adminToken)).runs).toMatchObject([waiting])
  await api.startWorker()
  await expect
    .poll(async () => (await runs()).runs[0], { timeout: 30_000 })
    .toMatchObject({ state: 'finished', processed: 2 })
  expect((await runs('?state=open')).runs).toEqual([])
})

test.each([
  ['?all=true', 403],
  ['?state=closed', 400],
  ['?count=0', 400],
  ['?count=201', 400],
])('%s is answered %i', async (query, status) => {
  expect((await runs(query)).status).toBe(status)
})
