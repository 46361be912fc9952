/** Calls of the DAM for tests of metadata: directories through HTTP, assets as rows without an upload. */
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { sql } from '../src/adapters/postgres/sql.ts'
import type { CallOptions, Reply, TestServer } from './server.ts'

const base = '/api/core/v1/dam'
const schemaVersion = '5.6.0'

export function damCalls(api: TestServer) {
  const call = async (path: string, body: object, options?: CallOptions): Promise<Reply['json']> => {
    const reply = await api.post(`${base}/${path}`, { schemaVersion, ...body }, options)
    expect(reply.status, reply.text).toBe(200)
    return reply.json.responses.response
  }
  const perform =
    (resource: string, dataType: string) =>
    (...actions: object[]) =>
      call(`${resource}/perform`, { actions: { action: actions.map((one) => ({ dataType, ...one })) } })
  const performDirs = perform('dirs', 'dir')
  const retrieveDirs = (request: object) => api.post(`${base}/dirs/retrieve`, request)
  return {
    call,
    performDirs,
    performAssets: perform('assets', 'asset'),
    retrieveDirs,
    persistDirs: (...dir: object[]) => call('dirs/persist', { dirs: { dir } }),
    persistAssets: (...asset: object[]) => call('assets/persist', { assets: { asset } }),
    createPath: (path: string) => performDirs({ type: 'createPath', path }),
    meta: (values: Record<string, string>) => ({
      meta: { itm: Object.entries(values).map(([key, value]) => ({ key, value })) },
    }),
    statuses: (records: readonly { status: string }[]) => records.map(({ status }) => status),

    /** The paths of the directories below a path. */
    async dirPaths(request: object): Promise<string[]> {
      const reply = await retrieveDirs(request)
      expect(reply.status, reply.text).toBe(200)
      type Dir = { meta: { itm: { key: string; value: string }[] } }
      return (reply.json.dirs.dir ?? []).map((dir: Dir) => dir.meta.itm.find(({ key }) => key === 'path')!.value)
    },

    /** The paths of the assets in a directory. */
    async assetPaths(path: string): Promise<string[]> {
      const { tids = [] } = (await api.post(`${base}/assets/query`, { directory: { path } })).json
      if (tids.length === 0) return []
      const reply = await api.post(`${base}/assets/retrieve`, { tids })
      return reply.json.assets.asset.map((asset: { path: string }) => asset.path).sort()
    },

    /** Inserts assets like an upload would, each with its name as content. */
    addAssets: (dirPath: string, ...names: string[]) => addAssets(api, dirPath, names),
  }
}

async function addAssets({ db }: TestServer, dirPath: string, names: readonly string[]) {
  const files = names.map((name) => ({ name, sha256: createHash('sha256').update(name).digest('hex') }))
  await db.run(sql`
    insert into blob (sha256, size) select f.sha256, 10 from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as f (sha256 text)
    on conflict do nothing`)
  return db.writeRows<{ id: number; tid: string; name: string }>(sql`
    insert into dam_entry (kind, tid, rnc_id, parent_id, name, name_key, type, sha256, size, mime, import_status, created_by,
      modified_by)
    select 'asset', upper(gen_random_uuid()::text), r.id, d.id, f.name, lower(f.name), 'IMG', f.sha256, 10, 'image/jpeg',
      'available', 'kim', 'kim'
    from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as f (name text, sha256 text)
    join rnc r on r.tid = split_part(${dirPath}, '/', 2)
    left join dam_entry d on d.kind = 'dir' and d.path = ${dirPath} and d.deleted_at is null
    returning id, tid, name`)
}
