/** Downloads: ranges, conditional requests, headers, zips and signed URLs. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../../../../adapters/postgres/sql.ts'
import { toZip } from '../../../../adapters/zip.ts'
import { bytesOf, dam, makeDirs, picture, recordOf, upload } from '../../../../../test/files.ts'
import { withServer } from '../../../../../test/server.ts'
import { dispositionOf } from './headers.ts'
import { rangeOf } from './ranges.ts'

const api = withServer()
const text = 'the quick brown fox'
let id = 0
beforeAll(async () => {
  await makeDirs(api, '/MAM/boats')
  id = recordOf(await upload(api, { path: '/MAM/boats/fox.txt', tid: 'fox' }, text)).id
  await upload(api, { path: '/MAM/boats/sail.jpg', tid: 'sail' }, await picture(900, 700), { headers: {} })
})
const fox = (more = '', headers: Record<string, string> = {}) =>
  bytesOf(api, `/assets/bin?assetTid=fox${more}`, headers)

test('HEAD returns the length and the headers of the file without its bytes', async () => {
  const url = `${await api.listen()}${dam}/assets/bin?assetTid=`
  for (const tid of ['fox', 'sail', 'sail&format=original']) {
    const init = { headers: { authorization: `Bearer ${api.token}` } }
    const [whole, head] = await Promise.all([fetch(url + tid, init), fetch(url + tid, { ...init, method: 'HEAD' })])
    const { byteLength } = await whole.arrayBuffer()
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(byteLength)])
    expect(head.headers.get('etag')).toBe(whole.headers.get('etag'))
  }
})

test('a file is returned by tid or id, with its type, name, length and hash', async () => {
  const { status, headers, bytes } = await fox()
  expect([status, bytes.toString()]).toEqual([200, text])
  expect(headers).toMatchObject({
    'content-type': 'text/plain',
    'content-length': String(text.length),
    'content-disposition': `attachment; filename="fox.txt"; filename*=UTF-8''fox.txt`,
    etag: `"${createHash('sha256').update(text).digest('hex')}"`,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox') as string,
  })
  expect((await bytesOf(api, `/assets/bin?assetId=${id}`)).bytes.toString()).toBe(text)
})

test.each([
  ['bytes=0-2', '206', 'the', 'bytes 0-2/19'],
  ['bytes=16-', '206', 'fox', 'bytes 16-18/19'],
  ['bytes=-3', '206', 'fox', 'bytes 16-18/19'],
  ['bytes=0-99', '206', text, 'bytes 0-18/19'],
  ['bytes=19-', '416', '', 'bytes */19'],
  ['bytes=-0', '416', '', 'bytes */19'],
  ['bytes=3-1', '200', text, undefined],
  ['bytes=0-1,4-5', '200', text, undefined],
  ['lines=0-1', '200', text, undefined],
])('the range %s returns %s', async (range, status, body, contentRange) => {
  const reply = await fox('', { range })
  expect(String(reply.status)).toBe(status)
  expect(reply.headers['content-range']).toBe(contentRange)
  if (status !== '416') expect(reply.bytes.toString()).toBe(body)
})

test('a range can be sent in the query and must be valid', async () => {
  expect((await fox('&range=0-2')).bytes.toString()).toBe('the')
  expect((await fox('&range=bytes=4-8')).bytes.toString()).toBe('quick')
  expect((await fox('&range=nonsense')).status).toBe(400)
})

test('a file that the client has already is not sent again', async () => {
  const { headers } = await fox()
  const { etag, 'last-modified': modified } = headers as Record<string, string>
  expect((await fox('', { 'if-none-match': etag! })).status).toBe(304)
  expect((await fox('', { 'if-none-match': `"x", W/${etag}` })).status).toBe(304)
  expect((await fox('', { 'if-none-match': '"x"' })).status).toBe(200)
  expect((await fox('', { 'if-modified-since': modified! })).status).toBe(304)
  expect((await fox('', { 'if-match': '"x"' })).status).toBe(412)
  expect((await fox('', { 'if-unmodified-since': new Date(0).toUTCString() })).status).toBe(412)
  expect((await fox('', { 'if-range': etag!, range: 'bytes=0-2' })).status).toBe(206)
  expect((await fox('', { 'if-range': '"x"', range: 'bytes=0-2' })).status).toBe(200)
})

