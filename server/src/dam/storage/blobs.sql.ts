/** SQL statements about stored blobs: which are referenced and which can be deleted. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const collector = sql`hashtext('dam.collector')`

/** Blocks the collector until the transaction ends, so that blobs found in the store remain there. */
export const blockCollector = (db: Db) => db.lock(sql`select pg_advisory_xact_lock_shared(${collector})`)

/**
 * Takes the exclusive lock of the collector; false if a transaction that stores files, a backup or another collector
 * holds it.
 */
export const tryCollecting = async (db: Db) =>
  (await db.row<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${collector}) as mine`))!.mine

export const touchBlob = (db: Db, sha256: string, size: number) =>
  db.run(sql`
    insert into blob (sha256, size) values (${sha256}, ${size})
    on conflict (sha256) do update set touched_at = now()`)

/** Deletes the rows of blobs that have been unreferenced for some time, a few at a time. */
export const forgetUnused = (db: Db, minutes: number, limit: number) =>
  db.writeRows<{ sha256: string }>(sql`
    delete from blob where sha256 in (
      select b.sha256 from blob b
      where b.touched_at < now() - make_interval(mins => ${minutes})
        and not exists (select from dam_entry e where e.sha256 = b.sha256)
        and not exists (select from asset_version v where v.sha256 = b.sha256)
        and not exists (select from asset_preview p where p.sha256 = b.sha256)
        and not exists (select from rendition r where r.sha256 = b.sha256)
      limit ${limit})
    returning sha256`)

/** Those of the hashes that have no row. */
export const unknownOf = (db: Db, hashes: readonly string[]) =>
  db.rows<{ sha256: string }>(sql`
    select s.sha256 from unnest(${hashes}::text[]) as s (sha256) where not exists (select from blob b where b.sha256 = s.sha256)`)

export const blobsAfter = (db: Db, after: string, limit: number) =>
  db.rows<{ sha256: string; size: number }>(sql`
    select sha256, size from blob where sha256 > ${after} order by sha256 limit ${limit}`)

/** The assets that use a blob, for administrators who have to repair it. */
export const usersOf = (db: Db, sha256: string) =>
  db.rows<{ tid: string }>(sql`
    select tid from dam_entry where sha256 = ${sha256}
    union select e.tid from asset_version v join dam_entry e on e.id = v.asset_id where v.sha256 = ${sha256}
    limit 10`)
