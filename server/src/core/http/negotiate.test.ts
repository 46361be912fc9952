import { decode, encode, ErrorResponse, type Format, formats, KeywordRequest, Pim } from '@kontor/contract'
import { describe, expect, test } from 'vitest'
import { type CallOptions, withServer } from '../../../test/server.ts'
import { parseMediaType } from './negotiate.ts'

const api = withServer()
const base = '/api/core/v1/common/keywords'
const all = Object.values(formats)
const pairs = all.flatMap((sent) => all.map((wanted) => [sent, wanted] as const))
const { xml, json, compact } = formats

const keyword = (name: string) => ({ schemaVersion: '5.6.0', kwds: { kwd: [{ name: { itm: [{ value: name }] } }] } })
const read = (format: Format, text: string, root = Pim as typeof ErrorResponse) =>
  // untyped: the caller knows which of the two envelopes it reads
  decode(format, root, Buffer.from(text)) as never

describe('a message in', () => {
  test.each(pairs)('$mediaType is answered in $1.mediaType if Accept asks for it', async (sent, wanted) => {
    const name = `${sent.name} to ${wanted.name}`
    const options = { type: sent.mediaType, accept: wanted.mediaType }
    const stored = await api.post(`${base}/persist`, encode(sent, Pim, keyword(name)), options)
    expect(stored.headers['content-type']).toBe(`${wanted.mediaType};charset=UTF-8`)
    expect(read(wanted, stored.text)).toMatchObject({
      schemaVersion: '5.6.0',
      responses: { response: [{ status: 'SUCCESS', action: 'create', path: `/${name}` }] },
    })

    const asked = encode(sent, KeywordRequest, { path: '/', level: 1 })
    const found = await api.post(`${base}/retrieve`, asked, options)
    expect(found.headers['content-type']).toBe(`${wanted.mediaType};charset=UTF-8`)
    const { kwds } = read(wanted, found.text) as { kwds: { kwd: { path: string }[] } }
    expect(kwds.kwd.map(({ path }) => path)).toContain(`/${name}`)
  })

  test.each([
    ['with a charset', 'application/json;charset=UTF-8', json],
    ['with a quoted charset', 'application/json; charset="utf-8"', json],
    ['in capitals', 'Application/JSON', json],
    ['compact, which is not JSON', 'application/json+compact;charset=utf-8', compact],
    ['XML with a charset', 'application/xml; charset=UTF-8', xml],
  ])('a media type %s is read', async (_, type, format) => {
    const reply = await api.post(`${base}/persist`, encode(format, Pim, keyword(type)), { type })
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe(format.contentType)
  })

  test('UTF-16 is read as XML, by its charset or its mark', async () => {
    const text = encode(xml, Pim, keyword('Größe')).replace(/^<\?xml[^>]*\?>/, '')
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
    for (const type of ['application/xml;charset=UTF-16', 'application/xml']) {
      const reply = await api.post(`${base}/persist`, bytes, { type, accept: json.mediaType })
      expect(reply.status, reply.text).toBe(200)
      expect(reply.json.responses.response[0].path ?? reply.json.responses.response[0].description).toContain('Größe')
    }
  })
})

