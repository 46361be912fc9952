import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { common, decode, encode, formats, Pim, schemaVersion } from '@kontor/contract'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { type Envelope, type FormatName, formatNames } from '../../../test/common.ts'
import { type CallOptions, withServer } from '../../../test/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'kontor-transform-'))
const data = join(folder, 'data')
writeFileSync(join(folder, 'file'), '')
afterAll(() => rmSync(folder, { recursive: true }))

const api = withServer({ KONTOR_DATA: data, KONTOR_MAX_BULK_BODY: String(8 * 1024 * 1024) })
const broken = withServer({ KONTOR_DATA: join(folder, 'file', 'data') })
const path = common.base + common.routes.transform.path

const pairs = formatNames.flatMap((from) => formatNames.map((to) => [from, to] as const))
const write = (format: FormatName, value: object) => encode(formats[format], Pim, value)
const read = (format: FormatName, text: string) => decode(formats[format], Pim, Buffer.from(text))
const transform = (from: FormatName, to: FormatName, body: string | Buffer, options?: CallOptions) =>
  api.post(path, body, { type: formats[from].contentType, accept: formats[to].mediaType, ...options })

const golden = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../contract/src/golden/json/${name}.json`, import.meta.url), 'utf8'))
/** An envelope with the example of every container. */
const everything: Envelope = Object.fromEntries([
  ['schemaVersion', schemaVersion],
  ...Object.entries(Pim.fields)
    .filter(([name]) => name !== 'schemaVersion')
    .map(([name, { type }]) => [name, golden(type!().name)]),
]) as Envelope

/** Keywords and links: a thousand are half a megabyte. */
const manyKeywords = (count: number): Envelope => ({
  schemaVersion,
  meta: { itm: [{ value: 'full', key: 'messageMode' }] },
  links: { itm: [{ value: 'boats/sail.jpg', key: 'A' }], itms: [{ type: 'assetToProduct' }] },
  kwds: {
    kwd: Array.from({ length: count }, (_, i) => ({
      name: { itm: [{ value: `Wort ${i}` }, { value: `größe <${i}> & "mehr" 🐳 ${'x'.repeat(400)}`, loc: 'de_DE' }] },
      id: i,
      parentPath: '/',
    })),
  },
})
/** Long enough to be kept in a file. */
const long = manyKeywords(3000)
/** Longer than the buffers of a socket. */
const longer = manyKeywords(12_000)

describe.each(pairs)('from %s to %s', (from, to) => {
  test('every container of an envelope', async () => {
    const reply = await transform(from, to, write(from, everything))
    expect(reply.status, reply.text).toBe(200)
    expect(reply.headers['content-type']).toBe(formats[to].contentType)
    expect(read(to, reply.text)).toEqual(read(from, write(from, everything)))
  })

  test('a message that does not stay in memory', async () => {
    const body = write(from, long)
    expect(body.length).toBeGreaterThan(1024 * 1024)
    const reply = await transform(from, to, body)
    expect(reply.status).toBe(200)
    expect(read(to, reply.text)).toEqual(read(from, body))
  })
})

describe('the shell', () => {
  const kwds = { kwd: [{ name: { itm: [{ value: 'Sea' }] }, path: '/Sea' }] }
  const padding = { itm: [{ value: 'x'.repeat(1024 * 1024), key: 'padding' }] }

  test.each(['short', 'long'])(
    'of a %s message may come after the items in JSON, and comes first in XML',
    async (size) => {
      const meta = size === 'long' ? padding : { itm: [{ value: 'full', key: 'messageMode' }] }
      const classes = { clazz: [{ tid: 'c1' }], mode: 'delta' }
      const reply = await transform('json', 'xml', JSON.stringify({ kwds, classes, meta, schemaVersion: '5.1' }))
      expect(reply.status, reply.text.slice(0, 300)).toBe(200)
      expect(reply.text).toMatch(
        /^<\?xml [^>]*>\s*<pim xmlns="http:\/\/www.apollon.de\/omn" schemaVersion="5.1"><meta>/,
      )
      expect(reply.text).toContain('<classes mode="delta">')
      expect(read('xml', reply.text)).toEqual({ schemaVersion: '5.1', kwds, classes, meta })
    },
  )

  test.each(pairs)('keeps what a container has beside its items, from %s to %s', async (from, to) => {
    const value = {
      schemaVersion,
      links: { itm: [{ value: 'boats/sail.jpg', key: 'A' }], itms: [{ itm: [{ value: 'P', key: 'productTid' }] }] },
      classes: { clazz: [{ tid: 'c1' }], mode: 'delta' },
      locales: { mode: 'ALL' },
    }
    expect(read(to, (await transform(from, to, write(from, value))).text)).toEqual(value)
  })

  test('of an empty envelope is all there is', async () => {
    const reply = await transform('json', 'xml', JSON.stringify({ schemaVersion }))
    expect(read('xml', reply.text)).toEqual({ schemaVersion })
  })

  test('keys of meta that belong to others survive', async () => {
    const meta = { itm: [{ value: 'plugin', key: 'productImportPreProcessor' }] }
    const reply = await transform('compact', 'json', write('compact', { schemaVersion, meta }))
    expect(reply.json).toEqual({ schemaVersion, meta })
  })
})

describe('reads', () => {
  const text = (encoding: string) =>
    write('xml', { schemaVersion, kwds: { kwd: [{ path: '/Größe' }] } }).replace('UTF-8', encoding)

  test.each([
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${text('UTF-16')}`, 'utf16le'), 'application/xml'],
    ['UTF-16 by its media type', Buffer.from(text('UTF-16'), 'utf16le'), 'application/xml;charset=UTF-16LE'],
    ['UTF-8 without a charset', Buffer.from(text('UTF-8')), 'application/xml'],
  ])('%s', async (_, body, type) => {
    const reply = await transform('xml', 'json', body, { type })
    expect(reply.json, reply.text).toEqual({ schemaVersion, kwds: { kwd: [{ path: '/Größe' }] } })
  })

  test('and answers in the format of the request where Accept names none', async () => {
    for (const accept of [undefined, '*/*', 'application/*']) {
      const reply = await transform('xml', 'xml', text('UTF-8'), accept === undefined ? {} : { accept })
      expect(reply.headers['content-type']).toBe(formats.xml.contentType)
    }
  })

  test('numbers of 64 bits exactly', async () => {
    const reply = await transform(
      'xml',
      'json',
      write('xml', { schemaVersion, kwds: { kwd: [{ id: 2n ** 63n - 1n }] } }),
    )
    expect(reply.text).toContain('9223372036854775807')
  })
})

