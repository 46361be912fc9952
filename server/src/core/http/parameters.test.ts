import { areas, methods, openapi } from '@kontor/contract'
import { describe, expect, test } from 'vitest'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const messages = '/api/core/v1/common/messages'

describe('the parameters of a URL', () => {
  test.each([
    ['an unknown query parameter', '?limit=1', 'query parameter limit: unknown; allowed here: unread, '],
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

const { paths } = openapi(areas, { version: '1' })
const operations = Object.entries(paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const { parameters = [] } = item[method] ?? {}
    const query = parameters.flatMap((parameter) => ('in' in parameter && parameter.in === 'query' ? [parameter] : []))
    // The pages of a query are parameters that several operations share.
    const paged = parameters.some((parameter) => '$ref' in parameter && parameter.$ref.endsWith('/pageCount'))
    const names = [...query.map(({ name }) => name), ...(paged ? ['count', 'after'] : [])]
    return item[method] ? [[method.toUpperCase() as Uppercase<typeof method>, path, names] as const] : []
  }),
)

type Operation = (typeof operations)[number]
const call = ([method, path]: Operation, query: string) => {
  const url = `${path.replaceAll(/\{\w+\}/g, '4711')}?${query}`
  return api.post(url, method === 'GET' ? undefined : {}, { method, token: api.adminToken })
}

test.each(operations)('an unknown query parameter is refused: %s %s', async (...operation) => {
  const { status, text } = await call(operation, 'cache=1')
  expect([status, text]).toEqual([400, expect.stringContaining('query parameter cache: unknown')])
})

const withParameters = operations.filter(([, , names]) => names.length > 0)
test.each(withParameters)('a repeated query parameter is refused: %s %s', async (...operation) => {
  for (const name of operation[2]) {
    const { status, text } = await call(operation, `${name}=1&${name}=1`)
    expect([status, text]).toEqual([400, expect.stringContaining(`query parameter ${name}: is given twice`)])
  }
})

test('the identity provider ignores unknown parameters, as OpenID Connect demands', async () => {
  const realm = '/auth/realms/kontor'
  expect((await api.get(`${realm}/.well-known/openid-configuration?cache=1`, { token: null })).status).toBe(200)
  expect((await api.get(`/livez?cache=1`, { token: null })).status).toBe(200)
})
