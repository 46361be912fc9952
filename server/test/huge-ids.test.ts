/** Numbers and texts that PostgreSQL cannot store are refused or not found; they are never internal errors. */
import { expect, test } from 'vitest'
import { withServer } from './server.ts'

const api = withServer()
const huge = '9223372036854775807'
const workflow = '/api/v1/workflow'
const ids = `{"ids":[${huge}]}`

test.each<['GET' | 'POST' | 'PATCH', string, string | undefined]>([
  ['POST', `${workflow}/tasks/claim`, ids],
  ['POST', `${workflow}/tasks/unclaim`, ids],
  ['POST', `${workflow}/tasks/change`, ids],
  ['POST', `${workflow}/processes/cancel`, ids],
  ['POST', `${workflow}/processes/delete`, ids],
  ['POST', `${workflow}/jobs/retry`, ids],
  ['PATCH', '/api/v1/search/storedsearch/1', `{"searchObject":{"configId":${huge}}}`],
  ['GET', '/api/core/v1/dam/assets/bin?assetTid=%00P', undefined],
  ['GET', '/api/core/v1/dam/assets/bin?versionTid=%00P', undefined],
  ['GET', '/api/v1/identity/users?search=%00', undefined],
  ['GET', '/api/v1/transfers?after=%00', undefined],
])('%s %s is no internal error', async (method, path, body) => {
  const { status, text } = await api.post(path, body, { method, token: api.adminToken })
  expect(status, text).toBeLessThan(500)
})
