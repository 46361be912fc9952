/** Upload requests: files of outsiders wait in quarantine until somebody accepts or rejects them. */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { blobsOf, dam, makeDirs, picture, recordOf, upload } from '../../test/files.ts'
import { searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'
import { sql } from '../adapters/postgres/sql.ts'
import { collect } from '../dam/storage/collect.ts'

const api = withServer({ KONTOR_MAX_UPLOAD: '3000000' })
const at = '/api/v1/shares'
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
let owner: string
let jpeg: Buffer
const putRole = async (name: string, grants: object[]) =>
  expect((await api.post(`/api/v1/identity/roles/${name}`, { grants }, { method: 'PUT', token: api.adminToken })).status).toBe(200) // prettier-ignore
const request = async (body: object = {}, token = owner) => {
  const reply = await api.post(at, { kind: 'upload', title: 'Your photos', expiresAt: tomorrow(), folder: '/MAM/in', ...body }, { token }) // prettier-ignore
  expect(reply.status, reply.text).toBe(200)
  return reply.json as { id: number; url: string }
}
const deliver = (url: string, name: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  api.app.http.inject({
    method: 'POST',
    url: `${new URL(url).pathname}/files?name=${encodeURIComponent(name)}`,
    payload,
    headers: { 'content-type': 'application/octet-stream', ...headers },
  })
const waiting = async (id: number, token = owner) => (await api.get(`${at}/${id}/files`, { token })).json.files ?? []
const decide = async (id: number, body: object, token = owner) =>
  (await api.post(`${at}/${id}/files`, body, { token })).json.outcomes
const assetNamed = (name: string) =>
  api.db.row<{ tid: string }>(sql`select tid from dam_entry where name = ${name} and kind = 'asset'`)
const sha = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
/** Makes everything stored so far old. */
const age = () => api.db.run(sql`update blob set touched_at = touched_at - interval '2 days'`)

beforeAll(async () => {
  jpeg = await picture(60, 40)
  await makeDirs(api, '/MAM/in', '/MAM/other')
  await putRole('collector', [{ kind: '*', actions: ['read', 'create', 'share'] }])
  owner = await api.tokenFor({ name: 'olga', roles: ['collector'] })
})

test('files are delivered, seen by the owner, accepted or rejected', async () => {
  const { id, url } = await request({ message: 'Thank you' })
  const page = await api.app.http.inject({ url: new URL(url).pathname, headers: { 'accept-language': 'fr' } })
  expect([page.statusCode, page.payload.includes('Choisissez des fichiers')]).toEqual([200, true])
  expect(page.headers['content-security-policy']).toMatch(/script-src 'sha256-[^']+'/)
  expect((await deliver(url, 'boat.jpg', jpeg)).statusCode).toBe(200)
  expect((await deliver(url, 'note.txt', 'text of somebody')).statusCode).toBe(200)
  const [boat, noteFile] = await waiting(id)
  expect([boat, noteFile]).toMatchObject([{ name: 'boat.jpg', size: jpeg.length, mime: 'image/jpeg' }, { name: 'note.txt' }]) // prettier-ignore
  expect((await api.get(`${at}/${id}`, { token: owner })).json.waiting).toBe(2)
  const outcomes = await decide(id, { accept: [boat.id], reject: [noteFile.id] })
  expect(outcomes).toMatchObject([{ outcome: 'accepted', path: '/MAM/in/boat.jpg' }, { outcome: 'rejected' }])
  expect(await assetNamed('boat.jpg')).toMatchObject({ tid: outcomes[0].tid })
  expect(await waiting(id)).toEqual([])
  expect(await decide(id, { accept: [boat.id] })).toMatchObject([{ outcome: 'refused', problem: expect.stringContaining('no delivered file') }]) // prettier-ignore
  const log = (await api.get(`${at}/${id}/log`, { token: owner })).json.visits
  expect(log.map(({ event }: { event: string }) => event)).toEqual(['delivery', 'delivery', 'visit'])
})

test('a name that is taken gets a number, also when two are accepted at the same time', async () => {
  await upload(api, { path: '/MAM/in/taken.txt' }, 'there')
  const { id, url } = await request()
  for (const text of ['one', 'two']) await deliver(url, 'taken.txt', text)
  const files = await waiting(id)
  const done = await Promise.all(files.map((file: { id: number }) => decide(id, { accept: [file.id] })))
  const paths = done.flat().map(({ path, outcome }) => (outcome === 'accepted' ? path : 'refused'))
  const again = paths.includes('refused') ? await decide(id, { accept: (await waiting(id)).map((file: { id: number }) => file.id) }) : [] // prettier-ignore
  expect([...paths, ...again.map(({ path }: { path: string }) => path)].filter((path) => path !== 'refused').toSorted()).toEqual(['/MAM/in/taken-2.txt', '/MAM/in/taken-3.txt']) // prettier-ignore
})

test('a file that two people accept at the same time becomes one asset', async () => {
  const { id, url } = await request()
  await deliver(url, 'once.txt', 'only once')
  const [{ id: file }] = await waiting(id)
  const outcomes = (await Promise.all([owner, api.adminToken].map((token) => decide(id, { accept: [file] }, token)))).flat() // prettier-ignore
  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['accepted', 'refused'])
})

describe('quarantine', () => {
  test('nothing finds, counts or serves a waiting file', async () => {
    const { id, url } = await request()
    await deliver(url, 'quarantined.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const [file] = await waiting(id)
    expect(await assetNamed('quarantined.svg')).toBeUndefined()
    await searchCalls(api).rebuild('ASSET')
    expect(await searchCalls(api).found('ASSET', { queryType: 'FULLTEXT', value: 'quarantined' })).toEqual([])
    expect((await api.get(`${dam}/assets/bin?assetId=${file.id}`, { token: api.adminToken })).status).toBe(404)
    const bin = (token: string) => api.app.http.inject({ url: `${at}/${id}/files/${file.id}/bin`, headers: { authorization: `Bearer ${token}` } }) // prettier-ignore
    const sent = await bin(owner)
    expect(sent.headers['content-disposition']).toMatch(/^attachment/)
    expect(sent.headers['content-security-policy']).toContain('sandbox')
    expect((await bin(api.token)).statusCode).toBe(404)
    expect((await deliver(url, 'x.txt', '')).statusCode).toBe(200)
    expect((await api.app.http.inject({ url: `${new URL(url).pathname}/file/${file.id}?format=original` })).statusCode).toBe(404) // prettier-ignore
  })

  test('its pictures are drawn for the owner alone', async () => {
    const { id, url } = await request()
    await deliver(url, 'drawn.jpg', await picture(61, 41))
    await deliver(url, 'broken.jpg', 'not a picture')
    const [drawn, broken] = await waiting(id)
    const preview = (file: { id: number }, token = owner) =>
      api.app.http.inject({ url: `${at}/${id}/files/${file.id}/preview`, headers: { authorization: `Bearer ${token}` } }) // prettier-ignore
    const shown = await preview(drawn)
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await preview(broken)).statusCode).toBe(404)
    expect((await preview(drawn, api.token)).statusCode).toBe(404)
  })

  test('its bytes are kept while they wait and collected when they are rejected', async () => {
    const { id, url } = await request()
    const blobs = blobsOf(api)
    const text = 'kept until somebody decides'
    await deliver(url, 'kept.txt', text)
    await age()
    await collect(api.db, blobs, 1440)
    expect(await blobs.has(sha(text), text.length)).toBe(true)
    const [file] = await waiting(id)
    await decide(id, { reject: [file.id] })
    await collect(api.db, blobs, 1440)
    expect(await blobs.has(sha(text), text.length)).toBe(false)
  })

  test('files that nobody decided about are deleted a month after the end', async () => {
    const { id, url } = await request()
    await deliver(url, 'forgotten.txt', 'forgotten')
    const sweep = () => api.app.jobs['operations.sweep']!({} as never, new AbortController().signal)
    await api.db.run(sql`update share set expires_at = now() - interval '29 days' where id = ${id}`)
    await sweep()
    expect(await waiting(id)).toHaveLength(1)
    await api.db.run(sql`update share set expires_at = now() - interval '31 days' where id = ${id}`)
    await sweep()
    expect(await waiting(id)).toEqual([])
    await api.db.run(sql`update share set expires_at = now() - interval '91 days' where id = ${id}`)
    await sweep()
    expect((await api.get(`${at}/${id}`, { token: owner })).status).toBe(404)
  })
})