describe('a body is refused with 400', () => {
  const body = JSON.stringify(keyword('Never'))
  // prettier-ignore
  const refused: [string, Record<string, string>, string][] = [
    ['without Content-Type', { 'content-type': '' }, 'Content-Type'],
    ['of another type', { 'content-type': 'text/plain' }, 'Content-Type text/plain is not supported; send one of application/xml, application/json, application/json+compact'],
    ['of a type that only begins alike', { 'content-type': 'application/json+compactish' }, 'is not supported'],
    ['of a type that is a prefix', { 'content-type': 'application/js' }, 'is not supported'],
    ['of a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'is not supported'],
    ['of a malformed type', { 'content-type': 'json' }, ''],
    ['with something behind the type', { 'content-type': 'application/json garbage' }, ''],
    ['with a malformed parameter', { 'content-type': 'application/json;charset' }, ''],
    ['in another character set', { 'content-type': 'application/json;charset=ISO-8859-1' }, 'ISO-8859-1'],
    ['that is compressed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'Content-Encoding gzip is not supported; send the body as it is'],
  ]
  test.each(refused)('%s', async (_, headers, message) => {
    const reply = await api.post(`${base}/persist`, body, { headers })
    expect(reply.status, reply.text).toBe(400)
    expect(reply.json).toMatchObject({ status: 'ERROR', issues: [{ itm: [{ key: 'code', value: '1001' }, {}] }] })
    expect(reply.json.issues[0].itms[0].itm[0].value).toContain(message)
  })

  test('without any Content-Type header', async () => {
    const reply = await api.app.http.inject({
      method: 'POST',
      url: `${base}/persist`,
      headers: { authorization: `Bearer ${api.token}`, 'content-length': '2' },
      payload: Buffer.from('{}'),
    })
    expect(reply.statusCode).toBe(400)
    expect(reply.body).toContain('Content-Type is missing')
  })
})

describe('Accept', () => {
  const ask = (accept: string | undefined, options: CallOptions = {}) =>
    api.post(`${base}/retrieve`, encode(xml, KeywordRequest, {}), {
      type: xml.mediaType,
      ...(accept !== undefined && { accept }),
      ...options,
    })

  test.each([
    [undefined, xml],
    ['', xml],
    ['*/*', xml],
    ['application/*', xml],
    ['text/html, */*;q=0.1', xml],
    ['application/json', json],
    ['application/json+compact', compact],
    ['application/json;q=0.5, application/json+compact', compact],
    ['application/json;q=0.5, application/json+compact;q=0.4', json],
    ['application/xml;q=0, */*', json],
    ['application/*;q=0.2, application/json;q=0.9', json],
    ['application/json;charset=utf-8', json],
    ['APPLICATION/JSON', json],
  ])('%s is answered in the best format', async (accept, format) => {
    const reply = await ask(accept)
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe(format.contentType)
  })

  test.each([
    ['text/xml', undefined, 'text/xml;charset=UTF-8'],
    ['text/xml', '*/*', 'text/xml;charset=UTF-8'],
    ['application/xml', 'text/xml', 'text/xml;charset=UTF-8'],
    ['application/json', 'text/xml;q=0.9, application/json;q=0.8', 'text/xml;charset=UTF-8'],
    ['text/xml;charset=UTF-8', 'application/xml', xml.contentType],
    ['text/xml', 'text/xml, application/xml', xml.contentType],
    ['text/xml', 'application/json', json.contentType],
  ])('a body in %s with Accept %s is answered in %s', async (type, accept, answered) => {
    const body = type === 'application/json' ? '{}' : encode(xml, KeywordRequest, {})
    const reply = await api.post(`${base}/retrieve`, body, { type, ...(accept !== undefined && { accept }) })
    expect([reply.status, reply.headers['content-type']]).toEqual([200, answered])
  })

  test('a failure has the name of XML that was asked for', async () => {
    const reply = await api.post(`${base}/retrieve`, '<x', { type: 'text/xml' })
    expect([reply.status, reply.headers['content-type']]).toEqual([400, 'text/xml;charset=UTF-8'])
  })

  test.each(['text/html', 'application/json;q=0', 'application/pdf, text/*', 'json', 'application/json;q=many'])(
    '%s is refused with 400, in the format of the request',
    async (accept) => {
      const reply = await ask(accept)
      expect(reply.status).toBe(400)
      expect(reply.headers['content-type']).toBe(xml.contentType)
      expect(reply.text).toContain(
        `Accept ${accept} is not supported; ask for one of application/xml, application/json, application/json+compact`,
      )
    },
  )

  test('without a request body the reply is JSON', async () => {
    const reply = await api.post(`${base}/retrieve`)
    expect(reply.headers['content-type']).toBe(json.contentType)
  })

  test('that is refused has no effect', async () => {
    const message = { messages: [{ subject: 'Hello', body: 'there', recipientUser: 'kim', severity: 'INFO' }] }
    const refused = await api.post('/api/core/v1/common/messages/persist', message, { accept: 'application/xml' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('ask for one of application/json')
    expect((await api.get('/api/core/v1/common/messages')).json.messages ?? []).toEqual([])
    const ignored = await api.post(`${base}/persist`, keyword('Unwanted'), { accept: 'text/html' })
    expect(ignored.status).toBe(400)
    expect((await api.post(`${base}/retrieve`, { path: '/Unwanted' })).status).toBe(404)
  })
})

test.each([
  ['application/json', 'application/json', {}],
  ['application/json;', 'application/json', {}],
  ['a/b; X=1;y="two words"', 'a/b', { x: '1', y: 'two words' }],
])('%s is a media type', (header, type, parameters) => {
  expect(parseMediaType(header)).toEqual({ type, parameters: new Map(Object.entries(parameters)) })
})

test.each(['', 'json', 'a/b/c', 'a /b', 'a/b x', 'a/b;x', 'a/b;x=', 'a/b;x="1', 'a/b\t', ' a/b'.repeat(2)])(
  '%j is not an accepted value',
  (header) => {
    expect(parseMediaType(header.replace('\t', '\u0001'))).toBeUndefined()
  },
)
