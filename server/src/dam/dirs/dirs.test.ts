import { describe, expect, test } from 'vitest'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { damCalls } from '../../../test/dam.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { persistDirs, performDirs, dirPaths, createPath, addAssets, retrieveDirs, meta, statuses, assetPaths } =
  damCalls(api)

describe('persist', () => {
  test('creates directories at the top of a storage and below, including parent and child in one message', async () => {
    const records = await persistDirs(
      { tid: 'BOATS', rnc: 'MAM', name: 'boats' },
      { tid: 'SAIL', parent: 'BOATS', name: 'sail' },
      { parent: 'SAIL', name: 'small' },
    )
    expect(records).toMatchObject([
      {
        action: 'create',
        dataType: 'dir',
        status: 'SUCCESS',
        tid: 'BOATS',
        path: '/MAM/boats',
        id: expect.any(Number),
      },
      { action: 'create', tid: 'SAIL', path: '/MAM/boats/sail' },
      { action: 'create', path: '/MAM/boats/sail/small', tid: expect.stringMatching(/^[0-9A-F-]{36}$/) },
    ])
    expect(await dirPaths({ dirTid: 'BOATS', level: -1 })).toEqual(['/MAM/boats/sail', '/MAM/boats/sail/small'])
    expect(await dirPaths({ dirPath: 'MAM/BOATS' })).toEqual(['/MAM/boats/sail'])
  })

  test('renames by tid and updates the paths below; assets are not touched', async () => {
    await persistDirs({ tid: 'OLD', rnc: 'MAM', name: 'old' }, { tid: 'MID', parent: 'OLD', name: 'mid' })
    await addAssets('/MAM/old/mid', 'a.jpg')
    const before = await api.db.rows<{ xmin: string }>(sql`select xmin::text from dam_entry where name = 'a.jpg'`)
    const [record] = await persistDirs({ tid: 'OLD', rnc: 'MAM', name: 'New' })
    expect(record).toMatchObject({ action: 'update', path: '/MAM/New' })
    expect(await dirPaths({ dirTid: 'OLD' })).toEqual(['/MAM/New/mid'])
    expect(await assetPaths('/MAM/New/mid')).toEqual(['/MAM/New/mid/a.jpg'])
    expect(await api.db.rows(sql`select xmin::text from dam_entry where name = 'a.jpg'`)).toEqual(before)
  })

  test('a name is unique among directories and assets, ignoring case, and a refused item does not affect others', async () => {
    await persistDirs({ tid: 'UNIQUE', rnc: 'MAM', name: 'unique' }, { parent: 'UNIQUE', name: 'Sub' })
    await addAssets('/MAM/unique', 'file.jpg')
    const records = await persistDirs(
      { parent: 'UNIQUE', name: 'SUB' },
      { parent: 'UNIQUE', name: 'FILE.JPG' },
      { parent: 'UNIQUE', name: 'fine' },
      { parent: 'UNIQUE', name: 'Fine' },
    )
    expect(statuses(records)).toEqual(['ERROR', 'ERROR', 'SUCCESS', 'ERROR'])
    expect(records[1].description).toMatch(/an asset \/MAM\/unique\/file.jpg exists already/)
  })

  test.each([
    [{ rnc: 'NONE', name: 'x' }, 'no storage has the tid NONE'],
    [{ parent: 'NONE', name: 'x' }, 'no directory has the tid NONE'],
    [{ rnc: 'MAM' }, 'name is missing'],
    [{ name: 'x' }, /needs a location/],
    [{ rnc: 'MAM', name: 'a/b' }, /separates the names/],
    [{ rnc: 'MAM', name: '..' }, /ends with a dot/],
    [{ rnc: 'MAM', name: 'a\\b' }, /contains \\/],
    [{ rnc: 'MAM', name: 'trailing.' }, /ends with a dot/],
    [{ rnc: 'MAM', name: 'nul.txt' }, /is a device name/],
    [{ rnc: 'MAM', name: 'left\u202eright' }, /control character/],
    [{ rnc: 'MAM', name: 'x'.repeat(256) }, /256 characters/],
    [{ tid: 'NOBODY', rnc: 'MAM' }, 'no directory has the tid NOBODY'],
  ])('%j is refused', async (dir, reason) => {
    const [record] = await persistDirs(dir)
    expect(record).toMatchObject({
      status: 'ERROR',
      description: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    })
  })

  test('stores values and meta, changes only fields that are sent, and clears empty ones', async () => {
    const vals = {
      val: [
        {
          attr: 'TITLE',
          type: 'localized',
          itm: [
            { loc: 'en_GB', value: 'Boats' },
            { loc: 'de_DE', value: 'Boote' },
          ],
        },
        { attr: 'IS_FINAL', itm: [{ value: 'true' }] },
      ],
    }
    await persistDirs({
      tid: 'VALUED',
      rnc: 'MAM',
      name: 'valued',
      vals,
      ...meta({ owner: 'kim', creationUser: 'nobody' }),
    })
    await persistDirs({
      tid: 'VALUED',
      vals: { val: [{ attr: 'IS_FINAL' }, { attr: 'TITLE', itm: [{ loc: 'en_GB', value: 'Ships' }] }] },
    })
    const [dir] = (await retrieveDirs({ rncTid: 'MAM' })).json.dirs.dir.filter(
      (one: { tid: string }) => one.tid === 'VALUED',
    )
    expect(dir.vals.val).toEqual([
      {
        attr: 'TITLE',
        type: 'localized',
        itm: [
          { loc: 'de_DE', value: 'Boote' },
          { loc: 'en_GB', value: 'Ships' },
        ],
      },
    ])
    expect(
      Object.fromEntries(dir.meta.itm.map((item: { key: string; value: string }) => [item.key, item.value])),
    ).toMatchObject({ owner: 'kim', creationUser: 'kim', path: '/MAM/valued' })
  })

  test('an attribute that is unknown or belongs to files only is refused', async () => {
    const [unknown, foreign] = await persistDirs(
      { rnc: 'MAM', name: 'v1', vals: { val: [{ attr: 'NOPE', itm: [{ value: 'x' }] }] } },
      { rnc: 'MAM', name: 'v2', vals: { val: [{ attr: 'CAMERA', itm: [{ value: 'x' }] }] } },
    )
    expect(unknown.description).toMatch(/NOPE: has no definition/)
    expect(foreign.description).toMatch(/CAMERA: belongs to IMG, VID, not to DIR/)
    expect(await dirPaths({ rncTid: 'MAM' })).not.toContain('/MAM/v1')
  })

  test('a nested directory sent back as retrieved is not moved', async () => {
    await persistDirs({ tid: 'ROUND', rnc: 'MAM', name: 'round' }, { tid: 'TRIP', parent: 'ROUND', name: 'trip' })
    const { dirs } = (await retrieveDirs({ dirTid: 'ROUND' })).json
    const [whole] = await persistDirs(...dirs.dir)
    const [rncOnly] = await persistDirs({ tid: 'TRIP', rnc: 'MAM' })
    expect([whole.path, rncOnly.path]).toEqual(['/MAM/round/trip', '/MAM/round/trip'])
  })
})