test.each([
  ['?assetTid=none', 404],
  ['?assetId=999999', 404],
  ['', 400],
  ['?assetId=x', 400],
  ['?assetTid=fox&format=huge', 400],
  ['?assetTid=fox&format=thumbnail', 404],
])('GET /assets/bin%s is %s', async (query, status) => {
  expect((await bytesOf(api, `/assets/bin${query}`)).status).toBe(status)
})

test('browsers cannot execute stored files', async () => {
  const hostile = {
    'page.html': '<html><script>alert(1)</script></html>',
    'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'code.js': 'alert(1)',
    'data.xml': '<?xml version="1.0"?><a xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></a>',
    'polyglot.gif': 'GIF89a/*<script>alert(1)</script>*/=1;alert(1)',
  }
  for (const [name, content] of Object.entries(hostile)) {
    const { tid } = recordOf(await upload(api, { path: `/MAM/boats/${name}` }, content))
    const { headers } = await bytesOf(api, `/assets/bin?assetTid=${tid}`)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).toContain('sandbox')
    expect(String(headers['content-type'])).not.toMatch(/javascript/)
    if (name !== 'polyglot.gif') expect(headers['content-disposition']).toMatch(/^attachment/)
    else expect(headers['content-type']).toBe('image/gif')
  }
})

test.each([
  ['Grüße "1".txt', `filename="Gr__e _1_.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.txt`],
  ["a'b(c)*.txt", `filename="a'b(c)*.txt"; filename*=UTF-8''a%27b%28c%29%2A.txt`],
  ['x\r\ny.txt', `filename="x__y.txt"; filename*=UTF-8''x%0D%0Ay.txt`],
])('the name %j cannot inject headers', (name, expected) => {
  expect(dispositionOf({ name, mime: 'text/plain' })).toBe(`attachment; ${expected}`)
})

test('a range of an empty file does not exist', () => {
  expect(() => rangeOf({ range: 'bytes=0-' }, undefined, '"x"', 0)).toThrow('0 bytes')
})

