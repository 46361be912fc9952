/** Uploads in one request, through HTTP on real files. */
import { createHash } from 'node:crypto'
import { beforeAll, expect, test, vi } from 'vitest'
import { sql } from '../../../../adapters/postgres/sql.ts'
import {
  bytesOf,
  dam,
  form,
  makeDirs,
  paramsPart,
  payloadPart,
  picture,
  recordOf,
  storedFiles,
  upload,
} from '../../../../../test/files.ts'
import { withServer } from '../../../../../test/server.ts'

const api = withServer()
beforeAll(() => makeDirs(api, '/MAM/boats', '/MAM/boats/old', '/MAM/cars'))

const assets = () =>
  api.db.rows<{ tid: string; name: string; type: string; mime: string; size: number; sha256: string }>(
    sql`select tid, name, type, mime, size, sha256 from dam_entry where kind = 'asset' order by id`,
  )
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

test('a file becomes an asset in its directory', async () => {
  const bytes = await picture(80, 60)
  const reply = await upload(api, { path: '/MAM/boats/sail.jpg' }, bytes)
  expect(reply.status).toBe(200)
  const record = recordOf(reply)
  expect(record).toMatchObject({ status: 'SUCCESS', action: 'create', dataType: 'asset', path: '/MAM/boats/sail.jpg' })
  expect(record.tid).toMatch(/^[0-9A-F-]{36}$/)
  expect((await assets()).find(({ tid }) => tid === record.tid)).toEqual({
    tid: record.tid,
    name: 'sail.jpg',
    type: 'IMG',
    mime: 'image/jpeg',
    size: bytes.length,
    sha256: sha256(bytes),
  })
  expect((await bytesOf(api, `/assets/bin?assetTid=${record.tid}`)).bytes).toEqual(bytes)
})

test.each(['application/json', 'application/xml', 'application/json+compact'])('the reply is in %s', async (accept) => {
  const reply = await upload(api, { path: `/MAM/${accept.replaceAll('/', '-')}.txt` }, 'text', { accept })
  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toContain(accept)
  expect(reply.text).toContain('SUCCESS')
})

test('params may be XML, and may come after the file', async () => {
  const xml =
    '<assetUploadRequest xmlns="http://www.apollon.de/omn"><path>/MAM/cars/late.txt</path></assetUploadRequest>'
  const { body, type } = form(payloadPart('late'), { name: 'params', value: xml, type: 'application/xml' })
  const reply = await api.post(`${dam}/assets/bin/persist`, body, { type })
  expect(recordOf(reply)).toMatchObject({ status: 'SUCCESS', path: '/MAM/cars/late.txt' })
})

test('a path that ends with / uses the name of the file', async () => {
  const reply = await upload(api, { path: 'mam/Boats/', tid: 'named' }, 'x', { fileName: 'Grüße & mehr.txt' })
  expect(recordOf(reply)).toMatchObject({ status: 'SUCCESS', tid: 'named', path: '/MAM/boats/Grüße & mehr.txt' })
})

test('an existing file is replaced only on request', async () => {
  await upload(api, { path: '/MAM/cars/a.txt', tid: 'a' }, 'first')
  const refused = await upload(api, { path: '/MAM/cars/A.TXT' }, 'second')
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('1000')
  expect(refused.text).toContain('/MAM/cars/A.TXT')
  expect((await bytesOf(api, '/assets/bin?assetTid=a')).bytes.toString()).toBe('first')
  const replaced = await upload(api, { path: '/MAM/cars/A.TXT', doOverwrite: true }, 'second')
  expect(recordOf(replaced)).toMatchObject({ action: 'update', tid: 'a', path: '/MAM/cars/a.txt' })
  expect((await bytesOf(api, '/assets/bin?assetTid=a')).bytes.toString()).toBe('second')
})

test('a tid identifies one asset and cannot be used for another file or path', async () => {
  await upload(api, { path: '/MAM/cars/b.txt', tid: 'b' }, 'b')
  const elsewhere = { path: '/MAM/cars/c.txt', tid: 'b', doOverwrite: true }
  expect((await upload(api, elsewhere, 'c')).status).toBe(403)
  expect((await upload(api, { path: '/MAM/cars/b.txt', tid: 'other', doOverwrite: true }, 'c')).status).toBe(403)
  expect((await upload(api, { path: '/MAM/cars/b.txt', tid: 'b', doOverwrite: true }, 'c')).status).toBe(200)
})

/** Nothing has been stored since. The spool may briefly contain a file that is being uploaded or read for previews. */
const expectNothingSince = (files: readonly string[]) =>
  vi.waitFor(async () => expect((await storedFiles(api)).filter((file) => !files.includes(file))).toEqual([]), {
    timeout: 20_000,
  })

test('identical bytes are stored once, and the record lists the duplicates', async () => {
  await upload(api, { path: '/MAM/cars/one.txt', tid: 'one' }, 'the same')
  const files = await storedFiles(api)
  const reply = await upload(api, { path: '/MAM/cars/two.txt' }, 'the same')
  expect(recordOf(reply).details.itm).toEqual([{ value: 'one', key: 'duplicates' }])
  await expectNothingSince(files)
})

