/** Share pages: shown to anybody with the address, with a password, formats, usage rights, a log, and an end at any time. */
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { bytesOf, dam, makeDirs, picture, recordOf, unzip, upload, wav } from '../../test/files.ts'
import { field, searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'
import { sql } from '../adapters/postgres/sql.ts'
import { networkOf } from './share.ts'

const api = withServer()
const at = '/api/v1/shares'
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
const idOf = async (tid: string) =>
  (await api.db.row<{ id: number }>(sql`select id from dam_entry where tid = ${tid}`))!.id
const pathOf = (url: string) => new URL(url).pathname
let origin: Promise<string> | undefined
const listening = () => (origin ??= api.listen())
/** Begins a download without reading it. */
const begin = (address: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { agent: false }, resolve).on('error', reject)
  })
const visit = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  api.app.http.inject({ url: url.startsWith('http') ? pathOf(url) : url, headers, method })
const unlock = (url: string, password: string, remoteAddress = '198.51.100.7') =>
  api.app.http.inject({
    method: 'POST',
    url: pathOf(url),
    payload: new URLSearchParams({ password }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    remoteAddress,
  })
const create = async (body: object, token = sharer) => {
  const reply = await api.post(at, { kind: 'download', title: 'For the press', expiresAt: tomorrow(), ...body }, { token }) // prettier-ignore
  expect(reply.status, reply.text).toBe(200)
  return reply.json as { id: number; url: string }
}
const putRole = async (name: string, grants: object[]) =>
  expect((await api.post(`/api/v1/identity/roles/${name}`, { grants }, { method: 'PUT', token: api.adminToken })).status).toBe(200) // prettier-ignore
const everything = [{ kind: '*', actions: ['read', 'create', 'update', 'share'] }]
let sharer: string
let jpeg: Buffer
beforeAll(async () => {
  jpeg = await picture(60, 40)
  await makeDirs(api, '/MAM/boats', '/MAM/secret')
  for (const tid of ['a', 'b']) expect(recordOf(await upload(api, { path: `/MAM/boats/${tid}.jpg`, tid, doPreviewsAsync: false }, jpeg)).status).toBe('SUCCESS') // prettier-ignore
  await upload(api, { path: '/MAM/secret/hidden.jpg', tid: 'hidden' }, jpeg)
  await upload(api, { path: '/MAM/boats/evil.html', tid: 'evil' }, '<script>alert(1)</script>')
  await putRole('press', everything)
  sharer = await api.tokenFor({ name: 'sara', roles: ['press'] })
  await api.post(`${dam}/renditions/profiles/small`, { width: 10, name: 'Small' }, { method: 'PUT', token: api.adminToken }) // prettier-ignore
  await upload(api, { path: '/MAM/secret/mark.png', tid: 'mark' }, await picture(40, 40, 'png'))
  const marked = { width: 30, watermarkTid: 'mark' }
  await api.post(`${dam}/renditions/profiles/marked`, marked, { method: 'PUT', token: api.adminToken })
})

describe('a share page', () => {
  test('of a searched collection has the files that the search finds, and no other by its id', async () => {
    await searchCalls(api).rebuild('ASSET')
    const searchObject = { context: { searchType: 'INDEX', index: 'ASSET' }, query: field('tid', 'IN', ['a', 'evil']) }
    const stored = await api.post('/api/v1/search/storedsearch', { name: 'Some', searchObject }, { token: sharer })
    const made = await api.post('/api/v1/collections', { name: 'Found', storedSearch: stored.json.id }, { token: sharer }) // prettier-ignore
    const { url } = await create({ collection: made.json.id, original: true })
    expect((await visit(url)).payload).toContain('a.jpg')
    const statusOf = async (tid: string) =>
      (await visit(`${pathOf(url)}/file/${await idOf(tid)}?format=original`)).statusCode
    expect([await statusOf('a'), await statusOf('evil'), await statusOf('b')]).toEqual([200, 200, 404])
  })

  test('with metadata contains what its owner may read; files that cannot carry it are sent as they are', async () => {
    await upload(api, { path: '/MAM/boats/described.jpg', tid: 'described' }, jpeg)
    const itm = [{ value: 'Bay' }]
    const vals = {
      val: [
        { attr: 'CITY', itm },
        { attr: 'COPYRIGHT', itm: [{ value: 'Not for Rob' }] },
      ],
    }
    await api.post(`${dam}/assets/persist`, { schemaVersion: '5.6.0', assets: { asset: [{ tid: 'described', vals }] } })
    const [all, ...rest] = everything
    await putRole('half', [{ ...all, visibleAttributes: { except: ['COPYRIGHT'] } }, ...rest])
    const rob = await api.tokenFor({ name: 'rob', roles: ['half'] })
    const { url } = await create({ tids: ['described', 'evil'], original: true, metadata: 'embed' }, rob)
    const file = async (tid: string) => visit(`${pathOf(url)}/file/${await idOf(tid)}?format=original`)
    const zip = await visit(`${pathOf(url)}/zip?format=original`)
    for (const { rawPayload } of [await file('described'), zip]) {
      expect(rawPayload.includes('Bay')).toBe(true)
      expect(rawPayload.includes('Not for Rob')).toBe(false)
    }
    expect((await file('evil')).payload).toBe('<script>alert(1)</script>')
    const made = await api.post('/api/v1/collections', { name: 'Described' }, { token: sharer })
    await api.post(`/api/v1/collections/${made.json.id}/assets`, { add: ['described'] }, { token: sharer })
    const zipOf = (query: string) => api.app.http.inject({ url: `/api/v1/collections/${made.json.id}/zip${query}`, headers: { authorization: `Bearer ${sharer}` } }) // prettier-ignore
    expect((await zipOf('?metadata=embed')).rawPayload.includes('Not for Rob')).toBe(true)
    expect((await zipOf('?metadata=sidecar')).rawPayload.includes('described_original.xmp')).toBe(true)
    expect((await zipOf('')).rawPayload.includes('Bay')).toBe(false)
    expect((await zipOf('?metadata=embed&profile=small')).statusCode).toBe(400)
  })

  test('shows files to anybody who has the address, and nothing else', async () => {
    const { url } = await create({ tids: ['b', 'a'], original: true, profiles: ['small'], message: '<b>Hello</b>' })
    const page = await visit(url, { 'accept-language': 'de-AT, en;q=0.5' })
    expect(page.statusCode).toBe(200)
    expect(page.headers).toMatchObject({
      'content-type': 'text/html;charset=UTF-8',
      'x-robots-tag': expect.stringContaining('noindex'),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(page.payload).toContain('<html lang="de">')
    expect(page.payload).toContain('&lt;b&gt;Hello&lt;/b&gt;')
    expect(page.payload.indexOf('b.jpg')).toBeLessThan(page.payload.indexOf('a.jpg'))
    expect(page.payload).not.toMatch(/\/MAM|sara|<script/)
    expect((await visit(url, {}, 'HEAD')).statusCode).toBe(200)
    const id = await idOf('a')
    const original = await visit(`${pathOf(url)}/file/${id}?format=original`)
    expect([original.statusCode, original.rawPayload.equals(jpeg)]).toEqual([200, true])
    expect(original.headers['content-disposition']).toContain('attachment; filename="a.jpg"')
    expect((await visit(`${pathOf(url)}/file/${id}?format=original`, {}, 'HEAD')).headers['content-length']).toBe(String(jpeg.length)) // prettier-ignore
    const small = await visit(`${pathOf(url)}/file/${id}?format=small`)
    expect([small.statusCode, small.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await visit(`${pathOf(url)}/preview/${id}`)).headers['content-type']).toBe('image/jpeg')
    const zip = await visit(`${pathOf(url)}/zip?format=original`)
    expect([zip.statusCode, zip.rawPayload.includes('b.jpg')]).toEqual([200, true])
    for (const path of [
      `/file/${await idOf('hidden')}?format=original`,
      '/file/x?format=original',
      `/preview/${await idOf('hidden')}`,
    ])
      // prettier-ignore
      expect((await visit(pathOf(url) + path)).statusCode, path).toBe(404)
    expect((await visit(`${pathOf(url)}/file/${id}?format=marked`)).statusCode).toBe(403)
  })

  test('offers only the allowed formats, and shows pictures with a watermark', async () => {
    const { url } = await create({ tids: ['a'], profiles: ['small'], watermark: 'marked' })
    const id = await idOf('a')
    expect((await visit(`${pathOf(url)}/file/${id}?format=original`)).statusCode).toBe(403)
    expect((await visit(`${pathOf(url)}/zip?format=original`)).statusCode).toBe(403)
    const shown = await visit(`${pathOf(url)}/preview/${id}`)
    const marked = await bytesOf(api, `/renditions/bin?assetTid=a&profile=marked`)
    expect([shown.statusCode, marked.status], shown.payload).toEqual([200, 200])
    expect(shown.rawPayload.equals(marked.bytes)).toBe(true)
  })

  test('plays films and sounds if it offers originals, and only those of the page', async () => {
    await upload(api, { path: '/MAM/boats/wind.wav', tid: 'wind', doPreviewsAsync: false }, wav())
    const id = await idOf('wind')
    const { url } = await create({ tids: ['wind', 'a'], original: true })
    const page = await visit(url)
    expect(page.payload).toContain(`<audio src="${pathOf(url)}/media/${id}"`)
    expect(page.headers['content-security-policy']).toContain("media-src 'self'")
    const played = await visit(`${pathOf(url)}/media/${id}`, { range: 'bytes=0-3' })
    expect([played.statusCode, played.payload, played.headers['content-type']]).toEqual([206, 'RIFF', 'audio/wav'])
    const picture = await visit(`${pathOf(url)}/media/${await idOf('a')}`)
    expect([picture.statusCode, picture.payload.includes('/MAM')]).toEqual([404, false])
    expect((await visit(`${pathOf(url)}/media/${await idOf('hidden')}`)).statusCode).toBe(404)
    const { url: small } = await create({ tids: ['wind'], profiles: ['small'] })
    expect((await visit(small)).payload).not.toContain('<audio')
    expect((await visit(`${pathOf(small)}/media/${id}`)).statusCode).toBe(403)
    const { url: locked } = await create({ tids: ['wind'], original: true, password: 'correct horse' })
    expect((await visit(`${pathOf(locked)}/media/${id}`)).statusCode).toBe(401)
    const usage = [{ tid: 'wind', usageRights: { validUntil: '2020-01-01' } }]
    await api.post(`${dam}/assets/persist`, { schemaVersion: '5.6.0', assets: { asset: usage } })
    expect((await visit(`${pathOf(url)}/media/${id}`)).statusCode).toBe(403)
  })

  test('asks for its password, counts wrong ones and refuses further ones after ten', async () => {
    const { id, url } = await create({ tids: ['a'], original: true, password: 'correct horse' })
    const asset = await idOf('a')
    const asked = await visit(url)
    expect([asked.statusCode, asked.payload.includes('a.jpg')]).toEqual([200, false])
    expect(asked.payload).toContain('type="password"')
    for (const path of [`/file/${asset}?format=original`, `/preview/${asset}`, '/zip?format=original'])
      expect((await visit(pathOf(url) + path)).statusCode, path).toBe(401)
    expect((await unlock(url, 'wrong')).statusCode).toBe(401)
    const right = await unlock(url, 'correct horse')
    expect([right.statusCode, right.headers.location]).toEqual([303, pathOf(url)])
    const cookie = String(right.headers['set-cookie'])
    expect(cookie).toContain('HttpOnly; SameSite=Lax')
    const headers = { cookie: cookie.split(';')[0]! }
    expect((await visit(url, headers)).payload).toContain('a.jpg')
    expect((await visit(`${pathOf(url)}/file/${asset}?format=original`, headers)).statusCode).toBe(200)
    const other = await create({ tids: ['b'], original: true, password: 'correct horse' })
    expect((await visit(other.url, headers)).payload).not.toContain('b.jpg')
    expect((await visit(url, { cookie: headers.cookie.replace(/=\d+/, '=99999999999') })).payload).not.toContain('a.jpg') // prettier-ignore
    for (let i = 0; i < 9; i++) await unlock(url, 'wrong', `203.0.113.${i}`)
    expect((await unlock(url, 'correct horse', '203.0.113.99')).statusCode).toBe(429)
    const changed = { kind: 'download', title: 'New', tids: ['a'], expiresAt: tomorrow(), password: 'another one' }
    expect((await api.post(`${at}/${id}`, changed, { method: 'PUT', token: sharer })).json.hasPassword).toBe(true)
    expect((await visit(url, headers)).payload).not.toContain('a.jpg')
  })

  test('ends at once when it is revoked or expires, or its owner is disabled', async () => {
    const asset = await idOf('a')
    const paths = ['', `/file/${asset}?format=original`, `/preview/${asset}`, '/zip?format=original']
    const expectGone = async (url: string) => {
      for (const path of paths) expect((await visit(pathOf(url) + path)).statusCode, path).toBe(404)
    }
    const one = await create({ tids: ['a'], original: true })
    expect((await api.post(`${at}/${one.id}/revoke`, undefined, { token: sharer })).json.state).toBe('revoked')
    await expectGone(one.url)
    expect((await visit(one.url)).payload).toContain('not available')
    const two = await create({ tids: ['a'], original: true })
    await api.db.run(sql`update share set expires_at = now() where id = ${two.id}`)
    await expectGone(two.url)
    expect((await api.get(`${at}/${two.id}`, { token: sharer })).json.state).toBe('expired')
    const token = await api.tokenFor({ name: 'dora', roles: ['press'] })
    const three = await create({ tids: ['a'], original: true }, token)
    expect((await visit(three.url)).statusCode).toBe(200)
    await api.db.run(sql`update user_account set enabled = false where name = 'dora'`)
    await expectGone(three.url)
    await expectGone(`${new URL(three.url).origin}/share/${'x'.repeat(43)}`)
  })

  test('that is revoked ends a running download', async () => {
    const connections = () =>
      new Promise<number>((resolve, reject) => {
        api.app.http.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
      })
    const size = 64_000_000 // more than the buffers of a connection take
    await upload(api, { path: '/MAM/boats/large.bin', tid: 'large' }, Buffer.alloc(size, 'x'))
    const { id, url } = await create({ tids: ['large'], original: true })
    const address = `${await listening()}${pathOf(url)}/file/${await idOf('large')}?format=original`
    const sent = await begin(address)
    expect([sent.statusCode, await connections()]).toEqual([200, 1])
    await api.post(`${at}/${id}/revoke`, undefined, { token: sharer })
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 20_000 })
    let received = 0
    sent.on('data', (piece: Buffer) => (received += piece.length))
    await expect(finished(sent)).rejects.toThrow()
    expect(received).toBeLessThan(size)
  })

  test('leaves out of a running zip what must not be used any more, or is not on the page', async () => {
    await upload(api, { path: '/MAM/boats/huge.bin', tid: 'huge' }, Buffer.alloc(32_000_000, 'x'))
    for (const tid of ['ending', 'leaving', 'staying']) await upload(api, { path: `/MAM/boats/${tid}.txt`, tid }, tid)
    const tids = ['huge', 'ending', 'leaving', 'staying']
    const { id, url } = await create({ tids, original: true })
    const address = `${await listening()}${pathOf(url)}/zip?format=original`
    const sent = await begin(address)
    const usageRights = { validUntil: '2020-01-31T00:00:00.000Z' }
    await api.post(`${dam}/assets/persist`, { schemaVersion: '5.6.0', assets: { asset: [{ tid: 'ending', usageRights }] } }) // prettier-ignore
    const page = { kind: 'download', title: 'For the press', expiresAt: tomorrow(), original: true }
    const changed = { ...page, tids: tids.filter((tid) => tid !== 'leaving') }
    expect((await api.post(`${at}/${id}`, changed, { method: 'PUT', token: sharer })).status).toBe(200)
    const zip = await unzip(await buffer(sent))
    expect(Object.keys(zip)).toEqual(['huge.bin', 'staying.txt', 'not-included.txt'])
    expect(zip['not-included.txt']!.toString()).toMatch(
      /^ending\.txt: .*must not be used[^]*leaving\.txt: the page does not show/,
    )
  })

  test('shows only what its owner may read and share now', async () => {
    await putRole('narrowing', everything)
    const token = await api.tokenFor({ name: 'nora', roles: ['narrowing'] })
    const collection = await api.post('/api/v1/collections', { name: 'All' }, { token })
    await api.post(`/api/v1/collections/${collection.json.id}/assets`, { add: ['a', 'hidden'] }, { token })
    const selection = await create({ tids: ['a', 'hidden'], original: true }, token)
    const shared = await create({ collection: collection.json.id, original: true }, token)
    for (const { url } of [selection, shared]) expect((await visit(url)).payload).toContain('hidden.jpg')
    await putRole('narrowing', [
      { kind: '*', actions: ['read', 'share'], scopes: { dir: ['/MAM/boats'] } },
      { kind: 'dir', actions: ['read'] },
    ])
    const hidden = await idOf('hidden')
    for (const { url } of [selection, shared]) {
      const page = await visit(url)
      expect([page.payload.includes('hidden.jpg'), page.payload.includes('a.jpg')]).toEqual([false, true])
      expect((await visit(`${pathOf(url)}/file/${hidden}?format=original`)).statusCode).toBe(404)
      expect((await visit(`${pathOf(url)}/zip?format=original`)).rawPayload.includes('hidden')).toBe(false)
    }
    await putRole('narrowing', [{ kind: '*', actions: ['read'] }])
    expect((await visit(selection.url)).statusCode).toBe(404)
  })

  test('marks files whose usage rights have ended, and does not send them', async () => {
    await upload(api, { path: '/MAM/boats/old.jpg', tid: 'old' }, jpeg)
    await api.post(`${dam}/assets/persist`, { schemaVersion: '5.6.0', assets: { asset: [{ tid: 'old', usageRights: { validUntil: '2020-01-31T00:00:00.000Z' } }] } }) // prettier-ignore
    const { url } = await create({ tids: ['a', 'old'], original: true })
    const id = await idOf('old')
    const page = await visit(url)
    expect(page.payload).toContain('may not be used')
    expect(page.payload).not.toContain(`/file/${id}`)
    expect((await visit(`${pathOf(url)}/file/${id}?format=original`)).statusCode).toBe(403)
    const refused = await visit(`${pathOf(url)}/preview/${id}`)
    expect([refused.statusCode, refused.body]).toEqual([403, expect.not.stringContaining('/MAM/')]) // visitors learn no folders
    const zip = await unzip((await visit(`${pathOf(url)}/zip?format=original`)).rawPayload)
    expect(Object.keys(zip)).toEqual(['a.jpg', 'not-included.txt'])
    expect(zip['not-included.txt']!.toString()).toMatch(/^old\.jpg: old\.jpg must not be used/)
  })

  test('says of a file that is not cleared for a format which one it is, not in which folder', async () => {
    await upload(api, { path: '/MAM/boats/web.jpg', tid: 'web' }, jpeg)
    const rights = { usageRights: { media: ['web'] } }
    await api.post(`${dam}/assets/persist`, { schemaVersion: '5.6.0', assets: { asset: [{ tid: 'web', ...rights }] } })
    const poster = { width: 20, medium: 'print' }
    await api.post(`${dam}/renditions/profiles/poster`, poster, { method: 'PUT', token: api.adminToken })
    const { url } = await create({ tids: ['a', 'web'], profiles: ['poster'] })
    const zip = await unzip((await visit(`${pathOf(url)}/zip?format=poster`)).rawPayload)
    expect(Object.keys(zip)).toEqual(['a.jpg', 'not-included.txt'])
    expect(zip['not-included.txt']!.toString()).toMatch(/^web\.jpg: web\.jpg is not cleared/)
  })

  test('sends a file that a browser could run as an attachment in a sandbox', async () => {
    const { url } = await create({ tids: ['evil'], original: true })
    const { headers } = await visit(`${pathOf(url)}/file/${await idOf('evil')}?format=original`)
    expect(headers['content-disposition']).toMatch(/^attachment/)
    expect(headers['content-security-policy']).toContain('sandbox')
  })

  test('keeps a log of visits and downloads with shortened addresses, for its owner and administrators', async () => {
    const { id, url } = await create({ tids: ['a'], original: true })
    await api.app.http.inject({ url: pathOf(url), remoteAddress: '198.51.100.77' })
    await visit(`${pathOf(url)}/file/${await idOf('a')}?format=original`)
    await visit(`${pathOf(url)}/file/${await idOf('a')}?format=original`, { range: 'bytes=5-9' })
    for (const token of [sharer, api.adminToken]) {
      const { visits } = (await api.get(`${at}/${id}/log`, { token })).json
      expect(visits).toMatchObject([{ event: 'download', what: 'a.jpg (original)' }, { event: 'visit', address: '198.51.100.0' }]) // prettier-ignore
    }
    expect((await api.get(`${at}/${id}/log`)).status).toBe(404)
    await api.db.run(sql`update share_visit set at = now() - interval '91 days' where share_id = ${id}`)
    await api.app.jobs['operations.sweep']!({} as never, new AbortController().signal)
    expect((await api.get(`${at}/${id}/log`, { token: sharer })).json.visits ?? []).toEqual([])
    expect([networkOf('2001:db8:1:2::3'), networkOf('::ffff:10.1.2.3')]).toEqual(['2001:db8:1::', '10.1.2.0'])
  })

  test.each([
    ['file', '?format=original', 'original'],
    ['media', '', 'played'],
  ])('logs a download by /%s in parts once, also if none begins with the first byte', async (kind, query, what) => {
    await upload(api, { path: `/MAM/boats/${kind}.wav`, tid: `log-${kind}`, doPreviewsAsync: false }, wav())
    const { id, url } = await create({ tids: [`log-${kind}`], original: true })
    const path = `${pathOf(url)}/${kind}/${await idOf(`log-${kind}`)}${query}`
    for (const range of ['bytes=1-', 'bytes=-800', 'bytes=5-9'])
      expect((await visit(path, { range })).statusCode).toBe(206)
    const { visits } = (await api.get(`${at}/${id}/log`, { token: sharer })).json
    expect(visits).toMatchObject([{ event: 'download', what: `${kind}.wav (${what})` }])
  })
})

test('creating a page needs the right to share, and refusals name the place', async () => {
  const body = { kind: 'download', title: 'x', expiresAt: tomorrow(), tids: ['a'] }
  expect((await api.post(at, body)).status).toBe(403) // kim may not share
  await putRole('boatsharer', [{ kind: '*', actions: ['read'] }, { kind: 'asset', actions: ['share'], scopes: { dir: ['/MAM/boats'] } }]) // prettier-ignore
  const token = await api.tokenFor({ name: 'boris', roles: ['boatsharer'] })
  expect((await api.post(at, { ...body, tids: ['hidden'] }, { token })).status).toBe(403)
  for (const [change, status, text] of [
    [{ tids: ['none'] }, 404, '/share/tids: no asset has the tid none'],
    [{ tids: undefined }, 400, 'either collection or tids'],
    [{ collection: 1 }, 400, 'either collection or tids'],
    [{ tids: undefined, collection: 1 }, 404, 'no collection'],
    [{ profiles: ['none'] }, 404, 'no rendition profile'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 400, 'within 366 days'],
    [{ password: 'short' }, 400, '8 to 128'],
    [{ folder: '/MAM/boats' }, 400, '/share/folder: is not for the kind download'],
  ] as const) {
    const reply = await api.post(at, { ...body, ...change }, { token: sharer })
    expect([reply.status, reply.text], JSON.stringify(change)).toEqual([status, expect.stringContaining(text)])
  }
})

test('the address is shown once and only its digest is stored; others cannot manage the page; all is audited', async () => {
  const { id, url } = await create({ tids: ['a', 'b'], title: 'Audited' })
  const token = url.slice(url.lastIndexOf('/') + 1)
  expect(token).toHaveLength(43)
  const [stored] = await api.db.rows(sql`select row_to_json(s)::text as text from share s where id = ${id}`)
  expect((stored as { text: string }).text).not.toContain(token)
  const got = (await api.get(`${at}/${id}`, { token: sharer })).json
  expect(got).toMatchObject({ title: 'Audited', tids: ['a', 'b'], state: 'active', hasPassword: false, owner: 'sara' })
  expect(got.url).toBeUndefined()
  await visit(url)
  for (const who of [sharer, api.adminToken]) expect((await api.get('/api/v1/requests', { token: who })).text).not.toContain(token) // prettier-ignore
  expect(JSON.stringify(api.log)).not.toContain(token)
  const other = await api.tokenFor({ name: 'omar', roles: ['press'] })
  expect((await api.get(`${at}/${id}`, { token: other })).status).toBe(404)
  expect((await api.get(at, { token: other })).json.shares ?? []).toEqual([])
  expect((await api.post(`${at}/${id}/revoke`, undefined, { token: other })).status).toBe(404)
  const change = { kind: 'download', title: 'Mine', tids: ['a'], expiresAt: tomorrow() }
  expect((await api.post(`${at}/${id}`, change, { method: 'PUT', token: api.adminToken })).status).toBe(403)
  expect((await api.post(`${at}/${id}/revoke`, undefined, { token: api.adminToken })).status).toBe(200)
  const audit = await api.db.rows(
    sql`select action, actor from audit_event where object = ${`share ${id}`} order by seq`,
  )
  expect(audit).toMatchObject([
    { action: 'share.create', actor: 'sara' },
    { action: 'share.revoke', actor: 'ada' },
  ])
})

test('a page is managed in XML too', async () => {
  const xml = `<share xmlns="http://www.apollon.de/omn"><kind>download</kind><title>As XML</title><expiresAt>${tomorrow()}</expiresAt><tids>a</tids></share>`
  const made = await api.post(at, xml, { type: 'application/xml', accept: 'application/xml', token: sharer })
  expect(made.text).toContain('<title>As XML</title>')
  expect(made.text).toMatch(/<url>http:\/\/localhost:8080\/share\/[\w-]{43}<\/url>/)
})
