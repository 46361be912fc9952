/** Forms that end early or have unreadable parts are refused; whatever arrives, the process goes on. */
import { beforeAll, describe, expect, test } from 'vitest'
import {
  dam,
  form,
  makeDirs,
  paramsPart,
  type Part,
  payloadPart,
  recordOf,
  storedFiles,
  upload,
} from '../../../../../test/files.ts'
import { withServer } from '../../../../../test/server.ts'

const api = withServer()
let routes: Readonly<Record<string, { url: string; first: Part }>> = {}
beforeAll(async () => {
  await makeDirs(api, '/MAM/broken')
  await upload(api, { path: '/MAM/broken/base.txt', tid: 'BASE' }, 'base')
  const start = async (path: string, body: object) => {
    const reply = await api.post(`${dam}/assets/${path}`, body)
    expect(reply.status, reply.text).toBe(200)
    return recordOf(reply).tid
  }
  const asset = await start('bin/chunked/start', { path: '/MAM/broken/chunks.txt' })
  const version = await start('versions/bin/chunked/start', { tid: 'BASE' })
  routes = {
    asset: { url: '/bin/persist', first: paramsPart({ path: '/MAM/broken/new.txt' }) },
    version: { url: '/versions/bin/persist', first: paramsPart({ tid: 'BASE' }) },
    variation: { url: '/variations/bin/persist', first: paramsPart({ tid: 'BASE', variationType: 'Web' }) },
    'chunk of an asset': { url: `/bin/chunked/upload/${asset}`, first: { name: 'chunkId', value: '0' } },
    'chunk of a version': { url: `/versions/bin/chunked/upload/${version}`, first: { name: 'chunkId', value: '0' } },
  }
})

const kinds = ['asset', 'version', 'variation', 'chunk of an asset', 'chunk of a version']
const send = (kind: string, body: Buffer, type: string) => api.post(`${dam}/assets${routes[kind]!.url}`, body, { type })

describe.each(kinds)('a form for the %s', (kind) => {
  test('is refused when it ends before its closing boundary, wherever that is, and leaves no file behind', async () => {
    const before = await storedFiles(api)
    for (const parts of [
      [routes[kind]!.first, payloadPart('x'.repeat(300))],
      [payloadPart('x'.repeat(300)), routes[kind]!.first],
    ]) {
      const { body, type } = form(...parts)
      const ends = Array.from({ length: Math.floor((body.length - 3) / 7) }, (_, i) => i * 7)
      for (const end of [...ends, body.length - 3]) {
        const { status, text } = await send(kind, body.subarray(0, end), type)
        expect([400, 404], text).toContain(status)
      }
    }
    expect(await storedFiles(api)).toEqual(before)
  })

  test('is refused when it has too many parts and ends within one of them', async () => {
    const { body, type } = form(...Array.from({ length: 9 }, () => ({ name: 'x', value: 'y'.repeat(50) })))
    for (const end of [30, 60, 100, 400]) expect((await send(kind, body.subarray(0, -end), type)).status).toBe(400)
  })

  test.each([
    ['charset without a value', 'Content-Disposition: form-data; name="params"\r\nContent-Type: text/plain; charset'],
    [
      'charset that nobody knows',
      'Content-Disposition: form-data; name="params"\r\nContent-Type: text/plain; charset=none',
    ],
    ['only semicolons', 'Content-Disposition: ;;;\r\nContent-Type: ;;;'],
    ['a name without a value', 'Content-Disposition: form-data; name; filename'],
    ['an extended name in an unknown charset', `Content-Disposition: form-data; name*=x'y'%ff; filename*=z''%00`],
    ['no headers', ''],
    ['headers without colons', 'Content-Disposition\r\nContent-Type'],
    ['very many headers', Array.from({ length: 500 }, (_, i) => `X-${i}: ${i}`).join('\r\n')],
    ['a very long header', `X-Long: ${'x'.repeat(200_000)}`],
  ])('is refused when a part has %s', async (_what, head) => {
    for (const end of ['\r\n--b--\r\n', '\r\n--b', ''])
      for (const more of ['', 'Content-Disposition: form-data; name="payload"; filename="x"\r\n']) {
        const body = Buffer.from(`--b\r\n${more}${head}\r\n\r\n\xff{}${end}`, 'latin1')
        const { status, text } = await send(kind, body, 'multipart/form-data; boundary=b')
        expect(status, text).toBe(400)
      }
  })
})

test.each([
  ['two boundaries', 'multipart/form-data; boundary=a; boundary=b'],
  ['a boundary without a value', 'multipart/form-data; boundary'],
  ['an extended boundary', `multipart/form-data; boundary*=x'y'z`],
  ['a quoted boundary without an end', 'multipart/form-data; boundary="a'],
  ['odd parameters', 'multipart/form-data; =; boundary=a; ;charset'],
])('a form with %s is refused', async (_what, type) => {
  const { status, text } = await send('asset', Buffer.from('--a\r\n\r\n\r\n--a--\r\n'), type)
  expect(status, text).toBe(400)
})
