/** Statistics of files by folder, type and age. */
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../adapters/postgres/sql.ts'
import { dam, makeDirs, upload } from '../../../test/files.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const at = '/api/v1/care/statistics'
const admin = () => ({ token: api.adminToken })
const get = async (folder = '') =>
  (await api.get(`${at}${folder && `?folder=${encodeURIComponent(folder)}`}`, admin())).json

beforeAll(async () => {
  await makeDirs(api, '/MAM/a', '/MAM/a/deep', '/MAM/b')
  await upload(api, { path: '/MAM/a/1.txt', tid: '1' }, 'x'.repeat(100))
  await upload(api, { path: '/MAM/a/deep/2.txt', tid: '2' }, 'y'.repeat(200))
  await upload(api, { path: '/MAM/b/3.bin', tid: '3' }, Buffer.alloc(50))
  await upload(api, { path: '/MAM/b/4.bin', tid: '4' }, Buffer.alloc(50))
  await upload(api, { path: '/MAM/b/gone.txt', tid: 'gone' }, 'z'.repeat(7))
  await upload(api, { tid: '1' }, 'x'.repeat(90), { to: '/assets/versions/bin/persist' })
  const actions = { action: [{ type: 'delete', dataType: 'asset', tid: 'gone' }] }
  await api.post(`${dam}/assets/perform`, { schemaVersion: '5.6.0', actions })
  await api.db.run(sql`update dam_entry set created_at = now() - interval '2 years 1 day' where tid = '2'`)
})

test('all files are counted by folder, type and age', async () => {
  const found = await get()
  expect(found).toMatchObject({
    total: { files: 4, bytes: 390 },
    versions: { files: 1, bytes: 100 },
    trash: { files: 1, bytes: 7 },
    unlinked: { files: 4, bytes: 390 },
    duplicates: { files: 1, bytes: 50 },
    archived: { files: 0, bytes: 0 },
    stored: { files: 5, bytes: 447 },
    folders: [{ path: '/MAM', files: 4, bytes: 390 }],
    ages: [
      { fromMonths: 0, files: 3, bytes: 190 },
      { fromMonths: 24, files: 1, bytes: 200 },
    ],
  })
  expect(found.types[0]).toEqual({ name: 'text/plain', files: 2, bytes: 290 })
  expect(found.largest[0]).toEqual({ tid: '2', path: '/MAM/a/deep/2.txt', bytes: 200 })
})

test('a folder is counted with the folders below it', async () => {
  expect(await get('/MAM')).toMatchObject({ folders: [{ path: '/MAM/a', files: 2, bytes: 290 }, { path: '/MAM/b', files: 2, bytes: 100 }] }) // prettier-ignore
  const a = await get('/mam/A')
  expect(a).toMatchObject({ folder: '/MAM/a', total: { files: 2, bytes: 290 }, folders: [{ path: '/MAM/a/deep', files: 1 }, { path: '/MAM/a', files: 1 }] }) // prettier-ignore
  expect(a.stored).toBeUndefined()
})

test('only administrators get them, and an unknown folder is named', async () => {
  expect((await api.get(at)).status).toBe(403)
  expect((await api.get(`${at}?folder=/MAM/none`, admin())).status).toBe(404)
  expect((await api.get(`${at}?other=x`, admin())).status).toBe(400)
})