describe('retrieve', () => {
  test('one level by default, several by number, all with -1, none for 0', async () => {
    await createPath('/MAM/levels/a/b/c')
    expect(await dirPaths({ dirPath: '/MAM/levels' })).toEqual(['/MAM/levels/a'])
    expect(await dirPaths({ dirPath: '/MAM/levels', level: 2 })).toEqual(['/MAM/levels/a', '/MAM/levels/a/b'])
    expect(await dirPaths({ dirPath: '/MAM/levels', level: -1 })).toHaveLength(3)
    for (const level of [0, -2]) expect((await retrieveDirs({ dirPath: '/MAM/levels', level })).status).toBe(400)
  })

  test('an unknown directory is 404, a request without a name is 400, and a directory without children is empty', async () => {
    expect((await retrieveDirs({ rncTid: 'NONE' })).status).toBe(404)
    expect((await retrieveDirs({ dirTid: 'NONE' })).status).toBe(404)
    expect((await retrieveDirs({ dirPath: '/MAM/none' })).status).toBe(404)
    expect((await retrieveDirs({})).status).toBe(400)
    await createPath('/MAM/hollow')
    expect((await retrieveDirs({ dirPath: '/MAM/hollow' })).json.dirs).toEqual({})
  })
})

describe('perform', () => {
  test('createPath creates every missing directory once and returns a monitor id', async () => {
    const records = await performDirs(
      { type: 'createPath', path: '/MAM/p/q/r' },
      { type: 'createPath', path: 'MAM/P/Q/s' },
      { type: 'createPath', path: '/MAM/p/q' },
    )
    expect(records).toMatchObject([
      { status: 'SUCCESS', path: '/MAM/p/q/r' },
      { path: '/MAM/p/q/s' },
      { path: '/MAM/p/q' },
    ])
    for (const record of records)
      expect(record.details.itm).toMatchObject([{ key: 'monitorId', value: expect.stringMatching(/^\d+$/) }])
    expect(await dirPaths({ dirPath: '/MAM/p', level: -1 })).toEqual(['/MAM/p/q', '/MAM/p/q/r', '/MAM/p/q/s'])
  })

  test('createPath creates nothing if an asset has the name, a name is invalid or the storage is unknown', async () => {
    await createPath('/MAM/way')
    await addAssets('/MAM/way', 'stone')
    const records = await performDirs(
      { type: 'createPath', path: '/MAM/way/stone/x' },
      { type: 'createPath', path: '/MAM/way/good/bad.' },
      { type: 'createPath', path: '/NONE/x' },
      { type: 'createPath', path: '/MAM' },
    )
    expect(statuses(records)).toEqual(['ERROR', 'ERROR', 'ERROR', 'ERROR'])
    expect(await dirPaths({ dirPath: '/MAM/way', level: -1 })).toEqual([])
  })

  test('moves by tid, id or path, but not into itself, and updates the paths below', async () => {
    await createPath('/MAM/m/a/b')
    await createPath('/MAM/m/target')
    const [into, moved] = await performDirs(
      { type: 'move', path: '/MAM/m/a', ...meta({ destinationDirPath: '/MAM/m/a/b' }) },
      { type: 'move', path: '/MAM/m/a', ...meta({ destinationDirPath: '/MAM/m/target' }) },
    )
    expect(into).toMatchObject({ status: 'ERROR', description: expect.stringMatching(/into itself/) })
    expect(moved).toMatchObject({ status: 'SUCCESS', action: 'move', path: '/MAM/m/target/a' })
    expect(await dirPaths({ dirPath: '/MAM/m', level: -1 })).toEqual([
      '/MAM/m/target',
      '/MAM/m/target/a',
      '/MAM/m/target/a/b',
    ])
    const [top] = await performDirs({ type: 'move', id: moved.id, ...meta({ destinationRncTid: 'MAM' }) })
    expect(top.path).toBe('/MAM/a')
  })

  test('an action can use a path that an earlier action of the same message created', async () => {
    await createPath('/MAM/chain/one/two')
    await createPath('/MAM/chain/three')
    const records = await performDirs(
      { type: 'move', path: '/MAM/chain/one', ...meta({ destinationDirPath: '/MAM/chain/three' }) },
      { type: 'move', path: '/MAM/chain/three/one/two', ...meta({ destinationDirPath: '/MAM/chain' }) },
      { type: 'move', path: '/MAM/chain/one', ...meta({ destinationDirPath: '/MAM/chain/two' }) },
    )
    expect(statuses(records)).toEqual(['SUCCESS', 'SUCCESS', 'ERROR'])
    expect(await dirPaths({ dirPath: '/MAM/chain', level: -1 })).toEqual([
      '/MAM/chain/three',
      '/MAM/chain/three/one',
      '/MAM/chain/two',
    ])
  })

  test('move replaces an entry of the same name only with doOverwrite, and moves it to the trash', async () => {
    await createPath('/MAM/over/from/x')
    await createPath('/MAM/over/to/x/deep')
    await addAssets('/MAM/over/to/x/deep', 'lost.jpg')
    const act = { type: 'move', path: '/MAM/over/from/x' }
    const [refused] = await performDirs({ ...act, ...meta({ destinationDirPath: '/MAM/over/to' }) })
    expect(refused).toMatchObject({ status: 'ERROR', description: expect.stringMatching(/exists already/) })
    const [done] = await performDirs({ ...act, ...meta({ destinationDirPath: '/MAM/over/to', overwrite: 'true' }) })
    expect(done).toMatchObject({ status: 'SUCCESS', path: '/MAM/over/to/x' })
    expect(await dirPaths({ dirPath: '/MAM/over', level: -1 })).toEqual([
      '/MAM/over/from',
      '/MAM/over/to',
      '/MAM/over/to/x',
    ])
    const trash = (await api.post('/api/core/v1/dam/trash/retrieve', {})).json
    expect(trash.dirs.dir.map((dir: { name: string }) => dir.name)).toContain('x')
    const [self] = await performDirs({
      type: 'move',
      path: '/MAM/over/to/x',
      ...meta({ destinationDirPath: '/MAM', doOverwrite: 'maybe' }),
    })
    expect(self.description).toMatch(/not true or false/)
  })

  test('a directory cannot replace one that contains it', async () => {
    await createPath('/MAM/same/in/same')
    const [record] = await performDirs({
      type: 'move',
      path: '/MAM/same/in/same',
      ...meta({ destinationDirPath: '/MAM', doOverwrite: 'true' }),
    })
    expect(record).toMatchObject({ status: 'ERROR', description: expect.stringMatching(/cannot replace \/MAM\/same/) })
  })

  test('a directory is moved or copied to another storage with all its contents', async () => {
    await api.db.run(sql`insert into rnc (tid, name, created_by, modified_by) values ('PRINT', 'Print', 'x', 'x')`)
    await createPath('/MAM/leave/in')
    await addAssets('/MAM/leave/in', 'a.jpg')
    const [copied, moved] = await performDirs(
      { type: 'copy', path: '/MAM/leave', ...meta({ destinationRncTid: 'PRINT', newName: 'twin' }) },
      { type: 'move', path: '/MAM/leave', ...meta({ destinationDirPath: '/print' }) },
    )
    expect([copied.path, moved.path]).toEqual(['/PRINT/twin', '/PRINT/leave'])
    expect(await assetPaths('/PRINT/leave/in')).toEqual(['/PRINT/leave/in/a.jpg'])
    expect(await dirPaths({ rncTid: 'PRINT', level: -1 })).toHaveLength(4)
    const storages = await api.db.rows(sql`
      select distinct r.tid from dam_entry e join rnc r on r.id = e.rnc_id where e.name in ('leave', 'twin', 'in', 'a.jpg')
        and e.created_at > now() - interval '1 minute' and (e.path like '/PRINT/%' or e.kind = 'asset' and e.name = 'a.jpg'
        and e.parent_id in (select id from dam_entry where path like '/PRINT/%'))`)
    expect(storages).toEqual([{ tid: 'PRINT' }])
  })

  test('copy includes directories, assets, values and keywords, with new tids and ids', async () => {
    await createPath('/MAM/c/src/deep')
    await createPath('/MAM/c/other')
    await addAssets('/MAM/c/src', 'one.jpg', 'two.jpg')
    await addAssets('/MAM/c/src/deep', 'three.jpg')
    const [copied, again, renamed] = await performDirs(
      { type: 'copy', path: '/MAM/c/src', ...meta({ destinationDirPath: '/MAM/c/other' }) },
      { type: 'copy', path: '/MAM/c/src', ...meta({ destinationDirPath: '/MAM/c' }) },
      { type: 'copy', path: '/MAM/c/src', ...meta({ destinationDirPath: '/MAM/c', newName: 'dst' }) },
    )
    expect(copied).toMatchObject({ status: 'SUCCESS', action: 'copy', path: '/MAM/c/other/src' })
    expect(again).toMatchObject({ status: 'ERROR', description: expect.stringMatching(/exists already/) })
    expect(renamed.path).toBe('/MAM/c/dst')
    expect(await assetPaths('/MAM/c/other/src')).toEqual(['/MAM/c/other/src/one.jpg', '/MAM/c/other/src/two.jpg'])
    expect(await assetPaths('/MAM/c/dst/deep')).toHaveLength(1)
    const twins = await api.db.row<{ tids: number; all: number; recorded: number }>(sql`
      select count(distinct tid)::int as tids, count(*)::int as all,
        (select count(*)::int from outbox o join dam_entry e on e.id = o.object_id where e.name = 'one.jpg' and o.event = 'CREATE') as recorded
      from dam_entry where name = 'one.jpg'`)
    expect(twins).toEqual({ tids: 3, all: 3, recorded: 2 })
  })

  test('delete moves a whole tree to the trash, and restore returns it', async () => {
    await createPath('/MAM/del/a/b')
    await addAssets('/MAM/del/a', 'x.jpg')
    await addAssets('/MAM/del/a/b', 'y.jpg')
    const [gone, inside] = await performDirs(
      { type: 'delete', path: '/MAM/del/a' },
      { type: 'delete', path: '/MAM/del/a/b' },
    )
    expect(gone).toMatchObject({ status: 'SUCCESS', action: 'delete' })
    expect(inside).toMatchObject({ status: 'ERROR', description: 'no directory has the path /MAM/del/a/b' })
    expect(await dirPaths({ dirPath: '/MAM/del', level: -1 })).toEqual([])
    await createPath('/MAM/del/a')
    const restore = (...action: object[]) =>
      api.post('/api/core/v1/dam/trash/perform', {
        schemaVersion: '5.6.0',
        actions: { action: action.map((one) => ({ dataType: 'dir', type: 'restore', id: gone.id, ...one })) },
      })
    const [taken] = (await restore({})).json.responses.response
    expect(taken.description).toMatch(/\/MAM\/del\/a exists already/)
    const [back] = (await restore(meta({ newName: 'again' }))).json.responses.response
    expect(back).toMatchObject({ status: 'SUCCESS', action: 'restore', dataType: 'dir', path: '/MAM/del/again' })
    expect(await dirPaths({ dirPath: '/MAM/del', level: -1 })).toEqual([
      '/MAM/del/a',
      '/MAM/del/again',
      '/MAM/del/again/b',
    ])
    expect(await assetPaths('/MAM/del/again/b')).toEqual(['/MAM/del/again/b/y.jpg'])
    expect((await restore({})).json.responses.response[0]).toMatchObject({ status: 'ERROR' })
  })

  test('a directory with assets checked out by others cannot be deleted; one in use only with force', async () => {
    await createPath('/MAM/busy')
    const [asset] = await addAssets('/MAM/busy', 'used.jpg')
    await api.db.run(
      sql`insert into link (kind, from_id, to_id, created_by) values ('assetToProduct', ${asset!.id}, 1, 'x')`,
    )
    const [used] = await performDirs({ type: 'delete', path: '/MAM/busy' })
    expect(used).toMatchObject({ status: 'ERROR', description: expect.stringMatching(/used.jpg is in use by/) })
    await api.db.run(sql`update dam_entry set locked_by = 'bo', locked_at = now() where id = ${asset!.id}`)
    const [locked] = await performDirs({ type: 'delete', path: '/MAM/busy', ...meta({ force: 'true' }) })
    expect(locked.description).toMatch(/checked out by bo/)
    await api.db.run(sql`update dam_entry set locked_by = null, locked_at = null where id = ${asset!.id}`)
    const [forced] = await performDirs({ type: 'delete', path: '/MAM/busy', ...meta({ force: 'true' }) })
    expect(forced.status).toBe('SUCCESS')
    expect(await api.db.rows(sql`select from link where from_id = ${asset!.id}`)).toEqual([])
  })

  test('a path that would become too long or too deep is refused', async () => {
    const long = 'x'.repeat(250)
    const [deep] = await performDirs({ type: 'createPath', path: `/MAM/${'d/'.repeat(64)}` })
    expect(deep.description).toMatch(/65 levels deep/)
    await createPath(`/MAM/${[long, long, long, long].join('/')}`)
    await createPath(`/MAM/y/${[long, long, long, long].join('/')}`)
    const [moved] = await performDirs({
      type: 'move',
      path: '/MAM/y',
      ...meta({ destinationDirPath: `/MAM/${[long, long, long, long].join('/')}` }),
    })
    expect(moved).toMatchObject({ status: 'ERROR', description: expect.stringMatching(/bytes; at most 2000/) })
  })
})

