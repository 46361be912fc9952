/** Uploads in chunks, through HTTP. */
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../../../adapters/postgres/sql.ts'
import { bytesOf, dam, form, makeDirs, payloadPart, recordOf, storedFiles, upload } from '../../../../../test/files.ts'
import { withServer } from '../../../../../test/server.ts'

const api = withServer({ KONTOR_MAX_CHUNK: '2048', KONTOR_MAX_FILE: '4096', KONTOR_UPLOADS_PER_USER: '40' })
beforeAll(() => makeDirs(api, '/MAM/boats'))

const kinds = { asset: '/assets/bin/chunked', version: '/assets/versions/bin/chunked' }
type Kind = keyof typeof kinds
const start = async (params: object, kind: Kind = 'asset') => {
  const reply = await api.post(`${dam}${kinds[kind]}/start`, params)
  return { reply, tid: reply.status === 200 ? (recordOf(reply).tid as string) : '' }
}
const send = (tid: string, chunkId: number | string, bytes: string, kind: Kind = 'asset', token?: string) => {
  const { body, type } = form({ name: 'chunkId', value: String(chunkId) }, payloadPart(bytes))
  return api.post(`${dam}${kinds[kind]}/upload/${tid}`, body, { type, ...(token && { token }) })
}
const finish = (tid: string, params: object, kind: Kind = 'asset', method: 'PUT' | 'POST' = 'PUT') =>
  api.post(`${dam}${kinds[kind]}/persist/${tid}`, params, { method })
const contentOf = async (tid: string) => (await bytesOf(api, `/assets/bin?assetTid=${tid}`)).bytes.toString()

test('chunks in any order become one file', async () => {
  const params = { path: '/MAM/boats/film.txt', tid: 'film' }
  const { reply, tid } = await start(params)
  expect(recordOf(reply)).toEqual({
    status: 'SUCCESS',
    description: 'upload started',
    tid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  })
  const replies = await Promise.all([send(tid, 2, 'three'), send(tid, 0, 'one '), send(tid, 1, 'two ')])
  expect(recordOf(replies[0]!)).toEqual({
    status: 'SUCCESS',
    description: 'chunk stored',
    action: 'create',
    id: 2,
    tid,
  })
  const done = await finish(tid, params)
  expect(recordOf(done)).toMatchObject({ status: 'SUCCESS', action: 'create', dataType: 'asset', tid: 'film' })
  expect(await contentOf('film')).toBe('one two three')
  expect((await storedFiles(api)).filter((file) => /^(uploads|tmp)/.test(file))).toEqual([])
  expect((await finish(tid, params)).status).toBe(404)
})

test.each(['asset', 'version'] as const)('an upload (%s) reports its progress and can be cancelled', async (kind) => {
  const path = `/MAM/boats/far-${kind}.txt`
  if (kind === 'version') await upload(api, { path, tid: 'far' }, 'first')
  const { tid } = await start(kind === 'version' ? { tid: 'far' } : { path }, kind)
  const state = (method: 'GET' | 'DELETE' = 'GET', token?: string) =>
    api.get(`${dam}${kinds[kind]}/${tid}`, { method, ...(token && { token }) })
  const progress = async () => {
    const { details } = recordOf(await state()) as { details: { itm: { key: string; value: string }[] } }
    return Object.fromEntries(details.itm.map(({ key, value }) => [key, value]))
  }
  expect(await progress()).toEqual({ size: '0', expires: expect.stringMatching(/Z$/) as string })
  for (const number of [0, 1, 2, 4, 7, 8]) await send(tid, number, 'four', kind)
  expect(await progress()).toMatchObject({ chunks: '0-2,4,7-8', size: '24' })
  const other = await api.tokenFor({ name: `somebody else, ${kind}` })
  expect((await state('GET', other)).status).toBe(404)
  expect((await state('DELETE', other)).status).toBe(404)
  expect((await state('DELETE')).status).toBe(200)
  expect((await state()).status).toBe(404)
  expect((await send(tid, 3, 'four', kind)).status).toBe(404)
  expect((await storedFiles(api)).filter((file) => /^(uploads|tmp)/.test(file))).toEqual([])
})

test('a repeated chunk is accepted, but not different bytes with its number', async () => {
  const params = { path: '/MAM/boats/again.txt', tid: 'again' }
  const { tid } = await start(params)
  expect((await send(tid, 0, 'same')).status).toBe(200)
  expect((await send(tid, 0, 'same')).status).toBe(200)
  const other = await send(tid, 0, 'else')
  expect(other.status).toBe(400)
  expect(other.text).toContain('chunk 0 was uploaded with different bytes')
  expect((await finish(tid, params, 'asset', 'POST')).status).toBe(200)
  expect(await contentOf('again')).toBe('same')
})

