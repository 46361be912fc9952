import { type Area, areas, type Format, formats } from '@kontor/contract'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { type Connection, openConnection } from '../../../test/connection.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer({
  KONTOR_MAX_BODY: '1000000',
  KONTOR_MAX_ITEMS: '50',
  KONTOR_MAX_DEPTH: '16',
  KONTOR_LOG_LEVEL: 'info',
})
const base = '/api/core/v1/common/keywords'
const { xml, json, compact } = formats
const pim = (inside: string, attributes = 'schemaVersion="5.6.0"') =>
  `<pim xmlns="http://www.apollon.de/omn" ${attributes}>${inside}</pim>`

interface Fault {
  path: string
  message: string
}
async function faultsOf(path: string, format: Format, body: string | Buffer): Promise<Fault[]> {
  const before = await countRows()
  const reply = await api.post(path, body, { type: format.mediaType, accept: json.mediaType })
  expect(reply.status, reply.text).toBe(400)
  expect(await countRows()).toBe(before)
  return reply.json.issues.map((issue: { itms: { itm: { value: string }[] }[] }) => {
    const [, at = '', message = ''] = /^(\S*): (.*)$/s.exec(issue.itms[0]!.itm[0]!.value) ?? []
    return { path: at, message }
  })
}
const countRows = async () =>
  (await api.db.row<{ n: number }>(sql`select (select count(*) from keyword) + (select count(*) from history) as n`))!.n

const tooMany = Array.from({ length: 51 }, () => ({ path: '/x' }))

/** The same fault in each format, and the path in its message. */
// prettier-ignore
const faults: { what: string; path: string; messages: [Format, string][] }[] = [
  { what: 'an unknown attribute', path: '/pim/kwds/kwd[2]/@colour', messages: [
    [xml,     pim('<kwds><kwd/><kwd colour="red"/></kwds>')],
  ] },
  { what: 'an unknown field', path: '/pim/kwds/kwd[2]/colour', messages: [
    [xml,     pim('<kwds><kwd/><kwd><colour>red</colour></kwd></kwds>')],
    [json,    '{"schemaVersion":"5.6.0","kwds":{"kwd":[{},{"colour":"red"}]}}'],
    [compact, '{"schemaVersion":"5.6.0","kwds":[{},{"colour":"red"}]}'],
  ] },
  { what: 'an unknown container', path: '/pim/cars', messages: [
    [xml,     pim('<cars/>')],
    [json,    '{"schemaVersion":"5.6.0","cars":{}}'],
    [compact, '{"schemaVersion":"5.6.0","cars":{}}'],
  ] },
  { what: 'a text where a number belongs', path: '/pim/kwds/kwd[1]/@id', messages: [
    [xml,     pim('<kwds><kwd id="seven"/></kwds>')],
    [json,    '{"schemaVersion":"5.6.0","kwds":{"kwd":[{"id":"seven"}]}}'],
    [compact, '{"schemaVersion":"5.6.0","kwds":[{"id":"seven"}]}'],
  ] },
  { what: 'a number beyond int64', path: '/pim/kwds/kwd[1]/@id', messages: [
    [xml,     pim('<kwds><kwd id="9223372036854775808"/></kwds>')],
    [json,    '{"schemaVersion":"5.6.0","kwds":{"kwd":[{"id":9223372036854775808}]}}'],
    [compact, '{"schemaVersion":"5.6.0","kwds":[{"id":9223372036854775808}]}'],
  ] },
  { what: 'a missing schemaVersion', path: '/pim/@schemaVersion', messages: [
    [xml,     pim('<kwds><kwd path="/x"/></kwds>', '')],
    [json,    '{"kwds":{"kwd":[{"path":"/x"}]}}'],
    [compact, '{"kwds":[{"path":"/x"}]}'],
  ] },
  { what: 'a schemaVersion that is not one', path: '/pim/@schemaVersion', messages: [
    [xml,     pim('<kwds><kwd path="/x"/></kwds>', 'schemaVersion="new"')],
    [json,    '{"schemaVersion":"new","kwds":{"kwd":[{"path":"/x"}]}}'],
    [compact, '{"schemaVersion":"new","kwds":[{"path":"/x"}]}'],
  ] },
  { what: 'another container than that of the call', path: '/pim/glossaries', messages: [
    [xml,     pim('<glossaries><glossary><name>x</name></glossary></glossaries>')],
    [json,    '{"schemaVersion":"5.6.0","glossaries":{"glossary":[{"name":"x"}]}}'],
    [compact, '{"schemaVersion":"5.6.0","glossaries":[{"name":"x"}]}'],
  ] },
  { what: 'actions where objects belong', path: '/pim/actions', messages: [
    [xml,     pim('<actions><action type="delete" dataType="keyword" id="1"/></actions>')],
    [json,    '{"schemaVersion":"5.6.0","actions":{"action":[{"type":"delete","dataType":"keyword","id":1}]}}'],
    [compact, '{"schemaVersion":"5.6.0","actions":[{"type":"delete","dataType":"keyword","id":1}]}'],
  ] },
  { what: 'nothing to do', path: '/pim/kwds', messages: [
    [xml,     pim('')],
    [xml,     pim('<kwds/>')],
    [json,    '{"schemaVersion":"5.6.0"}'],
    [json,    '{"schemaVersion":"5.6.0","kwds":{"kwd":[]}}'],
    [compact, '{"schemaVersion":"5.6.0","kwds":[]}'],
    [json,    ''],
  ] },
  { what: 'more items than allowed', path: '/pim/kwds', messages: [
    [xml,     pim(`<kwds>${'<kwd path="/x"/>'.repeat(51)}</kwds>`)],
    [json,    JSON.stringify({ schemaVersion: '5.6.0', kwds: { kwd: tooMany } })],
    [compact, JSON.stringify({ schemaVersion: '5.6.0', kwds: tooMany })],
  ] },
]