describe('sets', () => {
  const count = async (work: () => Promise<unknown>) => {
    const before = api.statements.length
    await work()
    return api.statements.length - before
  }
  const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)

  test.each(['persist', 'createPath', 'move', 'copy', 'delete'])(
    '%s of 10 and of 500 cost the same number of statements',
    async (what) => {
      const costs: number[] = []
      for (const n of [10, 500]) {
        const top = `/MAM/sets-${what}-${n}`
        await createPath(`${top}/to`)
        if (what !== 'persist' && what !== 'createPath')
          await performDirs(...numbers(n).map((i) => ({ type: 'createPath', path: `${top}/from/d${i}/e` })))
        const [{ tid }] = await performDirs({ type: 'createPath', path: `${top}/to` })
        const destination = meta({ destinationDirPath: `${top}/to` })
        const act = (type: string) => () =>
          performDirs(...numbers(n).map((i) => ({ type, path: `${top}/from/d${i}`, ...destination })))
        const work = {
          persist: () => persistDirs(...numbers(n).map((i) => ({ parent: tid, name: `d${i}` }))),
          createPath: () => performDirs(...numbers(n).map((i) => ({ type: 'createPath', path: `${top}/to/d${i}/e` }))),
          move: act('move'),
          copy: act('copy'),
          delete: () => performDirs(...numbers(n).map((i) => ({ type: 'delete', path: `${top}/from/d${i}` }))),
        }[what]!
        costs.push(
          await count(async () => {
            const records = (await work()) as { status: string }[]
            expect(new Set(statuses(records))).toEqual(new Set(['SUCCESS']))
          }),
        )
      }
      expect(costs[1]).toBe(costs[0])
      expect(costs[0]).toBeLessThan(25)
    },
  )
})

