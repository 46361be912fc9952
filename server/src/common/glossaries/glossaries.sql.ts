/** Every statement about glossaries. */
import type { enforcements, Long } from '@kontor/contract'
import { columns, type Row, stampColumns } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql } from '../../adapters/postgres/sql.ts'
import type { ItemValue, Stamps } from '../meta.ts'

const glossary = columns('glossary', 'id', 'tid', 'name', 'meta', 'enforcement')
const content = glossary.without('id', 'tid')
const stamps = columns('glossary', ...stampColumns)

export interface GlossaryRow extends Row<typeof glossary> {
  /** The items that senders put into meta. */
  meta: ItemValue[]
  /** The consequence for a text with a forbidden word. */
  enforcement: (typeof enforcements)[number]
}
export interface ListedGlossary extends GlossaryRow, Stamps {
  /** The number of its entries, by type and locale. */
  entries: { type: string; loc: string; count: number }[]
}
interface GlossaryNames {
  ids: readonly Long[]
  tids: readonly string[]
  names: readonly string[]
}

/** Locks in order of id, so that two batches cannot deadlock. */
export const lockGlossaries = (db: Db, { ids, tids, names }: GlossaryNames) =>
  db.rows<GlossaryRow>(sql`
    select ${glossary.select()} from glossary
    where id = any(${ids}::bigint[]) or tid = any(${tids}::text[]) or name = any(${names}::text[])
    order by id for update`)

export const listGlossaries = (db: Db, names: readonly string[] | undefined, ids: readonly Long[] | undefined) =>
  db.rows<ListedGlossary>(sql`
    select ${glossary.select('g')}, ${stamps.select('g')},
           coalesce((select jsonb_agg(e) from (select type, loc, count(*)::int as count from glossary_entry
             where glossary_id = g.id group by type, loc) e), '[]') as entries
    from glossary g
    ${names || ids ? sql`where g.name = any(${names ?? []}::text[]) or g.id = any(${ids ?? []}::bigint[])` : nothing}
    order by g.id`)

export const insertGlossaries = (db: Db, glossaries: readonly GlossaryRow[], userName: string) =>
  db.run(sql`
    insert into glossary (${glossary.names}, created_by, modified_by)
    select ${glossary.fields('n')}, ${userName}, ${userName} from ${glossary.recordset(glossaries, 'n')}`)

/** Leaves unchanged rows alone, so that they keep their modification date. */
export const updateGlossaries = (db: Db, glossaries: readonly GlossaryRow[], userName: string) =>
  db.run(sql`
    update glossary g set ${content.set('n')}, modified_at = now(), modified_by = ${userName}
    from ${glossary.recordset(glossaries, 'n')}
    where g.id = n.id and (${content.of('g')}) is distinct from (${content.fields('n')})`)

export const findEntries = (db: Db, glossaryIds: readonly number[]) =>
  db.rows<{ id: number; tid: string; locale: string }>(
    sql`select id, tid, loc as locale from glossary_entry where glossary_id = any(${glossaryIds}::bigint[]) order by id`,
  )

export const deleteGlossaries = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from glossary where id = any(${ids}::bigint[])`)

/** Prevents deletion until the transaction ends. */
export const holdGlossaries = (db: Db, { ids, tids }: Pick<GlossaryNames, 'ids' | 'tids'>) =>
  db.rows<{ id: number; tid: string; path: string }>(sql`
    select id, tid, name as path from glossary
    where id = any(${ids}::bigint[]) or tid = any(${tids}::text[]) order by id for key share`)

export const describeGlossaries = (db: Db, ids: readonly number[]) =>
  db.rows<{ id: number; tid: string; path: string }>(
    sql`select id, tid, name as path from glossary where id = any(${ids}::bigint[])`,
  )
