/** Every SQL statement about failed sign-ins. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

/** A user name or network address for which failures are counted. */
export interface Counted {
  readonly kind: 'user' | 'address'
  readonly key: string
}

/** After `limit` failures within `window`, each further one extends the lock by `step`, up to `most` (SQL intervals). */
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

/**
 * Counts a failure for each; the count restarts when the window has passed. Returns the kinds that this failure locked.
 * The commit does not wait for the disk, because losing a count in a power failure does no harm.
 */
export const countFailures = async (db: Db, counted: readonly (Counted & LockRule)[]) => {
  const isPast = sql`known.since < now() - rule."window"::interval`
  const rows = await db.writeRows<{ kind: Counted['kind']; locked: boolean }>(sql`
    with rule as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb)
        as rule (kind text, key text, "limit" integer, "window" text, step text, most text),
        set_config('synchronous_commit', 'off', true)
    )
    insert into sign_in_failure as known (kind, key, failures) select kind, key, 1 from rule order by kind
    on conflict (kind, key) do update set (failures, since, locked_until) = (
      select
        case when ${isPast} then 1 else known.failures + 1 end,
        case when ${isPast} then now() else known.since end,
        case when ${isPast} or known.failures + 1 < rule."limit" then null
          else now() + least(rule.most::interval, (known.failures + 2 - rule."limit") * rule.step::interval) end
      from rule where rule.kind = known.kind
    )
    returning kind, failures = (select "limit" from rule where rule.kind = known.kind) as locked`)
  return rows.filter(({ locked }) => locked).map(({ kind }) => kind)
}

export const forgetFailures = (db: Db, { kind, key }: Counted) =>
  db.run(sql`delete from sign_in_failure where kind = ${kind} and key = ${key}`)

export const deleteOldFailures = (db: Db) =>
  db.run(sql`delete from sign_in_failure where since < now() - interval '12 hours'`)
