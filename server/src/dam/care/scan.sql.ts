/** SQL statements about the check for viruses. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { dirPath, inPlace } from '../entries.sql.ts'

/** Takes a file that waits for its check. Should this process end, another takes it after five minutes. */
export const claimWaiting = (db: Db) =>
  db.writeRow<{ sha256: string; size: number }>(sql`
    update blob set scan_claim = now() + interval '5 minutes' where sha256 = (
      select sha256 from blob where scan = 'waiting' and (scan_claim is null or scan_claim < now())
      order by touched_at limit 1 for update skip locked)
    returning sha256, size`)

export const unclaim = (db: Db, sha256: string) =>
  db.run(sql`update blob set scan_claim = null where sha256 = ${sha256}`)

export interface Checked {
  readonly scan: 'clean' | 'infected' | 'tooLarge' | 'released'
  readonly held: 'infected' | 'tooLarge' | null
  readonly threat: string | null
}

/** Returns the state before, unless somebody has decided about the file meanwhile. */
export const writeChecked = (db: Db, sha256: string, { scan, held, threat }: Checked) =>
  db.writeRow<{ before: string | null }>(sql`
    update blob b set scan = ${scan}, held = ${held}, threat = ${threat}, scanned_at = now(), scan_claim = null
    from (select sha256, held from blob where sha256 = ${sha256} for update) o
    where b.sha256 = o.sha256 and (b.scan = 'waiting' or ${scan === 'released'}) returning o.held as before`)

/** Everything is checked again; what is held stays so until then. Decisions of administrators are kept. */
export const queueAll = (db: Db) =>
  db.run(sql`
    update blob b set scan = 'waiting', scan_claim = null
    where scan is distinct from 'waiting' and scan is distinct from 'released' and tier = 'main'
      and (exists (select from dam_entry e where e.sha256 = b.sha256)
        or exists (select from asset_version v where v.sha256 = b.sha256)
        or exists (select from share_file f where f.sha256 = b.sha256))`)

/** Without a scanner nothing is ever checked: what waits is available, as it is in an installation that never had one. */
export const releaseUnchecked = (db: Db) =>
  db.writeRows<{ sha256: string }>(sql`
    update blob set held = null where held = 'unchecked' returning sha256`)

interface ContentUse {
  readonly id: number
  readonly tid: string
  readonly path: string
  readonly modifiedBy: string
  readonly isCurrent: boolean
}
/** The assets that have the content, as their current file or as a version. Those in the trash count too. */
export const findUses = (db: Db, sha256: string, limit = 1000) =>
  db.rows<ContentUse>(sql`
    select e.id, e.tid, ${dirPath} || '/' || e.name as path, e.modified_by as "modifiedBy", used.current as "isCurrent"
    from (
      select id, bool_or(current) as current from (
        select id, true as current from dam_entry where sha256 = ${sha256} and kind = 'asset'
        union all select asset_id, false from asset_version where sha256 = ${sha256}) u
      group by id order by id limit ${limit}) used
    join ${inPlace} on e.id = used.id order by e.id`)

/** The users who brought the content, as far as they still exist: of assets, and of pages on which it was delivered. */
export const findBringers = (db: Db, sha256: string) =>
  db.rows<{ name: string; files: string[] }>(sql`
    select a.name, array_agg(distinct u.file) as files from user_account a join (
      select modified_by as name, name as file from dam_entry where sha256 = ${sha256} and kind = 'asset'
      union select file_user, name from asset_version where sha256 = ${sha256}
      union select s.user_name, f.name from share_file f join share s on s.id = f.share_id where f.sha256 = ${sha256}) u
    on u.name = a.name group by a.name order by a.name limit 100`)

/** Assets whose previews were not made, because the content was held or damaged. */
export const findUnimported = (db: Db, sha256: string) =>
  db.rows<{ id: number }>(sql`
    select id from dam_entry where sha256 = ${sha256} and kind = 'asset' and import_status in ('pending', 'running')`)

export const countScans = async (db: Db) =>
  (await db.row<{ waiting: number; infected: number; tooLarge: number }>(sql`
    select (select count(*) from blob where scan = 'waiting')::int as waiting,
      count(*) filter (where held = 'infected')::int as infected,
      count(*) filter (where held = 'tooLarge')::int as "tooLarge"
    from blob where held is not null or fault is not null`))!