test('scoped grants limit the caller to a subtree', async () => {
  await createPath('/MAM/scope/mine/a')
  await createPath('/MAM/scope/theirs')
  await api.db.run(sql`
    with fresh as (insert into role (name, description) values ('narrow', '') returning name),
    allowed as (insert into role_grant (role, kind, actions) select name, '*', '{*}' from fresh returning id)
    insert into grant_scope (grant_id, tree, path) select id, 'dir', '/MAM/scope/mine' from allowed`)
  const token = await api.tokenFor({ name: 'nia', roles: ['narrow'] })
  const list = async (dirPath: string) => api.post('/api/core/v1/dam/dirs/retrieve', { dirPath, level: -1 }, { token })
  expect((await list('/MAM/scope/theirs')).status).toBe(404)
  expect((await list('/MAM/scope/mine')).json.dirs.dir).toHaveLength(1)
  const action = { dataType: 'dir', type: 'createPath' }
  const paths = ['/MAM/scope/mine/b', '/MAM/scope/theirs/b']
  const actions = { action: paths.map((path) => ({ ...action, path })) }
  const reply = await api.post('/api/core/v1/dam/dirs/perform', { schemaVersion: '5.6.0', actions }, { token })
  expect(statuses(reply.json.responses.response)).toEqual(['SUCCESS', 'ERROR'])
})

