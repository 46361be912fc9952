import { because, encode, ErrorResponse, formats, reasonItems } from '@kontor/contract'
import { expect, test } from 'vitest'
import { coreError } from '../test/local-server.ts'
import { KontorError, refusalsOf, toError } from './errors.ts'

const reply = (status: number, body: string | Uint8Array<ArrayBuffer>, type = 'application/json; charset=utf-8') =>
  new Response(body, { status, headers: { 'content-type': type } }) as Parameters<typeof toError>[0]

test.each(Object.keys(formats) as (keyof typeof formats)[])(
  'an error of the Core API in %s has its code, its support id and a message per problem',
  async (name) => {
    const bytes = encode(formats[name], ErrorResponse, coreError('1001', 'tid: too long', 'name: missing'))
    const error = await toError(reply(400, new Uint8Array(Buffer.from(bytes)), formats[name].contentType))
    expect(error).toBeInstanceOf(KontorError)
    expect({ ...error, message: error.message }).toEqual({
      name: 'KontorError',
      status: 400,
      code: '1001',
      supportId: 'a-support-id',
      refusals: ['tid: too long', 'name: missing'].map((message) => ({ message, code: '1001', parameters: {} })),
      message: 'tid: too long; name: missing',
    })
    expect(error.messages).toEqual(['tid: too long', 'name: missing'])
  },
)

test('an error of the Search API has its code, its support id and its message', async () => {
  const body = { apiVersion: '1.0.0', status: 400, code: '1001', message: 'query: unknown field', supportId: 'an-id' }
  expect(await toError(reply(400, JSON.stringify(body)))).toMatchObject({
    status: 400,
    code: '1001',
    supportId: 'an-id',
    messages: ['query: unknown field'],
  })
})

test('a failed start of several workflows reports each reason once', async () => {
  const issue = (content: string) => ({ issues: [{ code: '1002', content }] })
  const body = [issue('no product a'), issue('no product b'), issue('no product a')]
  expect(await toError(reply(500, JSON.stringify(body)))).toMatchObject({
    status: 500,
    code: '1002',
    messages: ['no product a', 'no product b'],
  })
})

test.each([
  ['the page of a proxy', '<html><h1>Bad gateway</h1></html>', 'text/html'],
  ['an empty body', '', 'text/plain'],
])('%s yields an error with the status alone', async (_, body, type) => {
  const error = await toError(reply(502, body, type))
  expect(error).toMatchObject({ status: 502, code: undefined, messages: [], message: 'the server answered 502' })
})

test('a reason is read with its parameters, from a failed call and from a record', async () => {
  const { sentence, ...reason } = because('noUser', { name: 'nobody' })
  const items = [{ value: sentence, key: 'errorMessage' }, ...reasonItems({ sentence, ...reason })]
  const body = {
    issues: [{ itm: [{ value: '1002', key: 'code' }], itms: [{ itm: items, type: 'details' }] }],
    status: 'ERROR',
  }
  const refusal = { message: sentence, code: '1002', reason: 'noUser', parameters: { name: 'nobody' } }
  expect((await toError(reply(404, JSON.stringify(body)))).refusals).toEqual([refusal])
  const details = { itm: [{ value: '1002', key: 'code' }, ...items.slice(1)] }
  expect(refusalsOf({ status: 'ERROR', description: sentence, details })).toEqual([refusal])
})

test('a record has a refusal for each of its values, also if the name of an attribute has a dot', () => {
  const tooLong = because('tooLong', { value: '"x"', length: 9, max: 5 })
  const itm = [
    { value: '1001', key: 'code' },
    { value: tooLong.sentence, key: 'attribute.web.title' },
    ...reasonItems(tooLong, 'web.title'),
    { value: 'has no definition', key: 'attribute.web' },
  ]
  expect(refusalsOf({ status: 'ERROR', description: 'both', details: { itm } })).toEqual([
    {
      message: tooLong.sentence,
      code: '1001',
      reason: 'tooLong',
      parameters: tooLong.parameters,
      attribute: 'web.title',
    },
    { message: 'has no definition', code: '1001', parameters: expect.anything(), attribute: 'web' },
  ])
})