test('missing chunks are listed, and the upload can be finished after they arrive', async () => {
  const params = { path: '/MAM/boats/gaps.txt', tid: 'gaps' }
  const { tid } = await start(params)
  expect((await finish(tid, params)).text).toContain('no chunk has arrived')
  await Promise.all([send(tid, 1, 'b'), send(tid, 5, 'f')])
  const refused = await finish(tid, params)
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('chunks are missing: 0, 2 to 4')
  await Promise.all([send(tid, 0, 'a'), send(tid, 2, 'c'), send(tid, 3, 'd'), send(tid, 4, 'e')])
  expect((await finish(tid, params)).status).toBe(200)
  expect(await contentOf('gaps')).toBe('abcdef')
})

test('an existing target is refused at the finish, and can then be replaced', async () => {
  const params = { path: '/MAM/boats/taken.txt' }
  const { tid } = await start(params)
  await send(tid, 0, 'mine')
  await upload(api, params, 'yours')
  const refused = await finish(tid, params)
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('1000')
  expect(recordOf(await finish(tid, { ...params, doOverwrite: true }))).toMatchObject({ action: 'update' })
})

test('path and tid of the finish must be the same as at the start', async () => {
  const { tid } = await start({ path: '/MAM/boats/x.txt', tid: 'x' })
  await send(tid, 0, 'x')
  expect((await finish(tid, { path: '/MAM/boats/y.txt', tid: 'x' })).status).toBe(400)
  expect((await finish(tid, { path: '/MAM/boats/x.txt', tid: 'y' })).status).toBe(400)
  expect((await finish(tid, { path: 'MAM/boats/X.txt', tid: 'x' })).status).toBe(200)
})

test('an upload that cannot succeed is refused at the start', async () => {
  expect((await start({ path: '/MAM/boats/' })).reply.status).toBe(400)
  expect((await start({ path: '/MAM/none/x.txt' })).reply.status).toBe(404)
  expect((await start({})).reply.status).toBe(400)
  expect((await start({ tid: 'none' }, 'version')).reply.status).toBe(404)
  expect((await start({ tid: 'none' }, 'version')).reply.text).toContain('1002')
})

test('an upload belongs to the user who started it and to its kind', async () => {
  const { tid } = await start({ path: '/MAM/boats/private.txt' })
  const other = await api.tokenFor({ name: 'otto' })
  expect((await send(tid, 0, 'x', 'asset', other)).status).toBe(404)
  expect((await send(tid, 0, 'x', 'version')).status).toBe(404)
  expect((await send('00000000-0000-4000-8000-000000000000', 0, 'x')).status).toBe(404)
  expect((await send('nonsense', 0, 'x')).status).toBe(404)
})

test.each(['-1', '10000', '1.5', 'x', '', '99999999999'])('a chunk cannot be number "%s"', async (chunkId) => {
  const { tid } = await start({ path: `/MAM/boats/number ${chunkId}.txt` })
  expect((await send(tid, chunkId, 'x')).status).toBe(400)
})

test('the size of a chunk and of all chunks is limited, and a refused chunk stores nothing', async () => {
  const before = await storedFiles(api)
  const { tid } = await start({ path: '/MAM/boats/large.txt' })
  expect((await send(tid, 0, 'x'.repeat(2049))).status).toBe(413)
  expect(await storedFiles(api)).toEqual(before)
  expect((await send(tid, 0, 'x'.repeat(2048))).status).toBe(200)
  expect((await send(tid, 1, 'y'.repeat(2048))).status).toBe(200)
  expect((await send(tid, 2, 'z')).status).toBe(413)
})

test('an upload expires some time after its last chunk', async () => {
  const { tid } = await start({ path: '/MAM/boats/old.txt' })
  await send(tid, 0, 'x')
  await api.db.run(sql`update upload set expires_at = now() where id = ${tid}`)
  expect((await send(tid, 1, 'y')).status).toBe(404)
  expect((await finish(tid, { path: '/MAM/boats/old.txt' })).status).toBe(404)
})

test('a version can be uploaded in chunks', async () => {
  await upload(api, { path: '/MAM/boats/versioned.txt', tid: 'versioned' }, 'first')
  const { tid } = await start({ tid: 'versioned' }, 'version')
  await Promise.all([send(tid, 1, 'ond', 'version'), send(tid, 0, 'sec', 'version')])
  const done = await finish(tid, { tid: 'versioned', versionComment: 'better' }, 'version')
  expect(recordOf(done)).toMatchObject({ status: 'SUCCESS', dataType: 'version', tid: 'versioned' })
  expect(await contentOf('versioned')).toBe('second')
})

test('the number of uploads in progress per user is limited', async () => {
  const replies = []
  for (let i = 0; i < 41; i++) replies.push((await start({ path: `/MAM/boats/many ${i}.txt` })).reply.status)
  expect(replies.at(-1)).toBe(429)
})
