/** All SQL for stored searches that notify their user. */
import type { Search } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { StoredCaller } from '../../core/context.ts'

export type Frequency = 'atOnce' | 'daily'
/** Jobs run every minute; a little less keeps them from missing one another by milliseconds. */
const pauses = { atOnce: sql`interval '50 seconds'`, daily: sql`interval '1 day'` }

interface NewAlert {
  readonly frequency: Frequency
  readonly principal: StoredCaller
  readonly seen: readonly number[] | null
}

/** Stores or replaces the alert of a search. */
export const putAlert = (db: Db, searchId: number, { frequency, principal, seen }: NewAlert) =>
  db.run(sql`
    insert into search_alert (search_id, frequency, principal, seen, due_at)
    values (${searchId}, ${frequency}, ${JSON.stringify(principal)}::jsonb, ${seen}::bigint[], now() + ${pauses[frequency]})
    on conflict (search_id) do update set
      frequency = excluded.frequency, principal = excluded.principal, seen = excluded.seen, due_at = excluded.due_at`)

export const deleteAlert = (db: Db, searchId: number) =>
  db.run(sql`delete from search_alert where search_id = ${searchId}`)

/** One request of a user at a time, so that several cannot exceed the number of alerts together. */
export const lockAlerts = (db: Db, userName: string) =>
  db.lock(sql`select pg_advisory_xact_lock(hashtextextended(${userName}, 37))`)

export const countAlerts = async (db: Db, userName: string, otherThan: number) =>
  (await db.row<{ count: number }>(sql`
    select count(*)::int as count from search_alert join stored_search s on s.id = search_id
    where s.user_name = ${userName} and s.id <> ${otherThan}`))!.count

export interface DueAlert {
  readonly searchId: number
  readonly frequency: Frequency
  readonly principal: StoredCaller
  readonly seen: readonly number[] | null
  readonly name: string
  readonly search: Search
  readonly userName: string
}

/** The alert that is due for the longest time, locked; other processes skip it. */
export const takeDue = (db: Db) =>
  db.row<DueAlert>(sql`
    select a.search_id as "searchId", a.frequency, a.principal, a.seen, s.name, s.search, s.user_name as "userName"
    from search_alert a join stored_search s on s.id = a.search_id
    where a.due_at <= now() order by a.due_at limit 1 for update of a skip locked`)

export const postpone = (db: Db, { searchId, frequency }: DueAlert) =>
  db.run(sql`update search_alert set due_at = now() + ${pauses[frequency]} where search_id = ${searchId}`)

export const setSeen = (db: Db, searchId: number, seen: readonly number[]) =>
  db.run(sql`update search_alert set seen = ${seen}::bigint[] where search_id = ${searchId}`)