describe('a delivery is refused', () => {
  test.each(['../../etc/passwd', 'a/b.txt', String.raw`a\b.txt`, '..', 'con', '', 'x\u0000.txt', 'n'.repeat(300)])(
    'with the name %j',
    async (name) => {
      const { id, url } = await request()
      expect((await deliver(url, name, 'x')).statusCode).toBe(400)
      expect(await waiting(id)).toEqual([])
    },
  )

  test('if it is too large, too many or of another type, and says so', async () => {
    const { id, url } = await request({ maxFiles: 2, maxMegabytes: 1, extensions: ['JPG', 'png'] })
    expect((await deliver(url, 'big.jpg', Buffer.alloc(1_000_001))).statusCode).toBe(413)
    const wrong = await deliver(url, 'page.html', '<script>')
    expect([wrong.statusCode, wrong.payload.includes('must end with jpg, png')]).toEqual([400, true])
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((name) => deliver(url, `${name}.jpg`, name)))
    expect(all.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 409, 409])
    expect(await waiting(id)).toHaveLength(2)
    await decide(id, { reject: (await waiting(id)).map((file: { id: number }) => file.id) })
    expect((await deliver(url, 'e.jpg', 'e')).statusCode).toBe(409)
  })

  test('without the password, after the end, and on a share page', async () => {
    const { id, url } = await request({ password: 'correct horse' })
    expect((await deliver(url, 'a.txt', 'x')).statusCode).toBe(401)
    expect(await waiting(id)).toEqual([])
    const revoked = await request()
    await api.post(`${at}/${revoked.id}/revoke`, undefined, { token: owner })
    expect((await deliver(revoked.url, 'a.txt', 'x')).statusCode).toBe(404)
    const expired = await request()
    await api.db.run(sql`update share set expires_at = now() where id = ${expired.id}`)
    expect((await deliver(expired.url, 'a.txt', 'x')).statusCode).toBe(404)
    await upload(api, { path: '/MAM/other/a.jpg', tid: 'shared' }, jpeg)
    const page = await api.post(at, { kind: 'download', title: 'x', expiresAt: tomorrow(), tids: ['shared'] }, { token: owner }) // prettier-ignore
    expect((await deliver(page.json.url, 'a.txt', 'x')).statusCode).toBe(404)
  })
})