test('scoped grants follow a moved directory, and other grants do not change', async () => {
  for (const path of ['/MAM/go/a/deep', '/MAM/go/b', '/MAM/go/other']) await createPath(path)
  const scopes = ['/MAM/go/a', '/MAM/go/a/deep', '/MAM/go/b', '/MAM/go/c', '/MAM/go/ab']
  await api.db.run(sql`
    with fresh as (insert into role (name, description) values ('moving', '') returning name),
    allowed as (insert into role_grant (role, kind, actions) select name, 'dir', '{read}' from fresh returning id)
    insert into grant_scope (grant_id, tree, path) select id, 'dir', path from allowed, unnest(${scopes}::text[]) as path`)
  const granted = async () =>
    (
      await api.db.rows<{ path: string }>(sql`
        select path from grant_scope where grant_id = (select id from role_grant where role = 'moving') order by path`)
    ).map(({ path }) => path)
  const move = (path: string, to: string) =>
    performDirs({ type: 'move', path, ...meta({ destinationDirPath: to }) }).then(statuses)

  expect(await move('/MAM/go/a', '/MAM/go/other')).toEqual(['SUCCESS'])
  expect(await granted()).toEqual(['/MAM/go/ab', '/MAM/go/b', '/MAM/go/c', '/MAM/go/other/a', '/MAM/go/other/a/deep'])
  const tidOf = async (path: string) =>
    (await api.db.row<{ tid: string }>(sql`select tid from dam_entry where path = ${path} and deleted_at is null`))!.tid
  const [a, b] = [await tidOf('/MAM/go/other/a'), await tidOf('/MAM/go/b')]
  const renames = [
    { tid: a, name: 'x' },
    { tid: a, name: 'c', parent: await tidOf('/MAM/go') },
    { tid: b, name: 'a', parent: await tidOf('/MAM/go/other') },
  ]
  expect(statuses(await persistDirs(...renames))).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
  expect(await granted(), 'one had a grant of its place already').toEqual([
    '/MAM/go/ab',
    '/MAM/go/c',
    '/MAM/go/c/deep',
    '/MAM/go/other/a',
  ])
})