/** Of somebody who sees only cars. */
const driversToken = async () => {
  const scopes = { dir: ['/MAM/cars'] }
  const grants = ['asset', 'dir'].map((kind) => ({ kind, actions: ['read', 'create'], scopes }))
  await api.post('/api/v1/identity/roles/driver', { grants }, { method: 'PUT', token: api.adminToken })
  return api.tokenFor({ roles: ['driver'] })
}

test('a variation does not name the asset that it is derived from to those who may not see that', async () => {
  await upload(api, { path: '/MAM/boats/origin.txt', tid: 'hidden origin' }, 'the origin')
  const params = { tid: 'hidden origin', variationType: 'Web', variationFileName: 'derived.txt' }
  const made = await upload(api, params, 'derived', { to: '/assets/variations/bin/persist' })
  const tid = recordOf(made).details.itm.find(({ key }: { key: string }) => key === 'variationTid').value
  const meta = { itm: [{ key: 'destinationDirPath', value: '/MAM/cars' }] }
  const moved = await api.post(`${dam}/assets/perform`, { schemaVersion: '5.6.0', actions: { action: [{ dataType: 'asset', type: 'move', tid, meta }] } }) // prettier-ignore
  expect(recordOf(moved).status, moved.text).toBe('SUCCESS')
  const treeOf = async (token: string) =>
    (await api.post(`${dam}/assets/variations/retrieve`, { assetTids: [tid] }, { token })).text
  expect(await treeOf(api.token)).toContain('hidden origin')
  const seen = await treeOf(await driversToken())
  expect([seen.includes(tid), seen.includes('hidden origin')]).toEqual([true, false])
})

test('duplicates that the uploader may not see are not listed', async () => {
  const token = await driversToken()
  await upload(api, { path: '/MAM/boats/secret.txt', tid: 'secret' }, 'known elsewhere')
  await upload(api, { path: '/MAM/cars/open.txt', tid: 'open' }, 'known elsewhere')
  const reply = await upload(api, { path: '/MAM/cars/guess.txt' }, 'known elsewhere', { token })
  expect(reply.status, reply.text).toBe(200)
  expect(recordOf(reply).details.itm).toEqual([{ value: 'open', key: 'duplicates' }])
})

test.each([
  ['a file', '/assets/bin/persist', { path: '/MAM/cars/checked.txt', doOverwrite: true }],
  ['a version', '/assets/versions/bin/persist', { tid: 'base' }],
  ['a variation', '/assets/variations/bin/persist', { tid: 'base', variationType: 'Web', variationFileName: 'c.txt' }],
])('%s with a wrong checksum is refused and stores nothing', async (_what, to, params) => {
  await upload(api, { path: '/MAM/cars/base.txt', tid: 'base', doOverwrite: true }, 'base')
  const sha256 = createHash('sha256').update('these bytes').digest('hex')
  const [files, before] = [await storedFiles(api), await assets()]
  const send = (bytes: string, checksum: string) => upload(api, { ...params, checksum }, bytes, { to })
  const refused = await send('other bytes', sha256)
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`${sha256} was announced`)])
  expect((await send('these bytes', 'not a checksum')).status).toBe(400)
  await expectNothingSince(files)
  expect(await assets()).toEqual(before)
  const taken = await send('these bytes', sha256.toUpperCase())
  expect(taken.status, taken.text).toBe(200)
})

test('of two concurrent uploads to one path one succeeds and the other is refused', async () => {
  const tries = Array.from({ length: 6 }, (_, i) => upload(api, { path: '/MAM/cars/race.txt' }, `racer ${i}`))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 403)).toHaveLength(5)
})

test('a repeat with the same idempotency key has no second effect', async () => {
  const headers = { 'idempotency-key': 'upload-1' }
  const send = (text: string) => upload(api, { path: '/MAM/cars/once.txt' }, text, { headers })
  const [first, second] = [await send('once'), await send('once')]
  expect(recordOf(second)).toEqual(recordOf(first))
  expect((await send('other')).status).toBe(400)
})

