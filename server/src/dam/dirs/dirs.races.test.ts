/** Concurrent changes of the same directories, in any order, leave a consistent tree. */
import { expect, test } from 'vitest'
import { sql } from '../../adapters/postgres/sql.ts'
import { damCalls } from '../../../test/dam.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { createPath, performDirs, performAssets, persistAssets, persistDirs, addAssets, meta, statuses } = damCalls(api)
const into = (destinationDirPath: string) => meta({ destinationDirPath })

/** The invariants of all entries outside the trash. */
async function expectSound() {
  const broken = await api.db.rows(sql`
    select e.id, e.kind, e.name, e.path, p.path as parent from dam_entry e
    join rnc r on r.id = e.rnc_id left join dam_entry p on p.id = e.parent_id
    where e.deleted_at is null and (
      p.deleted_at is not null or p.kind <> 'dir' or p.rnc_id <> e.rnc_id
      or (e.kind = 'dir' and e.path <> coalesce(p.path, '/' || r.tid) || '/' || e.name)
      or (e.kind = 'dir' and e.path_key <> lower(e.path)) or e.name_key <> lower(e.name))`)
  expect(broken).toEqual([])
}

test('moving two directories into each other does not create a cycle', async () => {
  for (let i = 0; i < 5; i++) {
    await Promise.all([createPath(`/MAM/cycle${i}/a`), createPath(`/MAM/cycle${i}/b`)])
    const results = await Promise.all([
      performDirs({ type: 'move', path: `/MAM/cycle${i}/a`, ...into(`/MAM/cycle${i}/b`) }),
      performDirs({ type: 'move', path: `/MAM/cycle${i}/b`, ...into(`/MAM/cycle${i}/a`) }),
    ])
    expect(statuses(results.flat()).sort()).toEqual(['ERROR', 'SUCCESS'])
  }
  await expectSound()
})

test('concurrent requests create a path once, and all succeed', async () => {
  const records = await Promise.all(Array.from({ length: 8 }, () => createPath('/MAM/once/a/b')))
  expect(new Set(statuses(records.flat()))).toEqual(new Set(['SUCCESS']))
  expect(new Set(records.flat().map(({ id }: { id: number }) => id)).size).toBe(1)
})

test('of many concurrent requests for one name only one succeeds, for directories and assets', async () => {
  const [{ tid }] = await createPath('/MAM/name')
  const files = await addAssets('/MAM/name', 'a.jpg', 'b.jpg', 'c.jpg')
  const results = await Promise.all([
    ...files.map((file) => persistAssets({ tid: file.tid, name: 'wanted' })),
    persistDirs({ parent: tid, name: 'Wanted' }),
  ])
  expect(statuses(results.flat()).filter((status) => status === 'SUCCESS')).toHaveLength(1)
  await expectSound()
})

test('an entry that is moved, copied or created while its directory is deleted is deleted too or refused', async () => {
  for (let i = 0; i < 5; i++) {
    const top = `/MAM/gone${i}`
    await createPath(`${top}/from/sub`)
    await createPath(`${top}/to`)
    const [a, b] = await addAssets(`${top}/from`, 'a.jpg', 'b.jpg')
    await Promise.all([
      performDirs({ type: 'delete', path: `${top}/to` }),
      performAssets({ type: 'move', tid: a!.tid, ...into(`${top}/to`) }),
      performAssets({ type: 'copy', tid: b!.tid, ...into(`${top}/to`) }),
      performDirs({ type: 'move', path: `${top}/from/sub`, ...into(`${top}/to`) }),
      createPath(`${top}/to/new/er`),
    ])
    await expectSound()
  }
})

test('many concurrent moves, copies, renames, deletions and restores leave a consistent tree', async () => {
  const dirs = Array.from({ length: 6 }, (_, i) => `/MAM/storm/d${i}`)
  for (const dir of dirs) await createPath(`${dir}/sub`)
  for (const dir of dirs) await addAssets(dir, 'x.jpg', 'y.jpg')
  const random = (() => {
    let seed = 42
    return (n: number) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % n
  })()
  const any = () => dirs[random(dirs.length)]!
  const overwrite = () => meta({ destinationDirPath: any(), doOverwrite: random(2) ? 'true' : 'false' })
  const acts = [
    () => performDirs({ type: 'move', path: `${any()}/sub`, ...overwrite() }),
    () => performDirs({ type: 'copy', path: `${any()}/sub`, ...overwrite() }),
    () => performDirs({ type: 'delete', path: `${any()}/sub` }, { type: 'createPath', path: `${any()}/sub/deep` }),
    () => performAssets({ type: 'move', path: `${any()}/x.jpg`, ...overwrite() }),
    () => performAssets({ type: 'copy', path: `${any()}/y.jpg`, ...overwrite() }),
    () => performDirs({ type: 'move', path: any(), ...into(any()) }),
  ]
  for (let round = 0; round < 10; round++) {
    const replies = await Promise.all(Array.from({ length: 6 }, () => acts[random(acts.length)]!()))
    expect(replies.flat().length).toBeGreaterThan(0)
  }
  const { dirs: gone = {}, assets = {} } = (await api.post('/api/core/v1/dam/trash/retrieve', {})).json
  const action = [
    ...(gone.dir ?? []).map(({ tid }: { tid: string }) => ({ dataType: 'dir', type: 'restore', tid })),
    ...(assets.asset ?? []).map(({ id }: { id: number }) => ({ dataType: 'asset', type: 'restore', id })),
  ]
  const reply = await api.post('/api/core/v1/dam/trash/perform', { schemaVersion: '5.6.0', actions: { action } })
  expect(reply.status, reply.text).toBe(200)
  await expectSound()
})

test('copying files without previews costs the same number of statements for 2 as for 200', async () => {
  const copy = async (count: number) => {
    const top = `/MAM/pending-${count}`
    await createPath(`${top}/to`)
    await createPath(`${top}/from`)
    await addAssets(`${top}/from`, ...Array.from({ length: count }, (_, i) => `f${i}.jpg`))
    await api.db.run(sql`update dam_entry set import_status = 'pending' where kind = 'asset'`)
    const before = api.statements.length
    await performDirs({ type: 'copy', path: `${top}/from`, ...meta({ destinationDirPath: `${top}/to` }) })
    const jobs = await api.db.rows(sql`select from graphile_worker.jobs where task_identifier = 'dam.previews'`)
    return { statements: api.statements.length - before - 1, jobs: jobs.length }
  }
  const few = await copy(2)
  const many = await copy(200)
  expect(many).toEqual({ statements: few.statements, jobs: few.jobs + 200 })
})