describe('several files', () => {
  const retrieve = (body: object) =>
    api.app.http.inject({
      method: 'POST',
      url: `${dam}/assets/bin/retrieve`,
      headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })
  const listing = (bytes: Buffer) => {
    const folder = mkdtempSync(join(tmpdir(), 'kontor-zip-'))
    writeFileSync(join(folder, 'result.zip'), bytes)
    const script = `import sys,zipfile,json; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(json.dumps({n: len(z.read(n)) for n in z.namelist()}))`
    const out = execFileSync('python3', ['-c', script, join(folder, 'result.zip')], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    return JSON.parse(out) as Record<string, number>
  }

  test('one asset in one format is sent as a plain file', async () => {
    const reply = await retrieve({ tids: ['fox'] })
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toBe(text)
    expect(reply.headers['content-disposition']).toContain('fox.txt')
  })

  test('several assets are sent as a zip with a folder for each', async () => {
    const reply = await retrieve({ tids: ['fox', 'sail', 'unknown'], ids: [1] })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('application/zip')
    expect(reply.headers['content-disposition']).toContain('result.zip')
    expect(Object.keys(listing(reply.rawPayload)).sort()).toEqual(['fox/fox_original.txt', 'sail/sail_original.jpg'])
  })

  test('the folders are ids if the request names ids', async () => {
    const [sail] = await api.db.rows<{ id: number }>(sql`select id from dam_entry where tid = 'sail'`)
    const reply = await retrieve({ ids: [id, sail!.id] })
    expect(Object.keys(listing(reply.rawPayload)).sort()).toEqual(
      [`${id}/fox_original.txt`, `${sail!.id}/sail_original.jpg`].sort(),
    )
  })

  test('names in a zip cannot leave the target folder', async () => {
    await upload(api, { path: '/MAM/boats/a:b?.txt', tid: '..' }, 'x')
    await upload(api, { path: '/MAM/boats/.hidden', tid: 'a/../../b' }, 'y')
    const names = Object.keys(listing((await retrieve({ tids: ['..', 'a/../../b'] })).rawPayload))
    expect(names.sort()).toEqual(['_/a_b__original.txt', 'a_.._.._b/_hidden_original'])
  })

  test.each([
    [{}, 400],
    [{ tids: ['none'] }, 404],
    [{ tids: ['fox'], formats: ['huge'] }, 400],
  ])('%j is %s', async (body, status) => {
    expect((await retrieve(body)).statusCode).toBe(status)
  })

  test('a zip without files is valid', async () => {
    expect(listing(Buffer.concat(await toZip([]).toArray()))).toEqual({})
  })

  test('a zip whose client disconnects closes the open entry and opens no other', async () => {
    const [opened, closed]: [string[], string[]] = [[], []]
    const bytesOf = async function* (name: string) {
      opened.push(name)
      try {
        for (;;) yield Buffer.alloc(100_000)
      } finally {
        closed.push(name)
      }
    }
    const stream = toZip(['a', 'b'].map((name) => ({ name, bytes: bytesOf(name), compress: false })))
    await once(stream, 'readable')
    stream.destroy()
    await vi.waitUntil(() => closed.length > 0)
    expect([opened, closed]).toEqual([['a'], ['a']])
  })
})

describe('signed URLs', () => {
  const sign = (body: object) => api.post(`${dam}/assets/presigned-url`, { tid: 'fox', ...body })
  const call = (url: string, method: 'GET' | 'PUT' = 'GET', payload?: string) =>
    api.app.http.inject({ method, url: url.replace(api.config.baseUrl, ''), ...(payload !== undefined && { payload }) })

  test('anyone with the URL gets the file, with ranges', async () => {
    const url = (await sign({})).text
    expect(url).toMatch(/^http:\/\/localhost:8080\//)
    expect((await call(url)).body).toBe(text)
    const part = await api.app.http.inject({
      url: url.replace(api.config.baseUrl, ''),
      headers: { range: 'bytes=0-2' },
    })
    expect([part.statusCode, part.body]).toEqual([206, 'the'])
  })

  test('browsers display a picture, or save it if the URL was made for that', async () => {
    await upload(api, { path: '/MAM/boats/pennant.gif', tid: 'pennant' }, 'GIF89a, more or less')
    const dispositionOf = async (body: object) =>
      (await call((await sign({ tid: 'pennant', ...body })).text)).headers['content-disposition']
    expect(await dispositionOf({})).toMatch(/^inline/)
    expect(await dispositionOf({ attachment: true })).toMatch(/^attachment; filename="pennant.gif"/)
  })

  test('a URL cannot be changed, used for another method, or used after it has expired', async () => {
    const url = (await sign({ expiresInSeconds: 1 })).text
    const ticket = url.split('/').at(-1)!
    const altered = ticket.slice(0, -2) + (ticket.endsWith('AA') ? 'BB' : 'AA')
    expect((await call(url.replace(ticket, altered))).statusCode).toBe(403)
    expect((await call(url.replace(ticket, 'nonsense'))).statusCode).toBe(403)
    expect((await call(url, 'PUT', 'x')).statusCode).toBe(403)
    await new Promise((resolve) => setTimeout(resolve, 2100))
    expect((await call(url)).statusCode).toBe(403)
  })

  test('a PUT replaces the file and keeps the previous one as a version', async () => {
    await upload(api, { path: '/MAM/boats/put.txt', tid: 'put' }, 'before')
    const url = (await sign({ tid: 'put', method: 'PUT' })).text
    expect((await call(url, 'PUT', 'after')).statusCode).toBe(200)
    expect((await bytesOf(api, '/assets/bin?assetTid=put')).bytes.toString()).toBe('after')
    const versions = await api.post(`${dam}/assets/versions/retrieve`, { tids: ['put'] })
    expect(versions.json.versions.version).toHaveLength(1)
  })

  test.each([
    [{ tid: 'none' }, 404],
    [{ expiresInSeconds: 0 }, 400],
    [{ expiresInSeconds: 86_401 }, 400],
    [{ format: 'huge' }, 400],
    [{ method: 'PUT', format: 'thumbnail' }, 400],
    [{ method: 'DELETE' }, 400],
  ])('%j is %s', async (body, status) => {
    expect((await sign(body)).status).toBe(status)
  })

  const many = async (body: object) => api.post(`${dam}/assets/presigned-url`, body)

  test('a selection has the signed URL of a zip', async () => {
    const url = (await many({ tids: ['fox', 'sail', 'fox', 'none'] })).text
    const reply = await call(url)
    expect(reply.headers['content-disposition']).toContain('result.zip')
    expect(reply.body).toContain('fox/fox_original.txt')
    expect(reply.body).toContain('sail/sail_original.jpg')
    const byId = await call((await many({ ids: [id] })).text)
    expect(byId.body).toContain(`${id}/fox_original.txt`)
    expect((await call(url.slice(0, -2) + (url.endsWith('AA') ? 'BB' : 'AA'))).statusCode).toBe(403)
    expect((await call(url.replace(/\?.*/, ''))).statusCode).toBe(403)
    const single = (await sign({})).text.split('/').at(-1)!
    expect((await call(url.replace(/ticket=.*/, `ticket=${single}`))).statusCode, 'of another kind').toBe(403)
    expect((await many({ tids: ['none'] })).status).toBe(404)
    expect((await many({ tids: ['fox'], method: 'PUT' })).status).toBe(400)
    expect((await many({ tids: ['fox'], formats: ['huge'] })).status).toBe(400)
    expect((await many({ tids: ['fox'], formats: ['preview'] })).status).toBe(404)
  })

  test('the URL of a thousand files is short enough for browsers and proxies', async () => {
    await api.db.run(sql`
      insert into dam_entry (kind, tid, rnc_id, name, name_key, type, sha256, size, mime, import_status, created_by, modified_by)
      select 'asset', 'many-' || n, rnc_id, 'many-' || n, 'many-' || n, type, sha256, 19, mime, 'available', 'kim', 'kim'
      from dam_entry, generate_series(1, 1000) n where tid = 'fox'`)
    await api.db.run(
      sql`update dam_entry set id = id + 1000000 + 13 * substr(tid, 6)::int where tid like 'many-%' and id % 3 = 0`,
    )
    const url = (await many({ tids: Array.from({ length: 1000 }, (_, i) => `many-${i + 1}`) })).text
    expect(url.length).toBeLessThan(4000)
    const reply = await call(url)
    expect(reply.rawPayload.subarray(-22).readUInt16LE(10), 'files in the zip').toBe(1000)
  })
})

test('an earlier file is returned by the tid of its version', async () => {
  await upload(api, { path: '/MAM/boats/early.txt', tid: 'early' }, 'first')
  const to = '/assets/versions/bin/persist'
  const { details } = recordOf(await upload(api, { tid: 'early' }, 'second', { to }))
  const versionTid = details.itm.find(({ key }: { key: string }) => key === 'versionTid').value
  const { status, bytes, headers } = await bytesOf(api, `/assets/bin?versionTid=${versionTid}`, { range: 'bytes=1-' })
  expect([status, bytes.toString()]).toEqual([206, 'irst'])
  expect(headers['content-disposition']).toContain('early.txt')
  expect((await bytesOf(api, '/assets/bin?versionTid=none')).status).toBe(404)
})