describe('refuses with 400', () => {
  const xml = formats.xml.contentType

  test.each([
    ['no body', undefined, xml],
    ['an empty body', '', xml],
    ['a body of another format', '{"schemaVersion":"5.6.0"}', xml],
    ['a broken message', '<pim xmlns="http://www.apollon.de/omn" schemaVersion="5.6.0"><kwds></pim>', xml],
    ['a foreign root', '<kwds xmlns="http://www.apollon.de/omn"/>', xml],
    ['no schemaVersion', '{"kwds":{"kwd":[]}}', 'application/json'],
    ['an unknown field', '{"schemaVersion":"5.6.0","kwds":{"kwd":[{"colour":"red"}]}}', 'application/json'],
    ['JSON in another charset', '{"schemaVersion":"5.6.0"}', 'application/json;charset=ISO-8859-1'],
    ['an unsupported Content-Type', '{"schemaVersion":"5.6.0"}', 'application/yaml'],
    ['a media type that only begins like ours', '{"schemaVersion":"5.6.0"}', 'application/json+other'],
  ])('%s', async (_, body, type) => {
    const reply = await api.post(path, body, { type, accept: 'application/json' })
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ status: 'ERROR' })
  })

  test('an unsupported Accept, before it reads the message', async () => {
    const reply = await api.post(path, '{', { accept: 'text/html' })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('Accept text/html is not supported')
  })

  test.each(formatNames)('a fault at the very end of 5 MB of %s', async (format) => {
    const kwd = Array.from({ length: 10_000 }, (_, i) => ({
      name: { itm: [{ value: `Wort ${i} ${'x'.repeat(480)}` }] },
      id: i,
    }))
    const sound = write(format, { schemaVersion, kwds: { kwd } })
    expect(sound.length).toBeGreaterThan(5_000_000)
    const wrongId = sound.replace('"id":9999', '"id":"x"').replace('id="9999"', 'id="x"')
    for (const body of [sound.slice(0, -1), `${sound}x`, wrongId]) {
      const reply = await transform(format, 'xml', body)
      expect(reply.status).toBe(400)
      expect(reply.headers['content-type']).toBe(formats.xml.contentType)
      expect(reply.text).toContain(body === wrongId ? '/pim/kwds/kwd[10000]/@id: ' : '<itm key="code">1001</itm>')
    }
    await expectNothingLeft()
  })
})

