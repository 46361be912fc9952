/** Every statement about glossary entries. */
import type { glossaryEntryTypes, Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql } from '../../adapters/postgres/sql.ts'
import type { ItemValue } from '../meta.ts'

export type EntryType = (typeof glossaryEntryTypes)[number]

export interface Translation {
  value: string
  type: EntryType
  /** How well it fits, 0 to 100. */
  similarity: number
  forbidden: boolean
  editedBy: string
  editedAt: string
}
/** By target locale. */
export type Translations = Readonly<Record<string, Translation>>

export interface EntryRow {
  id: number
  tid: string
  glossaryId: number
  type: EntryType
  loc: string
  value: string
  forbidden: boolean
  /** Meta items that senders added to those of the system. */
  meta: ItemValue[]
  translations: Translations
}
export interface ListedEntry extends EntryRow {
  glossaryTid: string
  editedAt: Date
  editedBy: string
}
const columns = sql`e.id, e.tid, e.glossary_id as "glossaryId", e.type, e.loc, e.value, e.forbidden, e.meta, e.translations`

interface Names {
  ids: readonly Long[]
  tids: readonly string[]
}

export const lockEntries = (db: Db, { ids, tids }: Names) =>
  db.rows<EntryRow>(sql`
    select ${columns} from glossary_entry e where e.id = any(${ids}::bigint[]) or e.tid = any(${tids}::text[])
    order by e.id for update`)

/** Locks the glossaries of new entries against deletion until the transaction ends. */
export const lockGlossaries = (db: Db, { ids, tids }: Names) =>
  db.rows<{ id: number; tid: string }>(sql`
    select id, tid from glossary where id = any(${ids}::bigint[]) or tid = any(${tids}::text[])
    order by id for key share`)

export const listEntries = (
  db: Db,
  glossaryIds: readonly number[],
  locales: readonly string[],
  after: number,
  limit: number,
) =>
  db.rows<ListedEntry>(sql`
    select ${columns}, g.tid as "glossaryTid", e.edited_at as "editedAt", e.edited_by as "editedBy"
    from glossary_entry e join glossary g on g.id = e.glossary_id
    where e.glossary_id = any(${glossaryIds}::bigint[]) and e.id > ${after}
      ${locales.length > 0 ? sql`and e.loc = any(${locales}::text[])` : nothing}
    order by e.id limit ${limit}`)

export const insertEntries = (db: Db, entries: readonly EntryRow[], userName: string) =>
  db.run(sql`
    insert into glossary_entry (id, tid, glossary_id, type, loc, value, forbidden, meta, translations, edited_by)
    select id, tid, "glossaryId", type, loc, value, forbidden, meta, translations, ${userName}
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      as e (id bigint, tid text, "glossaryId" bigint, type text, loc text, value text, forbidden boolean, meta jsonb, translations jsonb)`)

/** An unchanged row keeps the date of its last edit. */
export const updateEntries = (db: Db, entries: readonly EntryRow[], userName: string) =>
  db.run(sql`
    update glossary_entry e
    set glossary_id = n."glossaryId", type = n.type, loc = n.loc, value = n.value, forbidden = n.forbidden, meta = n.meta,
        translations = n.translations, edited_at = now(), edited_by = ${userName}
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      as n (id bigint, "glossaryId" bigint, type text, loc text, value text, forbidden boolean, meta jsonb, translations jsonb)
    where e.id = n.id and (e.glossary_id, e.type, e.loc, e.value, e.forbidden, e.meta, e.translations)
      is distinct from (n."glossaryId", n.type, n.loc, n.value, n.forbidden, n.meta, n.translations)`)

export const deleteEntries = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from glossary_entry where id = any(${ids}::bigint[])`)
