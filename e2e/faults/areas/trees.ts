/**
 * Moves in small trees, which must be serializable: keywords, whose tree is locked as a whole, and directories, whose rows
 * are.
 */
import { sql } from '../../../server/src/adapters/postgres/sql.ts'
import { call, type Client, core, describe, History, recordsOf, type Reply, schemaVersion } from '../client.ts'
import { checkLinear } from '../linear.ts'
import { type Parents, treeOf, type TreeInput, type TreeOutput } from '../models.ts'
import type { World } from '../world.ts'
import type { Area, OpenArea } from './area.ts'

const nodes = ['a', 'b', 'c', 'd']

interface Kind {
  /** Creates the root and the nodes below it, and returns their ids; '' is the root. */
  create(world: World, key: string): Promise<Map<string, number> | undefined>
  readonly path: string
  move(id: number, to: number): object
  /** The parents of these objects. */
  parents(ids: readonly number[]): ReturnType<typeof sql>
  /** Objects whose path is not that of their parents. */
  readonly broken: ReturnType<typeof sql>
}

const keywords = `${core}/common/keywords`
const dirs = `${core}/dam/dirs`
const perform = (world: World, path: string, action: readonly object[]) =>
  call(world, `${path}/perform`, { body: { schemaVersion, actions: { action } } })
const toward = (key: string, to: number) => ({ itm: [{ key, value: String(to) }] })

const ofKeywords: Kind = {
  path: keywords,
  async create(world, key) {
    const kwd = [key, ...nodes.map((n) => `${key}.${n}`)].map((value) => ({ name: { itm: [{ value }] } }))
    const reply = await call(world, `${keywords}/persist`, { body: { schemaVersion, kwds: { kwd } } })
    if (reply.kind !== 'ok') return undefined
    const [root, ...ids] = recordsOf(reply).map(({ id }) => Number(id))
    const moved = await perform(
      world,
      keywords,
      ids.map((id) => ofKeywords.move(id, root!)),
    )
    return moved.kind === 'ok' ? new Map([['', root!], ...nodes.map((node, i) => [node, ids[i]!] as const)]) : undefined
  },
  move: (id, to) => ({ dataType: 'keyword', type: 'move', id, meta: toward('destinationParentId', to) }),
  parents: (ids) => sql`select id, parent_id as "parentId" from keyword where id = any(${ids}::bigint[])`,
  broken: sql`
    with recursive tree as (
      select id, '/' || name as path from keyword where parent_id is null
      union all select k.id, t.path || '/' || k.name from keyword k join tree t on k.parent_id = t.id
    )
    select k.path from keyword k left join tree t on t.id = k.id where t.path is distinct from k.path limit 3`,
}

const ofDirs: Kind = {
  path: dirs,
  async create(world, key) {
    const paths = ['', ...nodes].map((node) => `/MAM/faults/${key}${node && `/${key}.${node}`}`)
    const made = await perform(
      world,
      dirs,
      paths.map((path) => ({ dataType: 'dir', type: 'createPath', path })),
    )
    const ids = recordsOf(made).map(({ id }) => Number(id))
    return made.kind === 'ok' ? new Map(['', ...nodes].map((node, i) => [node, ids[i]!])) : undefined
  },
  move: (id, to) => ({ dataType: 'dir', type: 'move', id, meta: toward('destinationDirId', to) }),
  parents: (ids) => sql`select id, parent_id as "parentId" from dam_entry where id = any(${ids}::bigint[])`,
  broken: sql`
    select e.path from dam_entry e join rnc r on r.id = e.rnc_id left join dam_entry p on p.id = e.parent_id
    where e.kind = 'dir' and e.deleted_at is null and e.path <> coalesce(p.path, '/' || r.tid) || '/' || e.name limit 3`,
}

const openTrees = (world: World, name: string, kind: Kind): Area => {
  const history = new History<TreeInput, TreeOutput>()
  /** The ids of the nodes of a tree. */
  const trees = new Map<string, Promise<Map<string, number> | undefined>>()
  const treeOfEpoch = (key: string) => {
    if (!trees.has(key)) trees.set(key, kind.create(world, key))
    return trees.get(key)!
  }
  const read = async (ids: ReadonlyMap<string, number>): Promise<Parents> => {
    const rows = await world.db.rows<{ id: number; parentId: number | null }>(kind.parents([...ids.values()]))
    const nameOf = new Map([...ids].map(([name, id]) => [id, name]))
    return Object.fromEntries(
      rows.flatMap(({ id, parentId }) => (nameOf.get(id) ? [[nameOf.get(id)!, nameOf.get(parentId ?? 0) ?? '?']] : [])),
    )
  }
  return {
    async step(client: Client) {
      const key = history.keyOf(`${name}-${world.epoch}`)
      const ids = await treeOfEpoch(key)
      if (!ids) return
      const node = client.random.pick(nodes)
      const to = client.random.pick(['', ...nodes.filter((other) => other !== node)])
      const action = [kind.move(ids.get(node)!, ids.get(to)!)]
      const send = () => client.call(`${kind.path}/perform`, { body: { schemaVersion, actions: { action } } })
      const ok = (reply: Reply) => ({ ok: reply.kind === 'ok' && recordsOf(reply)[0]?.status === 'SUCCESS' })
      await history.note(key, { op: 'move', node, to }, send, ok)
    },
    async *check() {
      for (const [key, operations] of history.byKey) {
        const ids = (await treeOfEpoch(key))!
        const parents = await read(ids)
        const at = performance.now()
        const last = { input: { op: 'read' } as const, output: { ok: true, parents }, from: at, to: at + 1 }
        const verdict = checkLinear(treeOf(Object.fromEntries(nodes.map((n) => [n, '']))), [...operations, last])
        if (verdict !== 'linearizable') yield `${key}: ${verdict}: ${describe([...operations, last])}`
      }
      const rows = await world.db.rows<{ path: string }>(kind.broken)
      for (const { path } of rows) yield `${name} ${path}: its path is not that of its parents`
    },
  }
}

export const treeArea: OpenArea = (world) => openTrees(world, 'tree', ofKeywords)
export const folderArea: OpenArea = (world) => openTrees(world, 'folders', ofDirs)