describe('persist answers 400 and stores nothing for', () => {
  const cases = faults.flatMap(({ what, path, messages }) =>
    messages.map(([format, body]) => ({ what, path, format, body })),
  )
  test.each(cases)('$what in $format.name', async ({ path, format, body }) => {
    const found = await faultsOf(`${base}/persist`, format, body)
    expect(found.map((fault) => fault.path)).toContain(path)
  })

  // prettier-ignore
  test.each([
    ['a DTD', `<!DOCTYPE pim [<!ENTITY x "y">]>${pim('<kwds><kwd path="&x;"/></kwds>')}`, /DOCTYPE|DTD/i],
    ['an entity that is not one of the five', pim('<kwds><kwd path="&nbsp;"/></kwds>'), /nbsp/],
    ['another namespace', pim('<kwds/>').replace('apollon', 'example'), /namespace/],
    ['no namespace', '<pim schemaVersion="5.6.0"><kwds/></pim>', /namespace/],
    ['another root', pim('').replaceAll('pim', 'pam'), /pim/],
    ['two roots', pim('') + pim(''), /./],
    ['an element that is not closed', '<pim xmlns="http://www.apollon.de/omn" schemaVersion="5.6.0"><kwds>', /./],
    ['a repeated attribute', pim('<kwds><kwd path="/a" path="/b"/></kwds>'), /path/],
    ['bytes that are not UTF-8', Buffer.from([...Buffer.from('<pim xmlns="'), 0xff, 0xfe, 0x22]), /./],
    ['elements within elements without end', '<pim xmlns="http://www.apollon.de/omn"><meta>' + '<itms>'.repeat(1000), /deep|nest|levels/],
  ])('XML with %s', async (_, body, message) => {
    const found = await faultsOf(`${base}/persist`, xml, body)
    expect(found.map((fault) => `${fault.path}: ${fault.message}`).join('\n')).toMatch(message)
  })

  // prettier-ignore
  test.each([
    ['that ends too early', '{"schemaVersion":"5.6.0","kwds":{"kwd":[{"path":"/x"}'],
    ['with a comment', '{"schemaVersion":"5.6.0",/* */"kwds":{}}'],
    ['with a repeated name', '{"schemaVersion":"5.6.0","schemaVersion":"5.6.0"}'],
    ['that names the prototype', '{"schemaVersion":"5.6.0","__proto__":{"admin":true}}'],
    ['that is a list', '[]'],
    ['that is a text', '"pim"'],
    ['with something behind it', '{"schemaVersion":"5.6.0"} {}'],
    ['within lists without end', '{"schemaVersion":"5.6.0","kwds":{"kwd":' + '['.repeat(1000)],
    ['with a lone surrogate', '{"schemaVersion":"5.6.0","kwds":{"kwd":[{"path":"\\ud800"}]}}'],
    ['with a character that XML cannot carry', '{"schemaVersion":"5.6.0","kwds":{"kwd":[{"path":"\\u0000"}]}}'],
  ])('JSON %s', async (_, body) => {
    await faultsOf(`${base}/persist`, json, body)
    await faultsOf(`${base}/persist`, compact, body)
  })

  test('several faults at once, each with its path', async () => {
    const body = '{"schemaVersion":"5.6.0","kwds":{"kwd":[{"id":true},{"nope":1},{"parentId":"x"}]}}'
    expect((await faultsOf(`${base}/persist`, json, body)).map(({ path }) => path)).toEqual([
      '/pim/kwds/kwd[1]/@id',
      '/pim/kwds/kwd[2]/nope',
      '/pim/kwds/kwd[3]/@parentId',
    ])
  })
})

