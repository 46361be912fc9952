/**
 * Generates products for benchmarks: a classification with a hundred nodes, thirty attributes, and any number of
 * products with a value of each. The same number always yields the same products. COPY writes the rows directly to the
 * table, without history or outbox.
 *
 *   node tools/generate-products.ts 1000000 postgres://user:password@host/database
 *
 * A second run with a larger number adds the missing products.
 */
import { openSession, type Session } from '../server/src/adapters/postgres/copy.ts'
import { connect, type Database } from '../server/src/adapters/postgres/db.ts'
import { sql } from '../server/src/adapters/postgres/sql.ts'
import { copyInto } from './copy-into.ts'

const nodes = 100
const portion = 10_000
export const attributes = 30
export const tidOf = (i: number) => `P-${String(i).padStart(8, '0')}`
export const nameOf = (i: number) => `Sailing jacket ${i}`
export const nodeOf = (i: number) => `/Trial/Group-${i % 10}/Node-${i % nodes}`

/** A node without products. */
export const emptyNode = '/Trial/Apart/Empty'

/** One attribute in three is localized; one in ten has a list of values. */
export const isLocalized = (attribute: number) => attribute % 3 === 1
const isList = (attribute: number) => attribute % 10 === 2

/** The values of product `i` as the table stores them. */
export function valuesOf(i: number): Record<string, string | string[] | Record<string, string>> {
  const values: Record<string, string | string[] | Record<string, string>> = {}
  for (let a = 0; a < attributes; a++) {
    const text = `value ${(i * 31 + a * 17) % 1000}`
    if (isLocalized(a))
      values[`trial_${a}`] = { en_GB: `${text} & wind`, de_DE: `${text} & Wind`, fr_FR: `${text} & vent` }
    else values[`trial_${a}`] = isList(a) ? ['S', 'M', text] : text
  }
  return values
}

/** Creates the classification, its nodes and the attribute definitions; returns the ids of the nodes. */
export async function generateModel(db: Database): Promise<number[]> {
  await db.run(sql`
    insert into attr_def (tid, type, localized, multi, definition, created_by, modified_by)
    select 'trial_' || a, 'text', a % 3 = 1, a % 10 = 2 and a % 3 <> 1,
           case when a % 10 = 2 and a % 3 <> 1 then '{"multiValued":{"value":"true"}}' else '{}' end::jsonb, 'trial', 'trial'
    from generate_series(0, ${attributes - 1}::int) a on conflict do nothing`)
  await db.run(sql`
    insert into classification (tid, created_by, modified_by) values ('Trial', 'trial', 'trial') on conflict do nothing`)
  const paths = ['/Trial', emptyNode, ...Array.from({ length: nodes }, (_, i) => nodeOf(i))]
  const all = [...new Set(paths.flatMap((path) => [path.slice(0, path.lastIndexOf('/')), path]))].filter(Boolean)
  for (const depth of [1, 2, 3]) {
    await db.run(sql`
      insert into node (classification_id, parent_id, tid, path, created_by, modified_by)
      select c.id, parent.id, n.tid, n.path, 'trial', 'trial'
      from unnest(${all.filter((path) => path.split('/').length === depth + 1)}::text[]) as made (path)
      cross join lateral (select made.path, regexp_replace(made.path, '.*/', '') as tid) n
      join classification c on c.tid = 'Trial'
      left join node parent on parent.path = regexp_replace(n.path, '/[^/]*$', '')
      where not exists (select from node known where known.path = n.path)`)
  }
  const rows = await db.rows<{ id: number; path: string }>(sql`select id, path from node where path like '/Trial/%/%'`)
  const byPath = new Map(rows.map(({ id, path }) => [path, id]))
  return Array.from({ length: nodes }, (_, i) => byPath.get(nodeOf(i))!)
}

/** One row in the text format of COPY: columns separated by tabs. */
export function rowOf(id: number, i: number, nodeId: number): string {
  const vals = JSON.stringify(valuesOf(i)).replaceAll('\\', '\\\\')
  return `${id}\t0\t${tidOf(i)}\t${nodeId}\t${nodeId}\t${nameOf(i)}\t${vals}\ttrial\ttrial\n`
}
export const copyStatement =
  'copy product (id, level, tid, parent_id, node_id, name, vals, created_by, modified_by) from stdin'

/** Creates the products with the numbers `from` to `to` - 1. */
export async function generateProducts(db: Database, from: number, to: number): Promise<void> {
  const nodeIds = await generateModel(db)
  await inPortions(db, from, to, (client, numbers, firstId) =>
    copyInto(client, copyStatement, () => numbers.map((i) => rowOf(firstId + i - numbers[0]!, i, nodeIds[i % nodes]!))),
  )
}

/** Calls `copy` for one portion of product numbers after the other, with the first of the ids reserved for it. */
export async function inPortions(
  db: Database,
  from: number,
  to: number,
  copy: (client: Session, numbers: readonly number[], firstId: number) => Promise<void>,
): Promise<void> {
  const client = await openSession(db)
  try {
    for (let first = from; first < to; first += portion) {
      const count = Math.min(portion, to - first)
      const { rows } = await client.query<{ id: number }>(
        `select setval('object_id_seq', nextval('object_id_seq') + ${count}) - ${count} as id`,
      )
      const numbers = Array.from({ length: count }, (_, i) => first + i)
      await copy(client, numbers, Number(rows[0]!.id))
    }
    await client.query('analyze product')
  } finally {
    await client.end()
  }
}

/** Adds generated products until there are `count`. */
export async function fillProducts(db: Database, count: number): Promise<void> {
  const known = await db.row<{ count: number }>(
    sql`select count(*)::int from product where level = 0 and tid ~ '^P-[0-9]{8}$'`,
  )
  await generateProducts(db, known!.count, count)
}

if (process.argv[1] === import.meta.filename) {
  const [count = '10000', connectionString] = process.argv.slice(2)
  const database = connect({ connectionString, statement_timeout: 0 })
  await fillProducts(database, Number(count))
  await database.close()
}