const refusals: [string, object, string, number, RegExp][] = [
  ['no path', {}, 'f', 400, /path is missing/],
  ['only a storage', { path: '/MAM' }, 'f', 400, /names a storage/],
  [
    'a directory that is not there',
    { path: '/MAM/none/x.txt' },
    'f',
    404,
    /no directory has the path \/MAM\/none; create it with the action createPath/,
  ],
  ['a storage that is not there', { path: '/NONE/x.txt' }, 'f', 404, /1002/],
  ['a directory of that name', { path: '/MAM/boats/old' }, 'f', 403, /is a directory/],
  ['dots that lead upwards', { path: '/MAM/boats/../x.txt' }, 'f', 400, /dot/],
  ['a name that is ..', { path: '/MAM/boats/..' }, 'f', 400, /dot/],
  ['a backslash', { path: '/MAM/boats/a\\b.txt' }, 'f', 400, /\\/],
  ['a control character', { path: '/MAM/boats/a\u0007b.txt' }, 'f', 400, /1001/],
  ['a character that turns the text around', { path: '/MAM/boats/gpj\u202e.exe' }, 'f', 400, /control/],
  ['a device name', { path: '/MAM/boats/CON.txt' }, 'f', 400, /device/],
  ['a dot at the end', { path: '/MAM/boats/a.' }, 'f', 400, /dot/],
  ['a name of 256 characters', { path: `/MAM/boats/${'n'.repeat(256)}` }, 'f', 400, /255/],
  ['no name at all', { path: '/MAM/boats/' }, '', 400, /missing/],
  ['a name from the client that leads upwards', { path: '/MAM/boats/' }, '..', 400, /1001/],
  ['an unknown field', { path: '/MAM/x.txt', force: true }, 'f', 400, /force/],
]
test.each(refusals)('%s is refused and stores nothing', async (_what, params, fileName, status, text) => {
  const [files, before] = [await storedFiles(api), await assets()]
  const reply = await upload(api, params, 'refused', { fileName })
  expect(reply.status, reply.text).toBe(status)
  expect(reply.text).toMatch(text)
  await expectNothingSince(files)
  expect(await assets()).toEqual(before)
})

test('folders in the file name of the client are ignored', async () => {
  const reply = await upload(api, { path: '/MAM/boats/' }, 'x', { fileName: '../../etc/passwd.txt' })
  expect(recordOf(reply)).toMatchObject({ path: '/MAM/boats/passwd.txt' })
})

const forms: [string, () => { body: Buffer; type: string }, number, RegExp][] = [
  ['no payload', () => form(paramsPart({ path: '/MAM/x' })), 400, /no part payload/],
  ['no params', () => form(payloadPart('x')), 400, /no part params/],
  ['params that are not JSON', () => form({ name: 'params', value: '{' }, payloadPart('x')), 400, /1001/],
  [
    'an unknown part',
    () => form(paramsPart({ path: '/MAM/x' }), { name: '__proto__', value: '1' }, payloadPart('x')),
    400,
    /not expected/,
  ],
  ['params twice', () => form(paramsPart({ path: '/MAM/x' }), paramsPart({}), payloadPart('x')), 400, /twice/],
  ['two files', () => form(paramsPart({ path: '/MAM/x' }), payloadPart('x'), payloadPart('y')), 400, /too many parts/],
  [
    'a broken end',
    () => ({ ...form(paramsPart({ path: '/MAM/x' }), payloadPart('x')), body: Buffer.from('--nothing') }),
    400,
    /1001/,
  ],
  [
    'a long boundary',
    () => ({ body: Buffer.from('x'), type: `multipart/form-data; boundary=${'b'.repeat(252)}` }),
    400,
    /boundary/,
  ],
  ['no boundary', () => ({ body: Buffer.from('x'), type: 'multipart/form-data' }), 400, /boundary/],
  [
    'JSON instead of a form',
    () => ({ body: Buffer.from('{"payload":"/etc/passwd"}'), type: 'application/json' }),
    400,
    /multipart/,
  ],
]
test.each(forms)('a form with %s is refused and stores nothing', async (_what, make, status, text) => {
  const [files, before] = [await storedFiles(api), await assets()]
  const { body, type } = make()
  const reply = await api.post(`${dam}/assets/bin/persist`, body, { type })
  expect(reply.status, reply.text).toBe(status)
  expect(reply.text).toMatch(text)
  await expectNothingSince(files)
  expect(await assets()).toEqual(before)
})

test('an upload without a token or a permission is refused', async () => {
  const before = await storedFiles(api)
  expect((await upload(api, { path: '/MAM/x.txt' }, 'x', { token: null })).status).toBe(401)
  const reader = await api.tokenFor({ name: 'rita', roles: ['reader'] })
  expect((await upload(api, { path: '/MAM/x.txt' }, 'x', { token: reader })).status).toBe(401)
  expect(await storedFiles(api)).toEqual(before)
})

test('content determines the file type, not the name', async () => {
  await upload(api, { path: '/MAM/cars/really.txt', tid: 'really' }, await picture(4, 4, 'png'))
  await upload(api, { path: '/MAM/cars/fake.jpg', tid: 'fake' }, '<html><script>alert(1)</script></html>')
  await upload(api, { path: '/MAM/cars/binary.jpg', tid: 'binary' }, Buffer.from([0, 1, 2, 3]))
  const kinds = new Map((await assets()).map(({ tid, type, mime }) => [tid, [type, mime]]))
  expect(kinds.get('really')).toEqual(['IMG', 'image/png'])
  expect(kinds.get('fake')).toEqual(['DOC', 'text/plain'])
  expect(kinds.get('binary')).toEqual(['FILE', 'application/octet-stream'])
})
