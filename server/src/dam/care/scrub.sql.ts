/** SQL statements about the regular read of all stored files. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { isUnreferenced } from '../storage/blobs.sql.ts'

export type Fault = 'missing' | 'damaged' | 'unreadable'

export interface ScrubRow {
  readonly id: number
  readonly startedAt: Date
  readonly startedBy: string
  readonly endedAt: Date | null
  readonly files: number
  readonly bytes: number
  readonly missing: number
  readonly damaged: number
  readonly unreadable: number
  readonly repaired: number
  readonly unreferenced: number
}
const columns = sql`id, started_at as "startedAt", started_by as "startedBy", ended_at as "endedAt", files, bytes,
  missing, damaged, unreadable, repaired, unreferenced`

/** A constraint allows one run at a time; undefined if there is one. */
export const startRun = (db: Db, by: string) =>
  db.writeRow<ScrubRow>(sql`
    insert into scrub_run (started_by) values (${by}) on conflict do nothing returning ${columns}`)

/** Whether the last run began long enough ago. */
export const isDue = async (db: Db, days: number) =>
  (await db.row<{ due: boolean }>(sql`
    select not exists (
      select from scrub_run where started_at > now() - make_interval(days => ${days}) or ended_at is null) as due`))!
    .due

/** Takes the open run for two minutes; undefined if there is none or another process works on it. */
export const claimRun = (db: Db) =>
  db.writeRow<ScrubRow & { position: string }>(sql`
    update scrub_run set claimed_until = now() + interval '2 minutes'
    where ended_at is null and (claimed_until is null or claimed_until < now()) returning ${columns}, position`)

/** False if the claim was lost meanwhile. */
export const renewClaim = async (db: Db, id: number) =>
  (await db.run(sql`
    update scrub_run set claimed_until = now() + interval '2 minutes' where id = ${id} and claimed_until > now()`)) > 0

export const unclaimRun = (db: Db, id: number) =>
  db.run(sql`update scrub_run set claimed_until = null where id = ${id}`)

interface StoredBlob {
  readonly sha256: string
  readonly size: number
  readonly fault: Fault | null
  readonly tier: 'main' | 'archive'
}
export const blobsFrom = (db: Db, after: string, limit: number) =>
  db.rows<StoredBlob>(sql`
    select sha256, size, fault, tier from blob where sha256 > ${after} order by sha256 limit ${limit}`)

/** Whether the bytes should still be where they were looked for. */
export const isStill = async (db: Db, { sha256, tier }: StoredBlob) =>
  (await db.row(sql`select from blob where sha256 = ${sha256} and tier = ${tier}`)) !== undefined

/** The position and the counts advance together. */
export const advance = (db: Db, id: number, sha256: string, size: number) =>
  db.run(sql`
    with read as (update blob set read_at = now() where sha256 = ${sha256})
    update scrub_run set position = ${sha256}, files = files + 1, bytes = bytes + ${size},
      claimed_until = now() + interval '2 minutes' where id = ${id}`)

/** Marks a blob. False if it is gone, or had the fault before. */
export const writeFault = async (db: Db, sha256: string, fault: Fault | null) =>
  (await db.run(sql`
    update blob set fault = ${fault}, fault_at = case when ${fault}::text is null then null else now() end
    where sha256 = ${sha256} and fault is distinct from ${fault}`)) > 0

export const insertFinding = (
  db: Db,
  runId: number,
  finding: { sha256: string; size: number; fault: Fault; isRepaired: boolean },
) =>
  // prettier-ignore
  db.run(sql`
    with noted as (
      insert into scrub_finding (run_id, sha256, size, fault, is_repaired)
      values (${runId}, ${finding.sha256}, ${finding.size}, ${finding.fault}, ${finding.isRepaired})
      on conflict do nothing returning fault, is_repaired)
    update scrub_run set missing = missing + (fault = 'missing')::int, damaged = damaged + (fault = 'damaged')::int,
      unreadable = unreadable + (fault = 'unreadable')::int, repaired = repaired + is_repaired::int
    from noted where id = ${runId}`)

/** Also forgets all but the newest hundred runs. */
export const endRun = async (db: Db, id: number) => {
  await db.run(sql`
    update scrub_run set ended_at = now(), claimed_until = null,
      unreferenced = (select count(*) from blob b where ${isUnreferenced}) where id = ${id}`)
  await db.run(sql`
    delete from scrub_run where id in (select id from scrub_run where ended_at is not null order by id desc offset 100)`)
}

export const listRuns = (db: Db, before: number | undefined, limit: number) =>
  db.rows<ScrubRow>(sql`
    select ${columns} from scrub_run where id < coalesce(${before ?? null}::bigint, 9e18::bigint) order by id desc limit ${limit}`)

export const findRun = (db: Db, id: number) => db.row<ScrubRow>(sql`select ${columns} from scrub_run where id = ${id}`)

interface FindingRow {
  readonly sha256: string
  readonly size: number
  readonly fault: Fault
  readonly isRepaired: boolean
  readonly foundAt: Date
}
export const listFindings = (db: Db, runId: number, after: string, limit: number) =>
  db.rows<FindingRow>(sql`
    select sha256, size, fault, is_repaired as "isRepaired", found_at as "foundAt" from scrub_finding
    where run_id = ${runId} and sha256 > ${after} order by sha256 limit ${limit}`)

export const countFaults = async (db: Db) =>
  (await db.row<{ count: number }>(sql`
    select count(*)::int as count from blob where (held is not null or fault is not null) and fault is not null`))!
    .count
