/** SQL statements about held content: which blobs nobody gets, and why. */
import type { contentStatuses } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'

/** Why nobody gets the bytes. */
export interface Hold {
  readonly state: Exclude<(typeof contentStatuses)[number], 'available'>
  readonly threat: string | null
}

/** The state of a blob `b`; null if its bytes are available. */
const heldState = sql`coalesce(b.held, b.fault, case b.tier when 'archive' then 'archived' end)`

/** The hold of the content with this hash as JSON; null if its bytes are available. */
export const holdOf = (sha256: Sql) => sql`(
  select jsonb_build_object('state', ${heldState}, 'threat', b.threat)
  from blob b where b.sha256 = ${sha256} and ${heldState} is not null)`

export const findHold = async (db: Db, sha256: string) =>
  (await db.row<{ hold: Hold | null }>(sql`select ${holdOf(sql`${sha256}`)} as hold`))!.hold
