/** Every SQL statement about failed sign-ins. */
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'

/** Whom failures are counted for: a user name or a network address. */
export interface Counted {
  readonly kind: 'user' | 'address'
  readonly key: string
}

/** From `limit` failures within `window` on, each one locks for `step` more, up to `most` (intervals of PostgreSQL). */
export interface LockRule {
  readonly limit: number
  readonly window: string
  readonly step: string
  readonly most: string
}

export const findLocked = async (db: Db, counted: readonly Counted[]) =>
  (
    await db.rows<Pick<Counted, 'kind'>>(sql`
      select kind from sign_in_failure
      where (kind, key) in (select * from unnest(${counted.map(({ kind }) => kind)}::text[], ${counted.map(({ key }) => key)}::text[]))
        and locked_until > now()`)
  ).map(({ kind }) => kind)

/** A count that a power failure takes back harms nobody: the commit need not wait for the disk. */
export const commitLoosely = (db: Db) => db.run(sql`set local synchronous_commit to off`)

/** Counting starts anew when the window has passed. Tells whether this failure was the one that locked. */
export const countFailure = async (db: Db, { kind, key }: Counted, { limit, window, step, most }: LockRule) => {
  const counted = await db.row<{ failures: number }>(sql`
    insert into sign_in_failure as known (kind, key, failures) values (${kind}, ${key}, 1)
    on conflict (kind, key) do update set
      failures = case when known.since < now() - ${window}::interval then 1 else known.failures + 1 end,
      since = case when known.since < now() - ${window}::interval then now() else known.since end,
      locked_until = case
        when known.since < now() - ${window}::interval or known.failures + 1 < ${limit}::integer then null
        else now() + least(${most}::interval, (known.failures + 2 - ${limit}::integer) * ${step}::interval)
      end
    returning failures`)
  return counted!.failures === limit
}

export const forgetFailures = (db: Db, { kind, key }: Counted) =>
  db.run(sql`delete from sign_in_failure where kind = ${kind} and key = ${key}`)

export const deleteOldFailures = (db: Db) =>
  db.run(sql`delete from sign_in_failure where since < now() - interval '12 hours'`)
