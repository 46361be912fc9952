/** Every SQL statement about failed sign-ins. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql, type Sql } from '../../adapters/postgres/sql.ts'

/** The subject of a count of failures: a user name, a user name at a place that is known for it, or a network address. */
export interface Counted {
  readonly kind: 'user' | 'known' | 'address'
  readonly key: string
}

/** After `limit` failures within `window`, each further one extends the lock by `step`, up to `most` (SQL intervals). */
export interface LockRule {
  readonly limit: number
  readonly window: string
  readonly step: string
  readonly most: string
}

/** Returns the kinds that are locked, and the networks from which the user signed in. */
export const findLocks = async (db: Db, nameKey: string, counted: readonly Counted[]) =>
  (await db.row<{ locked: Counted['kind'][]; networks: string[] }>(sql`
    select
      array(
        select kind from sign_in_failure
        where (kind, key) in (select * from unnest(${counted.map(({ kind }) => kind)}::text[], ${counted.map(({ key }) => key)}::text[]))
          and locked_until > now()
      ) as locked,
      array(
        select network from known_network join user_account on id = user_id
        where name_key = ${nameKey} and seen_at > now() - interval '90 days'
      ) as networks`))!

/**
 * Counts a failure for each; the count restarts when the window has passed. Returns the kinds that were counted, because
 * they were not locked, and whether this failure locked them. The row locks serialise concurrent failures. The commit does
 * not wait for the disk, because losing a count in a power failure does no harm.
 */
export const countFailures = async (db: Db, counted: readonly (Counted & LockRule)[]) => {
  const isPast = sql`known.since < now() - rule."window"::interval`
  return db.writeRows<{ kind: Counted['kind']; locked: boolean }>(sql`
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
    where known.locked_until is null or known.locked_until <= now()
    returning kind, failures = (select "limit" from rule where rule.kind = known.kind) as locked`)
}

/** The keys of a user at known places begin with the name and a line break, which names cannot contain. */
export const isOfUser = (key: Sql, userKey: Sql) =>
  sql`(${key} = ${userKey} or starts_with(${key}, ${userKey} || E'\n'))`

/** Removes all counts of the user, at any place. */
export const unlockUser = (db: Db, userKey: string) =>
  db.run(
    sql`delete from sign_in_failure where kind in ('user', 'known') and ${isOfUser(sql`key`, sql`${userKey}::text`)}`,
  )

/** Removes the count of a successful sign-in and stores its network as known. */
export const recordSuccess = (db: Db, userId: string, { kind, key }: Counted, network: string) =>
  db.run(sql`
    with forgotten as (delete from sign_in_failure where kind = ${kind} and key = ${key})
    insert into known_network as known (user_id, network) values (${userId}, ${network})
    on conflict (user_id, network) do update set seen_at = now() where known.seen_at < now() - interval '1 day'`)

export const deleteOldFailures = async (db: Db): Promise<void> => {
  await db.run(sql`delete from sign_in_failure where since < now() - interval '12 hours'`)
  await db.run(sql`delete from known_network where seen_at < now() - interval '90 days'`)
}