test('a message that is too large is 413, also when its length is not announced', async () => {
  const body = Buffer.alloc(9 * 1024 * 1024, ' ')
  expect((await transform('json', 'xml', body)).status).toBe(413)
  const { status } = await overHttp({ body })
  expect(status).toBe(413)
  await expectNothingLeft()
})

test('a message that cannot be stored returns 503 without details', async () => {
  const reply = await broken.post(path, write('json', long), { accept: 'application/json' })
  expect(reply.status).toBe(503)
  expect(reply.text).not.toContain(folder)
  expect(reply.json.issues[0].itm[0]).toEqual({ key: 'code', value: '1013' })
})

test('requires a signed-in user', async () => {
  expect((await transform('json', 'xml', '{}', { token: null })).status).toBe(401)
})

describe('nothing is left behind', () => {
  test('after the reply', async () => {
    const { status, text } = await overHttp({ body: write('json', long) })
    expect(status).toBe(200)
    expect(read('xml', text)).toEqual(long)
    await expectNothingLeft()
  })

  test('when the client leaves while it is sent the reply', async () => {
    for (let round = 0; round < 3; round++) await overHttp({ body: write('json', longer), leaveAt: 'reply' })
    await expectNothingLeft()
  })

  test('when the client leaves before its message is whole', async () => {
    for (let round = 0; round < 3; round++) await overHttp({ body: write('json', long), leaveAt: 'upload' })
    await expectNothingLeft()
  })
})

const expectNothingLeft = () => vi.waitFor(lookForFiles, { timeout: 5000 })

/** No file in the folder, and on Linux, where one can look, none that is open without a name. */
function lookForFiles(): void {
  expect(readdirSync(join(data, 'tmp'))).toEqual([])
  if (process.platform !== 'linux') return
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return [] // the one that lists the folder
    }
  })
  expect(open.filter((file) => file.includes(data))).toEqual([])
}

interface HttpCall {
  body: string | Buffer
  /** Where the client vanishes, if it does. */
  leaveAt?: 'upload' | 'reply'
}
/** A call over a socket, sent in chunks: JSON to XML. */
async function overHttp({ body, leaveAt }: HttpCall): Promise<{ status: number; text: string }> {
  const { http } = api.app
  if (http.addresses().length === 0) await http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = http.addresses()[0] as { port: number }
  const headers = {
    authorization: `Bearer ${api.token}`,
    'content-type': 'application/json',
    accept: 'application/xml',
    'transfer-encoding': 'chunked',
  }
  return new Promise((resolve, reject) => {
    const call = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false }, (reply) => {
      const pieces: Buffer[] = []
      reply.on('data', (piece: Buffer) => {
        pieces.push(piece)
        if (leaveAt === 'reply') call.destroy()
      })
      reply.on('close', () => resolve({ status: reply.statusCode!, text: Buffer.concat(pieces).toString() }))
      reply.on('error', () => {})
    })
    call.on('error', (error) =>
      leaveAt || body.length > 8 * 1024 * 1024 ? resolve({ status: 0, text: '' }) : reject(error),
    )
    if (leaveAt !== 'upload') {
      call.end(body)
      return
    }
    call.write(body.slice(0, body.length - 100), () => setTimeout(() => call.destroy(), 50))
  })
}
