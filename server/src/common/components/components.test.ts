import { common } from '@kontor/contract'
import { expect, test } from 'vitest'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const path = `${common.base}/components/retrieve`

test('every component of the platform is active or inactive', async () => {
  const reply = await api.post(path)
  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toBe('application/json;charset=UTF-8')
  expect(Object.keys(reply.json).toSorted()).toEqual([
    'cm',
    'dam',
    'glossary',
    'keywords',
    'peo',
    'pim',
    'search',
    'workflow',
  ])
  for (const state of Object.values(reply.json)) expect(['active', 'inactive']).toContain(state)
  expect(reply.json).toMatchObject({ glossary: 'active', keywords: 'active' })
})

test('a body is not needed and not looked at', async () => {
  expect((await api.post(path, '{"what": ever')).status).toBe(200)
})

test('requires a signed-in user', async () => {
  expect((await api.post(path, undefined, { token: null })).status).toBe(401)
})