test('a repeated delivery of the same file adds nothing, and the type is that of the content', async () => {
  const { id, url } = await request({ maxFiles: 1 })
  for (let i = 0; i < 3; i++) expect((await deliver(url, 'same.png', jpeg, { 'content-type': 'text/html' })).statusCode).toBe(i === 0 ? 200 : 409) // prettier-ignore
  const wide = await request({ maxFiles: 5 })
  for (let i = 0; i < 3; i++) expect((await deliver(wide.url, 'same.png', jpeg)).statusCode).toBe(200)
  expect(await waiting(wide.id)).toHaveLength(1)
  expect((await waiting(id))[0].mime).toBe('image/jpeg')
})

test('many decisions at once end, although there are fewer connections to the database', async () => {
  const { id, url } = await request()
  for (let i = 0; i < 12; i++) await deliver(url, `many ${i}.txt`, `many ${i}`)
  const outcomes = await Promise.all(
    (await waiting(id)).map((file: { id: number }) => decide(id, { accept: [file.id] })),
  )
  expect(outcomes.flat().map(({ outcome }) => outcome)).toEqual(Array.from({ length: 12 }, () => 'accepted'))
})

test('the owner gets one message for many files', async () => {
  const token = await api.tokenFor({ name: 'mia', roles: ['collector'] })
  const { id, url } = await request({ title: 'One message' }, token)
  for (const name of ['a', 'b', 'c']) await deliver(url, `${name}.txt`, name)
  const messages = await api.db.rows(sql`select subject, parameters from message where recipient_user = 'mia'`)
  expect(messages).toMatchObject([{ subject: 'Files delivered: One message', parameters: { shareId: String(id) } }])
})

test('accepting needs the right to create files in the folder, and a request needs it too', async () => {
  await putRole('fading', [{ kind: '*', actions: ['read', 'create', 'share'] }])
  const token = await api.tokenFor({ name: 'fay', roles: ['fading'] })
  const { id, url } = await request({}, token)
  await deliver(url, 'late.txt', 'late')
  const [file] = await waiting(id, token)
  await putRole('fading', [{ kind: '*', actions: ['read', 'share'] }])
  expect(await decide(id, { accept: [file.id] }, token)).toMatchObject([{ outcome: 'refused', problem: expect.stringContaining('create') }]) // prettier-ignore
  expect(await waiting(id, token)).toHaveLength(1)
  const body = { kind: 'upload', title: 'x', expiresAt: tomorrow(), folder: '/MAM/in' }
  expect((await api.post(at, body, { token })).status).toBe(403)
  expect((await api.post(at, { ...body, folder: '/MAM/none' }, { token: owner })).status).toBe(404)
  expect((await api.post(at, { ...body, folder: undefined }, { token: owner })).text).toContain('/share/folder')
  expect((await api.get(`${at}/${id}/files`, { token: owner })).status).toBe(404)
  expect(recordOf(await upload(api, { path: '/MAM/in/late.txt' }, 'x')).status).toBe('SUCCESS')
  expect(await decide(id, { accept: [file.id] }, api.adminToken)).toMatchObject([{ path: '/MAM/in/late-2.txt' }])
})
