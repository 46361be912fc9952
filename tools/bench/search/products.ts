/**
 * Copies the generated catalogue (search-engine/bench/catalogue.ts) into the tables of a database: a node for each
 * category, an attribute for each column, and links to the channels, which must exist. Domain lists become attributes
 * with domain values, which are searched as whole values; titles and descriptions are searched by words.
 */
import type { Database } from '../../../server/src/adapters/postgres/db.ts'
import { sql } from '../../../server/src/adapters/postgres/sql.ts'
import { copyInto } from '../../copy-into.ts'
import { copyStatement, inPortions } from '../../generate-products.ts'
import { channels, columns, languages, locales, rowOf, schema, skuOf } from '../../../search-engine/bench/catalogue.ts'

export const channelTid = (id: number) => `channel-${id}`
/** Contains region and status as words. */
export const channelName = ({ id, region, status }: (typeof channels)[number]) => `${region} ${status} ${id}`
/** `c1/2/3` -> /Catalogue/1/2/3 */
export const nodePath = (category: string) => `/Catalogue/${category.slice(1)}`

/** Columns that are not attributes. */
const notAttributes = new Set(['name', 'description', 'sku', 'cat', 'channels'])
const multiple = new Set(['countries', 'materials', 'keywords'])
const isFlag = (name: string) => /^b\d$/.test(name)

interface Definition {
  readonly tid: string
  readonly type: 'text' | 'number' | 'boolean'
  readonly localized?: boolean
  readonly multi?: boolean
  readonly definition?: object
}

const definitions: readonly Definition[] = [
  { tid: 'title', type: 'text', localized: true },
  { tid: 'description', type: 'text', localized: true, definition: { validation: { maxLength: 4000 } } },
  ...schema.fields
    .filter(({ name }) => !notAttributes.has(name))
    .map(({ name, type }): Definition => {
      if (type === 'number') return { tid: name, type }
      if (isFlag(name)) return { tid: name, type: 'boolean' }
      const multi = multiple.has(name) && { multi: true }
      const list = { domainVals: { allowNewValue: 'true' }, ...(multi && { multiValued: { value: 'true' } }) }
      return { tid: name, type: 'text', ...multi, definition: list }
    }),
]

async function fillModel(db: Database): Promise<Map<string, number>> {
  await db.run(sql`
    insert into attr_def (tid, type, localized, multi, definition, created_by, modified_by)
    select d.tid, d.type, coalesce(d.localized, false), coalesce(d.multi, false), coalesce(d.definition, '{}'), 'trial', 'trial'
    from jsonb_to_recordset(${JSON.stringify(definitions)}::jsonb)
      as d (tid text, type text, localized boolean, multi boolean, definition jsonb) on conflict do nothing`)
  await db.run(sql`
    insert into classification (tid, created_by, modified_by) values ('Catalogue', 'trial', 'trial') on conflict do nothing`)
  for (const pattern of ['', '/x', '/x/x', '/x/x/x']) {
    const digits = pattern.length / 2
    const paths = Array.from({ length: 10 ** digits }, (_, i) =>
      ['/Catalogue', ...(digits > 0 ? String(i).padStart(digits, '0') : '')].join('/'),
    )
    await db.run(sql`
      insert into node (classification_id, parent_id, tid, path, created_by, modified_by)
      select c.id, parent.id, regexp_replace(made.path, '.*/', ''), made.path, 'trial', 'trial'
      from unnest(${paths}::text[]) as made (path) join classification c on c.tid = 'Catalogue'
      left join node parent on parent.path = regexp_replace(made.path, '/[^/]*$', '')`)
  }
  const nodes = await db.rows<{ id: number; path: string }>(
    sql`select id, path from node where path like '/Catalogue%'`,
  )
  return new Map(nodes.map(({ id, path }) => [path, id]))
}

const at = new Map(columns.map((name, i) => [name, i]))
const cell = (row: readonly string[], name: string) => row[at.get(name)!]!

/** The attribute values as they are stored. */
function valuesOf(row: readonly string[]): object {
  const texts = (prefix: string) =>
    Object.fromEntries(languages.map((each) => [locales[each], cell(row, `${prefix}_${each}`)]))
  const values: Record<string, unknown> = { title: texts('name'), description: texts('desc') }
  for (const { tid, type, multi } of definitions) {
    const text = at.has(tid) ? cell(row, tid) : ''
    if (text === '') continue
    values[tid] = multi ? text.split('|') : type === 'boolean' ? String(text === '1') : text
  }
  return values
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\')

/** Whether the products of an earlier run exist. */
export const isFilled = async (db: Database, count: number) =>
  (await db.row(sql`select from product where tid = ${skuOf(count - 1)}`)) !== undefined

/** The first `count` products of the catalogue. */
export async function fillProducts(db: Database, count: number): Promise<void> {
  const nodeIds = await fillModel(db)
  const channelRows = await db.rows<{ id: number; tid: string }>(sql`select id, tid from project`)
  const channelIds = new Map(channelRows.map(({ id, tid }) => [tid, id]))
  await inPortions(db, 0, count, async (client, numbers, firstId) => {
    const rows = numbers.map(rowOf)
    await copyInto(client, copyStatement, function* () {
      for (const [i, row] of rows.entries()) {
        const nodeId = nodeIds.get(nodePath(cell(row, 'cat').split('|').at(-1)!))!
        const sku = cell(row, 'sku')
        const vals = escaped(JSON.stringify(valuesOf(row)))
        yield `${firstId + i}\t0\t${sku}\t${nodeId}\t${nodeId}\t${sku}\t${vals}\ttrial\ttrial\n`
      }
    })
    await copyInto(client, 'copy link (kind, type, from_id, to_id, created_by) from stdin', function* () {
      for (const [i, row] of rows.entries()) {
        for (const id of cell(row, 'channels').split('|').filter(Boolean)) {
          yield `productToProject\t\t${firstId + i}\t${channelIds.get(channelTid(Number(id)))}\ttrial\n`
        }
      }
    })
  })
}
