/** The attributes of a node at depth 10 with 500 inherited: from memory, against asking the database every time. */
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { createModels } from '../../server/src/pim/model/model.ts'
import { compareTime, type Table } from './measure.ts'
import type { BenchServer } from './server.ts'

const depth = 10
const attributes = 500
const times = 200

export async function model(server: BenchServer): Promise<Table> {
  const db = server.database
  const nodeId = await makeChain(db)
  const models = createModels()
  const query = {
    what: 'one recursive query each time',
    async run() {
      for (let i = 0; i < times; i++) {
        await db.rows(sql`
          with recursive chain as (
            select id, parent_id from node where id = ${nodeId}
            union all select n.id, n.parent_id from node n join chain c on n.id = c.parent_id
          ) select a.id, a.level, a.restriction, d.tid, d.type, d.definition
            from chain c join node_attribute a on a.node_id = c.id join attr_def d on d.id = a.attr_def_id`)
      }
      return times
    },
  }
  const load = async () => {
    const { size } = (await models.load(db)).attributesOf(nodeId)
    if (size !== attributes) throw new Error(`${size} attributes instead of ${attributes}`)
  }
  const unchanged = {
    what: 'from memory, with the version asked each time',
    async run() {
      for (let i = 0; i < times; i++) await load()
      return times
    },
  }
  const changed = {
    what: 'from memory, after one attribute was changed each time (the change included)',
    async run() {
      for (let i = 0; i < times; i++) {
        await db.run(sql`update node_attribute set level = ${i % 2 ? 'p' : 'pa'} where node_id = ${nodeId}`)
        await load()
      }
      return times
    },
  }
  return compareTime('Attributes of a node, 10 deep, 500 inherited', 'nodes', 1, [query, unchanged, changed])
}

async function makeChain(db: BenchServer['database']): Promise<number> {
  await db.run(sql`
    insert into attr_def (tid, type, definition, created_by, modified_by)
    select 'bench-' || n, 'text', '{"name":{"itm":[{"loc":"en_GB","value":"An attribute"}]}}', 'bench', 'bench'
    from generate_series(1, ${attributes}) n`)
  const top = await db.writeRow<{ id: number }>(sql`
    insert into classification (tid, created_by, modified_by) values ('bench', 'bench', 'bench') returning id`)
  let node: { id: number } | undefined
  for (let level = 1, path = '/bench'; level <= depth; level++, path += `/n${level}`) {
    node = await db.writeRow<{ id: number }>(sql`
      insert into node (classification_id, parent_id, tid, path, created_by, modified_by)
      values (${top!.id}, ${node?.id ?? null}, ${path.split('/').at(-1)}, ${path}, 'bench', 'bench') returning id`)
    await db.run(sql`
      insert into node_attribute (node_id, attr_def_id, created_by, modified_by)
      select ${node!.id}, id, 'bench', 'bench' from attr_def
      where tid like 'bench-%' and substr(tid, 7)::int % ${depth} = ${level - 1}`)
  }
  return node!.id
}