describe('checked-out assets', () => {
  /** Locks the asset for bo, as a check-out does. */
  const lock = (id: number, db: Db = api.db) =>
    db.run(sql`update dam_entry set locked_by = 'bo', locked_at = now() where id = ${id}`)
  const refused = { status: 'ERROR', description: expect.stringMatching(/\/in\/deep\/a.jpg is checked out by bo/) }

  test('keep the directories above them from being deleted, moved, renamed and replaced by others', async () => {
    await createPath('/MAM/held/in/deep')
    await createPath('/MAM/held/other/in')
    await createPath('/MAM/held/to')
    const [asset] = await addAssets('/MAM/held/in/deep', 'a.jpg')
    await lock(asset!.id)
    const into = (path: string) => meta({ destinationDirPath: path, doOverwrite: 'true' })
    const [{ tid }] = await createPath('/MAM/held/in')
    const records = await performDirs(
      { type: 'delete', path: '/MAM/held/in' },
      { type: 'delete', path: '/MAM/held', ...meta({ force: 'true' }) },
      { type: 'move', path: '/MAM/held/in', ...into('/MAM/held/to') },
      { type: 'move', path: '/MAM/held/other/in', ...into('/MAM/held') },
      { type: 'copy', path: '/MAM/held/other/in', ...into('/MAM/held') },
    )
    expect(records).toMatchObject(Array.from({ length: 5 }, () => refused))
    expect(await persistDirs({ tid, name: 'renamed' })).toMatchObject([refused])
    expect(await persistDirs({ tid, meta: { itm: [{ key: 'note', value: 'kept' }] } })).toMatchObject([
      { status: 'SUCCESS' },
    ])
    await api.db.run(sql`update dam_entry set locked_by = 'kim' where id = ${asset!.id}`)
    expect(statuses(await persistDirs({ tid, name: 'renamed' })), 'by the holder').toEqual(['SUCCESS'])
    expect(statuses(await performDirs({ type: 'delete', path: '/MAM/held/renamed' }))).toEqual(['SUCCESS'])
  })

  test('are not deleted with their directory when they are checked out at the same moment', async () => {
    await createPath('/MAM/race/in/deep')
    const [asset] = await addAssets('/MAM/race/in/deep', 'a.jpg')
    let deletion: ReturnType<typeof performDirs> | undefined
    await api.db.transaction(async (db) => {
      await lock(asset!.id, db)
      deletion = performDirs({ type: 'delete', path: '/MAM/race' })
      await new Promise((resolve) => setTimeout(resolve, 1000))
    })
    expect(await deletion).toMatchObject([refused])
    expect(await assetPaths('/MAM/race/in/deep')).toEqual(['/MAM/race/in/deep/a.jpg'])
  })
})

test('a directory cannot be copied into itself or below itself', async () => {
  await createPath('/MAM/mirror/in')
  const copy = (path: string) => ({ type: 'copy', path: '/MAM/mirror', ...meta({ destinationDirPath: path }) })
  const records = await performDirs(copy('/MAM/mirror'), copy('/MAM/mirror/in'), copy('/MAM/Mirror/IN'))
  expect(records).toMatchObject(
    Array.from({ length: 3 }, () => ({
      status: 'ERROR',
      description: 'the directory /MAM/mirror cannot be copied into itself',
    })),
  )
  expect(await dirPaths({ dirPath: '/MAM/mirror', level: -1 })).toEqual(['/MAM/mirror/in'])
  const twin = { type: 'copy', path: '/MAM/mirror', ...meta({ destinationDirPath: '/MAM', newName: 'mirror2' }) }
  expect(statuses(await performDirs(twin))).toEqual(['SUCCESS'])
})
