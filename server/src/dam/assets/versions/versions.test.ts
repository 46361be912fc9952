/** Versions and variations, through HTTP. */
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../adapters/postgres/sql.ts'
import { bytesOf, dam, makeDirs, recordOf, upload } from '../../../../test/files.ts'
import { type Reply, withServer } from '../../../../test/server.ts'

const api = withServer()
beforeAll(() => makeDirs(api, '/MAM/boats'))

const version = (params: object, bytes: string) => upload(api, params, bytes, { to: '/assets/versions/bin/persist' })
const contentOf = async (tid: string) => (await bytesOf(api, `/assets/bin?assetTid=${tid}`)).bytes.toString()
const metaOf = (object: { meta: { itm: { key: string; value: string }[] } }) =>
  Object.fromEntries(object.meta.itm.map(({ key, value }) => [key, value]))
const versionsOf = async (tid: string) => {
  const reply = await api.post(`${dam}/assets/versions/retrieve`, { tids: [tid] })
  return (reply.json.versions.version ?? []) as { tid: string; name: string; meta: { itm: [] } }[]
}
const perform = (type: string, tid: string): Promise<Reply> =>
  api.post(`${dam}/assets/versions/perform`, {
    schemaVersion: '5.6.0',
    actions: { action: [{ dataType: 'version', type, tid }] },
  })

describe('versions', () => {
  test('the previous file becomes a version, and the uploaded one is current', async () => {
    await upload(api, { path: '/MAM/boats/a.txt', tid: 'a' }, 'first')
    await api.db.run(sql`update dam_entry set width = 300, height = 200 where tid = 'a'`)
    const dates = { timeoutDate: '2040-01-01T00:00:00.000Z', protectedBeforeDate: '2039-01-01T00:00:00.000Z' }
    const reply = await version({ tid: 'a', versionComment: 'mended', ...dates }, 'second')
    expect(recordOf(reply)).toMatchObject({ status: 'SUCCESS', action: 'update', dataType: 'version', tid: 'a' })
    expect(await contentOf('a')).toBe('second')
    const [kept] = await versionsOf('a')
    expect(kept).toMatchObject({ name: 'a.txt', assetTid: 'a' })
    expect(metaOf(kept!)).toMatchObject({
      comment: 'mended',
      creationUser: 'kim',
      fileSize: '5',
      width: '300',
      height: '200',
      active: 'false',
      ...dates,
    })
  })

  test('a version can be restored, and the restore can be undone', async () => {
    await upload(api, { path: '/MAM/boats/b.txt', tid: 'b' }, 'one')
    await version({ tid: 'b' }, 'two')
    const [first] = await versionsOf('b')
    expect(recordOf(await perform('restore', first!.tid))).toMatchObject({ status: 'SUCCESS', action: 'restore' })
    expect(await contentOf('b')).toBe('one')
    const [second, ...more] = await versionsOf('b')
    expect(more).toEqual([])
    await perform('restore', second!.tid)
    expect(await contentOf('b')).toBe('two')
  })

  test('at most 50 are kept: the oldest unprotected one is deleted', async () => {
    await upload(api, { path: '/MAM/boats/c.txt', tid: 'c' }, 'v0')
    await version({ tid: 'c', versionComment: 'protected', protectedBeforeDate: '2039-01-01' }, 'v1')
    for (let i = 2; i <= 52; i++) await version({ tid: 'c', versionComment: `v${i}` }, `v${i}`)
    const comments = (await versionsOf('c')).map((one) => metaOf(one).comment)
    expect(comments).toHaveLength(50)
    expect(comments[0]).toBe('v52')
    expect(comments.slice(-2)).toEqual(['v4', 'protected'])
  })

  test('a protected version cannot be deleted, an unprotected one can', async () => {
    await upload(api, { path: '/MAM/boats/d.txt', tid: 'd' }, '1')
    await version({ tid: 'd', protectedAfterDate: '2020-01-01' }, '2')
    await version({ tid: 'd', protectedAfterDate: '2039-01-01' }, '3')
    const [later, now] = await versionsOf('d')
    expect(recordOf(await perform('delete', now!.tid)).status).toBe('ERROR')
    expect(recordOf(await perform('delete', later!.tid)).status).toBe('SUCCESS')
    expect(await versionsOf('d')).toHaveLength(1)
    expect(recordOf(await perform('delete', 'none'))).toMatchObject({ status: 'ERROR' })
  })

  test('an asset checked out by another user cannot be changed', async () => {
    await upload(api, { path: '/MAM/boats/e.txt', tid: 'e' }, 'mine')
    await api.db.run(sql`update dam_entry set locked_by = 'otto', locked_at = now() where tid = 'e'`)
    expect((await version({ tid: 'e' }, 'yours')).status).toBe(409)
    expect((await upload(api, { path: '/MAM/boats/e.txt', doOverwrite: true }, 'yours')).status).toBe(409)
    await api.db.run(sql`update dam_entry set locked_by = 'kim' where tid = 'e'`)
    expect((await version({ tid: 'e' }, 'ours')).status).toBe(200)
  })

  test.each([
    [{ tid: 'none' }, 404],
    [{ id: 999_999 }, 404],
    [{}, 400],
    [{ tid: 'a', timeoutDate: 'soon' }, 400],
  ])('an upload of a version for %j is %s', async (params, status) => {
    expect((await version(params, 'x')).status).toBe(status)
  })
})

