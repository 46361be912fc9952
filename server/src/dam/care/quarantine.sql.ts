/** SQL statements about held files, for administrators. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

interface HeldRow {
  readonly sha256: string
  readonly size: number
  readonly state: 'unchecked' | 'infected' | 'tooLarge' | 'missing' | 'damaged' | 'unreadable'
  readonly threat: string | null
  readonly since: Date | null
  readonly deliveries: number
}
export const listHeld = (db: Db, after: string, limit: number) =>
  db.rows<HeldRow>(sql`
    select b.sha256, b.size, coalesce(b.held, b.fault) as state, b.threat,
      case when b.held is null then b.fault_at else b.scanned_at end as since,
      (select count(*) from share_file f where f.sha256 = b.sha256)::int as deliveries
    from blob b where (b.held is not null or b.fault is not null) and b.sha256 > ${after}
    order by b.sha256 limit ${limit}`)

export const lockHeld = (db: Db, sha256: string) =>
  db.row<{ held: string | null; threat: string | null }>(sql`
    select held, threat from blob where sha256 = ${sha256} and (held is not null or fault is not null) for update`)

/** Deletes versions and delivered files with the content. Returns the versions. */
export const deleteCopies = (db: Db, sha256: string) =>
  db.writeRows<{ assetId: number }>(sql`
    with delivered as (delete from share_file where sha256 = ${sha256})
    delete from asset_version where sha256 = ${sha256} returning asset_id as "assetId"`)