test('an unknown value of an enumeration is reported with the known ones', async () => {
  const [fault] = await faultsOf('/api/core/v1/common/locales/retrieve', json, '{"mode":"SOME"}')
  expect(fault!.path).toBe('/localeRequest/mode')
  expect(fault!.message).toContain('TID')
})

test('a number beyond int32 is refused where the interface has an integer', async () => {
  const [fault] = await faultsOf(`${base}/retrieve`, json, '{"level":2147483648}')
  expect(fault!.path).toBe('/keywordRequest/level')
})

test('a route that needs a body refuses a call without one', async () => {
  const reply = await api.post('/api/core/v1/common/messages/persist')
  expect(reply.status).toBe(400)
  expect(reply.text).toContain('/messagesPersistRequest: the body is missing')
})

describe('over a real connection', () => {
  let address: Promise<string> | undefined
  const open = async (verb: string, ...headers: string[]) => {
    const connection = await openConnection(await (address ??= api.listen()))
    connection.head(...headOf(verb, ...headers))
    return connection
  }
  const headOf = (verb: string, ...headers: string[]) => [
    `POST ${base}/${verb} HTTP/1.1`,
    `authorization: Bearer ${api.token}`,
    'content-type: application/json',
    ...headers,
  ]
  const waitFor = (connection: Connection, text: string) =>
    vi.waitUntil(() => connection.received().includes(text), { timeout: 3000 })

  test('a body that is announced as too large is refused before it is sent', async () => {
    const connection = await open('persist', 'content-length: 1000001')
    await waitFor(connection, 'HTTP/1.1 413')
    await waitFor(connection, 'the body is larger than 1000000 bytes; send it in parts or as bulk')
    connection.destroy()
  })

  test('a body that turns out too large is refused while it arrives', async () => {
    const connection = await open('persist', 'transfer-encoding: chunked')
    connection.write(`2\r\n{ \r\n${(1_000_000).toString(16)}\r\n${' '.repeat(1_000_000)}\r\n`)
    await waitFor(connection, 'HTTP/1.1 413')
    connection.destroy()
  })

  test('a body that is refused early does not block its connection', async () => {
    const connection = await open('persist', 'content-length: 900000')
    connection.write('}'.padEnd(400_000))
    await waitFor(connection, 'HTTP/1.1 400')
    connection.write(' '.repeat(500_000))
    connection.head(...headOf('retrieve', 'content-length: 0'))
    await waitFor(connection, 'HTTP/1.1 200')
    connection.destroy()
  })

  test('a body in many small chunks is read as one', async () => {
    const connection = await open('persist', 'transfer-encoding: chunked')
    const body = '{"schemaVersion":"5.6.0","kwds":{"kwd":[{"name":{"itm":[{"value":"Bit by bit"}]}}]}}'
    for (const sign of body) connection.write(`1\r\n${sign}\r\n`)
    connection.write('0\r\n\r\n')
    await waitFor(connection, '"path":"/Bit by bit"')
    connection.destroy()
  })

  test('a client that disconnects in the middle leaves nothing but a line in the log', async () => {
    const before = await countRows()
    const connection = await open('persist', 'content-length: 1000')
    connection.write('{"schemaVersion":"5.6.0"')
    await pause(200)
    connection.destroy()
    await vi.waitUntil(() => api.log.some(({ problem }) => problem === 'the body broke off after 24 bytes'))
    expect(api.log.filter(({ status }) => status === 'broken')).toMatchObject([
      { route: `${base}/persist`, user: 'kim' },
    ])
    expect(api.log.filter(({ level }) => Number(level) >= 50)).toEqual([])
    expect(await countRows()).toBe(before)
  })
})

