import { expect, test } from 'vitest'
import { formatLogLine } from './log-lines.ts'

const time = new Date(2026, 10, 17, 9, 5, 7).getTime()
const show = (fields: object, all = false) =>
  formatLogLine(JSON.stringify({ level: 30, time, ...fields }), { all, colors: false })
const request = (method: string, route: string, status: number | 'broken', ms: number) =>
  ({ msg: 'request', method, route, status, ms, user: 'greta' }) as const

test('of the requests, those that write, fail or are slow are shown', () => {
  expect(show(request('POST', '/api/core/v1/pim/products/persist', 200, 34))).toBe(
    '09:05:07  POST     /api/core/v1/pim/products/persist  200  34 ms  greta',
  )
  expect(show(request('GET', '/products', 404, 2))).toBe('09:05:07  GET      /products  404  2 ms  greta')
  expect(show(request('POST', '/api/core/v1/pim/products/query', 200, 1500))).toContain('1500 ms')
  expect(show(request('GET', '/api/v1/file', 'broken', 5))).toContain('broken')
})

test('reads and requests that wait by design are shown only with all details', () => {
  for (const quiet of [
    request('GET', '/products', 200, 12),
    request('POST', '/api/core/v1/pim/products/query', 200, 12),
    request('POST', '/auth/realms/kontor/protocol/openid-connect/token', 200, 12),
    request('GET', '/api/v1/events/stream', 200, 60_000),
    { msg: 'audit anchor' },
  ]) {
    expect(show(quiet)).toBeUndefined()
    expect(show(quiet, true)).toMatch(/^09:05:07 {2}\S/)
  }
})

test('a warning or an error is shown with its cause, and the first places of our own code', () => {
  const stack =
    'Error: no disk\n    at open (node:fs:1:1)\n    at store (/srv/blobs.ts:7:3)\n    at a (/x/node_modules/y.js:1)'
  expect(show({ level: 50, msg: 'job failed', supportId: 'S-1', err: { message: 'no disk', stack } })).toBe(
    '09:05:07  error    job failed: no disk  support id S-1\n          at store (/srv/blobs.ts:7:3)',
  )
  expect(show({ level: 40, msg: 'the disk is nearly full' })).toBe('09:05:07  warning  the disk is nearly full')
  expect(show({ level: 60, msg: 'no disk', err: { message: 'no disk' } })).toBe('09:05:07  fatal    no disk')
})

test('texts of callers cannot control the terminal', () => {
  expect(show(request('GET', '/\u001B[2Jx\u0007', 404, 1))).toContain('/x?  404')
})

test('a line that is not JSON is passed on', () => {
  expect(formatLogLine('plain words\n', { all: false, colors: false })).toBe('plain words')
})
