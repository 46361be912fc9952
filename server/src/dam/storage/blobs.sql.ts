/** SQL statements about stored blobs: which are referenced and which can be deleted. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { Incoming } from '../care/hold.ts'

const collector = sql`hashtext('dam.collector')`

/** Blocks the collector until the transaction ends, so that blobs found in the store remain there. */
export const blockCollector = (db: Db) => db.lock(sql`select pg_advisory_xact_lock_shared(${collector})`)

/**
 * Takes the exclusive lock of the collector; false if a transaction that stores files, a backup or another collector
 * holds it.
 */
export const tryCollecting = async (db: Db) =>
  (await db.row<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${collector}) as mine`))!.mine

interface Touched {
  readonly fault: string | null
  readonly wasArchived: boolean
}
/**
 * Registers stored bytes, which are in the main store from now on. Known content that was never checked is checked now, but not held: uploading a file again must
 * not take it away from others. Infected content is checked again, so that its uploader is notified.
 */
export const touchBlob = (db: Db, sha256: string, size: number, incoming: Incoming = 'unchecked') => {
  const scan = incoming === 'unchecked' ? null : 'waiting'
  return db.writeRow<Touched>(sql`
    with before as (select tier from blob where sha256 = ${sha256})
    insert into blob (sha256, size, scan, held)
    values (${sha256}, ${size}, ${scan}, ${incoming === 'held' ? 'unchecked' : null})
    on conflict (sha256) do update set touched_at = now(), tier = 'main', wanted_tier = null, wanted_by = null, scan = case
      when blob.scan is null or blob.scan = 'infected' then coalesce(excluded.scan, blob.scan) else blob.scan end
    returning fault, coalesce((select tier = 'archive' from before), false) as "wasArchived"`) as Promise<Touched>
}

export const clearFault = (db: Db, sha256: string) =>
  db.run(sql`update blob set fault = null, fault_at = null where sha256 = ${sha256}`)

/** No asset, version, preview, rendition or delivered file has the bytes of a blob `b`. */
export const isUnreferenced = sql`
  not exists (select from dam_entry e where e.sha256 = b.sha256)
  and not exists (select from asset_version v where v.sha256 = b.sha256)
  and not exists (select from asset_preview p where p.sha256 = b.sha256)
  and not exists (select from rendition r where r.sha256 = b.sha256)
  and not exists (select from share_file f where f.sha256 = b.sha256)`

/** Deletes the rows of blobs that have been unreferenced for some time, a few at a time. */
export const forgetUnused = (db: Db, minutes: number, limit: number) =>
  db.writeRows<{ sha256: string }>(sql`
    delete from blob where sha256 in (
      select b.sha256 from blob b
      where b.touched_at < now() - make_interval(mins => ${minutes})
        and ${isUnreferenced}
      limit ${limit})
    returning sha256`)

/** Those of the hashes that have no row in this tier. `size` is that of a row in the other one. */
export const unknownOf = (db: Db, hashes: readonly string[], tier: 'main' | 'archive') =>
  db.rows<{ sha256: string; size: number | null }>(sql`
    select s.sha256, b.size from unnest(${hashes}::text[]) as s (sha256) left join blob b on b.sha256 = s.sha256
    where b.sha256 is null or (b.tier <> ${tier} and b.wanted_tier is null)`)

export const blobsAfter = (db: Db, after: string, limit: number) =>
  db.rows<{ sha256: string; size: number }>(sql`
    select sha256, size from blob where sha256 > ${after} order by sha256 limit ${limit}`)

/** The assets that use a blob, for administrators who have to repair it. */
export const usersOf = (db: Db, sha256: string) =>
  db.rows<{ tid: string }>(sql`
    select tid from dam_entry where sha256 = ${sha256}
    union select e.tid from asset_version v join dam_entry e on e.id = v.asset_id where v.sha256 = ${sha256}
    limit 10`)