describe('a message that would be parsed in one go is limited', () => {
  const other = withServer()
  const many = <T>(value: T) => Array.from({ length: 5 }, () => value)
  const long = 'x'.repeat(3_500_000)

  // prettier-ignore
  test.each([
    ['an object', 'POST', `${base}/persist`, { schemaVersion: '5.6.0', kwds: { kwd: [{ name: { itm: many({ value: long }) } }] } }, 400, 'an item is larger than 12582912 bytes'],
    ['a request', 'POST', `${base}/retrieve`, { tids: many(long) }, 400, 'larger than 4194304 bytes'],
    ['a list', 'PATCH', '/api/core/v1/pim/data-items', many({ id: long }), 413, 'larger than 4194304 bytes'],
  ] as const)('%s', async (_, method, path, body, status, reason) => {
    const reply = await other.post(path, body, { method, accept: json.mediaType })
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(reason)])
  })
})

const selections = areas.flatMap(({ base, resources, routes }: Area) => [
  ...Object.entries(resources).flatMap(([name, { query, retrieve }]) => [
    { method: 'POST' as const, path: `${base}/${name}/query`, type: query?.request },
    { method: 'POST' as const, path: `${base}/${name}/retrieve`, type: retrieve },
  ]),
  ...Object.values(routes)
    .filter(({ deprecated }) => !deprecated) // POST /peos lists all
    .map(({ method, path, request }) => ({ method, path: base + path, type: request })),
])

test.each(selections.filter(({ type }) => type?.oneOf))(
  '$method $path without any of the fields that select something is refused',
  async ({ method, path }) => {
    const url = path.replaceAll(/\{\w+\}/g, '4711')
    const { status } = await api.post(url, {}, { method, token: api.adminToken })
    expect([400, 404]).toContain(status)
  },
)

test('storages refuse a message with another container', async () => {
  const body = { schemaVersion: '5.6.0', rncs: { rnc: [{ tid: 'NEW' }] }, kwds: { kwd: [{ path: '/x' }] } }
  const { status, text } = await api.post('/api/core/v1/dam/rncs/persist', body, { token: api.adminToken })
  expect([status, text]).toEqual([
    400,
    expect.stringContaining('/pim/kwds: not taken by this call, which expects rncs'),
  ])
})
