/** Every statement about glossaries. */
import type { Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql } from '../../adapters/postgres/sql.ts'
import type { ItemValue, Stamps } from '../meta.ts'

export interface GlossaryRow {
  id: number
  tid: string
  name: string
  /** Meta items that senders added to those of the system. */
  meta: ItemValue[]
}
export interface ListedGlossary extends GlossaryRow, Stamps {
  terms: number
  sentences: number
}
interface GlossaryNames {
  ids: readonly Long[]
  tids: readonly string[]
  names: readonly string[]
}

/** Locked in one order, so that two batches cannot wait for each other. */
export const lockGlossaries = (db: Db, { ids, tids, names }: GlossaryNames) =>
  db.rows<GlossaryRow>(sql`
    select id, tid, name, meta from glossary
    where id = any(${ids}::bigint[]) or tid = any(${tids}::text[]) or name = any(${names}::text[])
    order by id for update`)

export const listGlossaries = (db: Db, names: readonly string[] | undefined, ids: readonly Long[] | undefined) =>
  db.rows<ListedGlossary>(sql`
    select g.id, g.tid, g.name, g.meta, g.created_at as "createdAt", g.created_by as "createdBy",
           g.modified_at as "modifiedAt", g.modified_by as "modifiedBy",
           count(e.id) filter (where e.type = 'term')::int as terms,
           count(e.id) filter (where e.type = 'sentence')::int as sentences
    from glossary g left join glossary_entry e on e.glossary_id = g.id
    ${names || ids ? sql`where g.name = any(${names ?? []}::text[]) or g.id = any(${ids ?? []}::bigint[])` : nothing}
    group by g.id order by g.id`)

export const insertGlossaries = (db: Db, glossaries: readonly GlossaryRow[], userName: string) =>
  db.run(sql`
    insert into glossary (id, tid, name, meta, created_by, modified_by)
    select id, tid, name, meta, ${userName}, ${userName}
    from jsonb_to_recordset(${JSON.stringify(glossaries)}::jsonb) as g (id bigint, tid text, name text, meta jsonb)`)

/** An unchanged row keeps its modification date. */
export const updateGlossaries = (db: Db, glossaries: readonly GlossaryRow[], userName: string) =>
  db.run(sql`
    update glossary g set name = n.name, meta = n.meta, modified_at = now(), modified_by = ${userName}
    from jsonb_to_recordset(${JSON.stringify(glossaries)}::jsonb) as n (id bigint, name text, meta jsonb)
    where g.id = n.id and (g.name, g.meta) is distinct from (n.name, n.meta)`)

export const findEntryIds = (db: Db, glossaryIds: readonly number[]) =>
  db.rows<{ id: number }>(
    sql`select id from glossary_entry where glossary_id = any(${glossaryIds}::bigint[]) order by id`,
  )

export const deleteGlossaries = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from glossary where id = any(${ids}::bigint[])`)

/** Locks the rows against deletion until the transaction ends. */
export const holdGlossaries = (db: Db, { ids, tids }: Pick<GlossaryNames, 'ids' | 'tids'>) =>
  db.rows<{ id: number; tid: string; path: string }>(sql`
    select id, tid, name as path from glossary
    where id = any(${ids}::bigint[]) or tid = any(${tids}::text[]) order by id for key share`)

export const describeGlossaries = (db: Db, ids: readonly number[]) =>
  db.rows<{ id: number; tid: string; path: string }>(
    sql`select id, tid, name as path from glossary where id = any(${ids}::bigint[])`,
  )
