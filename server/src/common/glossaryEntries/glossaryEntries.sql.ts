/** Every statement about glossary entries. */
import type { glossaryEntryTypes, Long } from '@kontor/contract'
import { columns, type Row } from '../../adapters/postgres/columns.ts'
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
  /** The word to write instead of a forbidden one. */
  useInstead?: string
  editedBy: string
  editedAt: string
}
/** By target locale. */
export type Translations = Readonly<Record<string, Translation>>

// prettier-ignore
const entry = columns('glossary_entry', 'id', 'tid', 'glossary_id', 'type', 'loc', 'value', 'forbidden', 'meta', 'translations')
const content = entry.without('id', 'tid')
const edits = columns('glossary_entry', 'edited_at', 'edited_by')

export interface EntryRow extends Row<typeof entry> {
  type: EntryType
  /** The items that senders put into meta. */
  meta: ItemValue[]
  translations: Translations
}
export interface ListedEntry extends EntryRow, Row<typeof edits> {
  glossaryTid: string
}

interface Names {
  ids: readonly Long[]
  tids: readonly string[]
}

export const lockEntries = (db: Db, { ids, tids }: Names) =>
  db.rows<EntryRow>(sql`
    select ${entry.select('e')} from glossary_entry e where e.id = any(${ids}::bigint[]) or e.tid = any(${tids}::text[])
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
    select ${entry.select('e')}, ${edits.select('e')}, g.tid as "glossaryTid"
    from glossary_entry e join glossary g on g.id = e.glossary_id
    where e.glossary_id = any(${glossaryIds}::bigint[]) and e.id > ${after}
      ${locales.length > 0 ? sql`and e.loc = any(${locales}::text[])` : nothing}
    order by e.id limit ${limit}`)

export const insertEntries = (db: Db, entries: readonly EntryRow[], userName: string) =>
  db.run(sql`
    insert into glossary_entry (${entry.names}, edited_by)
    select ${entry.fields('n')}, ${userName} from ${entry.recordset(entries, 'n')}`)

/** Leaves unchanged rows alone, so that they keep the date of their last edit. */
export const updateEntries = (db: Db, entries: readonly EntryRow[], userName: string) =>
  db.run(sql`
    update glossary_entry e set ${content.set('n')}, edited_at = now(), edited_by = ${userName}
    from ${entry.recordset(entries, 'n')}
    where e.id = n.id and (${content.of('e')}) is distinct from (${content.fields('n')})`)

export const deleteEntries = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from glossary_entry where id = any(${ids}::bigint[])`)
