/** SQL statements about films and sounds in a form that browsers play. */
import type { Db } from '../../../adapters/postgres/db.ts'
import { sql } from '../../../adapters/postgres/sql.ts'
import type { MediaFacts } from '../../assets/previews/message.ts'

export interface MediaRow {
  id: number
  epoch: number
  facts: MediaFacts | null
  peaks: readonly number[] | null
  /** The copy that browsers play. */
  sha256: string | null
  size: number | null
  mime: string | null
  /** Whether the time of its last use is worth an update. */
  isStale: boolean | null
  /** A copy waits or is being made. False if nothing has happened for a day, because its job was lost. */
  isPending: boolean
  progress: number | null
  note: string | null
}
/** `recipe`: the key of copies among the renditions. */
export const findMedia = (db: Db, ids: readonly number[], recipe: string) =>
  db.rows<MediaRow>(sql`
    select e.id, e.address_epoch as epoch, e.embedded -> 'media' as facts, a.peaks, r.sha256, r.size, r.mime,
      r.used_at < now() - interval '1 hour' as "isStale", coalesce(c.note is null and c.changed_at > now() - interval '1 day', false) as "isPending", c.progress, c.note
    from dam_entry e
      left join file_analysis a on a.sha256 = e.sha256
      left join rendition r on r.source = e.sha256 and r.recipe = ${recipe} and r.sha256 is not null
      left join film_copy c on c.source = e.sha256
    where e.id = any(${ids}::bigint[])`)

/** True for the one who is to add the job. A copy that failed or was lost is asked for again on request or the next day. */
export const askForCopy = async (db: Db, source: string, holder: string, again: boolean) =>
  (await db.run(sql`
    insert into film_copy (source, holder) values (${source}, ${holder})
    on conflict (source) do update set holder = excluded.holder, progress = null, note = null, changed_at = now()
      where (film_copy.note is not null and ${again}) or film_copy.changed_at < now() - interval '1 day'`)) > 0

export const countCopies = async (db: Db, holder: string) =>
  (await db.row<{ count: number }>(sql`
    select count(*)::int as count from film_copy where holder = ${holder} and note is null`))!.count

interface CopySource {
  sha256: string
  mime: string
  name: string
  /** Whether the copy exists already. */
  isMade: boolean
}
/** A file whose copy was asked for; undefined if no asset has it any more. */
export const findCopySource = (db: Db, source: string, recipe: string) =>
  db.row<CopySource>(sql`
    select e.sha256, e.mime, e.name, exists (
      select from rendition r where r.source = e.sha256 and r.recipe = ${recipe} and r.sha256 is not null) as "isMade"
    from film_copy c join dam_entry e on e.sha256 = c.source and e.kind = 'asset' and e.deleted_at is null
    where c.source = ${source} and c.note is null order by e.id limit 1`)

export const writeProgress = (db: Db, source: string, progress: number) =>
  db.run(sql`update film_copy set progress = ${progress}, changed_at = now() where source = ${source}`)

export const writeFailure = (db: Db, source: string, note: string) =>
  db.run(sql`update film_copy set note = ${note.slice(0, 500)}, changed_at = now() where source = ${source}`)

export const deleteCopy = (db: Db, source: string) => db.run(sql`delete from film_copy where source = ${source}`)