describe('variations', () => {
  const vary = (params: object, bytes: string, fileName = 'variation.txt') =>
    upload(api, params, bytes, { to: '/assets/variations/bin/persist', fileName })
  const treeOf = async (body: object) =>
    (await api.post(`${dam}/assets/variations/retrieve`, body)).json.variations.variation

  test('a variation is an asset in the directory of its origin, and the whole tree is returned', async () => {
    const { id } = recordOf(await upload(api, { path: '/MAM/boats/root.txt', tid: 'root' }, 'root'))
    const print = recordOf(await vary({ tid: 'root', variationType: 'Print', variationFileName: 'print.txt' }, 'print'))
    expect(print).toMatchObject({ status: 'SUCCESS', action: 'update', dataType: 'variation', tid: 'root' })
    const details = Object.fromEntries(
      print.details.itm.map(({ key, value }: { key: string; value: string }) => [key, value]),
    )
    const web = recordOf(await vary({ tid: details.variationTid, variationType: 'Web' }, 'web', 'web.txt'))
    expect(web.status).toBe('SUCCESS')
    const tree = await treeOf({ assetTids: [details.variationTid] })
    expect(tree[0]).toEqual({ assetId: id, assetTid: 'root' })
    expect(tree[1]).toMatchObject({ assetTid: details.variationTid, parentTid: 'root' })
    expect(tree[1].meta.itm).toEqual([{ value: 'Print', key: 'variationType' }])
    expect(tree[2]).toMatchObject({ parentTid: details.variationTid })
    expect(await treeOf({ assetPaths: ['/MAM/boats/web.txt'] })).toEqual(tree)
    expect(await treeOf({ assetIds: [id] })).toEqual(tree)
  })

  test('the request can be sent in the query', async () => {
    const url = `${dam}/assets/variations/retrieve?arg0=${encodeURIComponent('{"assetTids":["root"]}')}`
    expect((await api.post(url)).json.variations.variation).toHaveLength(3)
    expect((await api.post(`${dam}/assets/variations/retrieve`)).status).toBe(400)
    expect((await api.post(`${dam}/assets/variations/retrieve`, { assetTids: ['none'] })).status).toBe(404)
  })

  test.each(['/assets/variations/types', '/assets/variations/types/retrieve'])('%s lists the types', async (path) => {
    const reply = await api.post(dam + path)
    expect(reply.json.variationTypes.variationType).toEqual([{ tid: 'Print' }, { tid: 'Web' }])
  })

  test.each([
    [{ tid: 'none', variationType: 'Web' }, 404],
    [{ tid: 'root', variationType: 'Fax' }, 400],
    [{ variationType: 'Web' }, 400],
    [{ tid: 'root', variationType: 'Web', variationFileName: 'root.txt' }, 403],
  ])('a variation with %j is %s', async (params, status) => {
    expect((await vary(params, 'x')).status).toBe(status)
  })
})

describe('storages', () => {
  test('one exists from the start, with its settings', async () => {
    const { json } = await api.post(`${dam}/rncs/retrieve`)
    expect(json.rncs.rnc[0]).toMatchObject({ tid: 'MAM', name: 'MAM' })
    expect(metaOf(json.rncs.rnc[0])).toMatchObject({ rncIdentifier: 'MAM', rncOriginalMaxSize: '1280x1024' })
  })

  test('an administrator adds one, and files can be uploaded to it', async () => {
    const rnc = {
      tid: 'ARCHIVE',
      name: 'Archive',
      meta: { itm: [{ key: 'rncDisablePreviewGeneration', value: 'true' }] },
    }
    const persist = (token: string, one: object = rnc) =>
      api.post(`${dam}/rncs/persist`, { schemaVersion: '5.6.0', rncs: { rnc: [one] } }, { token })
    expect((await persist(api.token)).status).toBe(403)
    expect(recordOf(await persist(api.adminToken))).toMatchObject({
      status: 'SUCCESS',
      action: 'create',
      tid: 'ARCHIVE',
    })
    expect(recordOf(await persist(api.adminToken, { tid: 'archive' })).status).toBe('ERROR')
    const bad = { tid: 'MAM', meta: { itm: [{ key: 'rncOriginalMaxSize', value: 'huge' }] } }
    expect(recordOf(await persist(api.adminToken, bad)).status).toBe('ERROR')
    expect((await upload(api, { path: '/ARCHIVE/x.txt' }, 'x')).status).toBe(200)
  })
})
