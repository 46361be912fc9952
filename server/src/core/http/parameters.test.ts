import { areas, type Route } from '@kontor/contract'
import { describe, expect, test } from 'vitest'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const messages = '/api/core/v1/common/messages'

describe('the parameters of a URL', () => {
  test.each([
    ['an unknown query parameter', '?limit=1', 'query parameter limit: unknown; allowed here: unread, before, count'],
    ['a query parameter in another case', '?Count=1', 'query parameter Count: unknown'],
    ['a query parameter that is given twice', '?count=1&count=2', 'query parameter count: is given twice'],
    ['the same parameter in two encodings', '?count=1&c%6funt=1', 'query parameter count: is given twice'],
    ['a NUL', '?count=1%00', 'query parameter count: the character U+0000 cannot be part of a message'],
    ['a name with a NUL', '?%00=1', 'unknown'],
    ['half a character', '?count=%ED%A0%80', 'query parameter count: is not percent-encoded UTF-8'],
    ['a broken escape', '?count=%zz', 'query parameter count: is not percent-encoded UTF-8'],
    ['a name without a value', '?verbose', 'query parameter verbose: unknown'],
    ['a text where a number is expected', '?count=many', 'query parameter count: expected a whole number from 0 to'],
    ['a fraction', '?count=1.5', 'query parameter count: expected a whole number'],
    [
      'an empty number',
      '?before=',
      'query parameter before: expected a whole number from 0 to 999999999999999, found nothing',
    ],
    ['a number beyond every id', '?before=9223372036854775807', 'query parameter before: expected a whole number'],
    [
      'a word where true or false is expected',
      '?unread=yes',
      'query parameter unread: expected true or false, found yes',
    ],
  ])('are refused with their place: %s', async (_, query, message) => {
    const { status, text } = await api.get(`${messages}${query}`)
    expect([status, text]).toEqual([400, expect.stringContaining(message)])
  })

  test.each([
    ['nothing', ''],
    ['an empty query', '?'],
    ['an empty pair', '?&count=1&'],
    ['a space', '?unread=true'],
  ])('are accepted: %s', async (_, query) => {
    expect((await api.get(`${messages}${query}`)).status).toBe(200)
  })

  test('are refused in a path, if no text can contain them', async () => {
    const { status, text } = await api.get('/api/v1/workflow/tasks/a%00b')
    expect([status, text]).toEqual([400, expect.stringContaining('path parameter id: the character U+0000')])
  })

  test.each([
    ['an unknown word', '/api/core/v1/common/runs?state=done', 'query parameter state: expected open, found done'],
    [
      'a number out of range',
      '/api/core/v1/common/runs?count=201',
      'query parameter count: expected a whole number from 1 to 200',
    ],
    ['one that is missing', '/api/v1/search/fields', 'query parameter index: is missing'],
  ])('are refused as the contract says: %s', async (_, url, message) => {
    const { status, text } = await api.get(url)
    expect([status, text]).toEqual([400, expect.stringContaining(message)])
  })

  test('are refused if the URL is longer than 8 KiB', async () => {
    const { status, text } = await api.get(`${messages}?before=${'1'.repeat(8192)}`)
    expect([status, text]).toEqual([400, expect.stringContaining('at most 8192 are allowed')])
    expect((await api.get(`${messages}?before=${'1'.repeat(8000)}`)).text).not.toContain('8192')
  })

  test('tell nothing to a caller without a token', async () => {
    expect((await api.get(`${messages}?limit=1`, { token: null })).status).toBe(401)
  })
})

const paths = areas.flatMap(({ base, resources, routes }) => [
  ...Object.entries(resources).flatMap(([name, resource]) =>
    (['query', 'retrieve', 'persist', 'perform'] as const)
      .filter((verb) => resource[verb])
      .map((verb) => ['POST', `${base}/${name}/${verb}`] as const),
  ),
  ...(Object.values(routes) as Route[]).map(({ method, path }) => [method, base + path] as const),
])

test.each(paths)('an unknown query parameter is refused: %s %s', async (method, path) => {
  const url = `${path.replaceAll(/\{\w+\}/g, '4711').replace('*', 'x')}?cache=1`
  const { status, text } = await api.post(url, method === 'GET' ? undefined : {}, { method, token: api.adminToken })
  expect([status, text]).toEqual([400, expect.stringContaining('query parameter cache: unknown')])
})

test('the identity provider ignores unknown parameters, as OpenID Connect demands', async () => {
  const realm = '/auth/realms/kontor'
  expect((await api.get(`${realm}/.well-known/openid-configuration?cache=1`, { token: null })).status).toBe(200)
  expect((await api.get(`/livez?cache=1`, { token: null })).status).toBe(200)
})
