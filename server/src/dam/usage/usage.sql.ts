/** SQL statements about usage rights of assets. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { type Hold, holdOf } from '../care/hold.sql.ts'

/** The terms of use of a file. Times are texts in ISO 8601. */
export interface UsageTerms {
  readonly licence: string | null
  readonly holder: string | null
  readonly creditLine: string | null
  readonly releases: readonly string[]
  readonly territories: readonly string[]
  /** Tids. */
  readonly channels: readonly string[]
  readonly media: readonly string[]
  readonly validFrom: string | null
  readonly validUntil: string | null
  readonly embargoUntil: string | null
}
export interface UsageRow extends UsageTerms {
  readonly overrideUntil: string | null
  readonly overrideBy: string | null
  readonly overrideReason: string | null
}

const dirPath = sql`coalesce(d.path, '/' || r.tid)`
const iso = sql`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`
/** The usage rights of an asset `e` as JSON; null if it has none. */
export const usageOf = sql`(
  select jsonb_build_object(
    'licence', licence, 'holder', holder, 'creditLine', credit_line, 'releases', releases,
    'territories', territories, 'channels', channels, 'media', media,
    'validFrom', to_char(valid_from at time zone 'UTC', ${iso}),
    'validUntil', to_char(valid_until at time zone 'UTC', ${iso}),
    'embargoUntil', to_char(embargo_until at time zone 'UTC', ${iso}),
    'overrideUntil', to_char(override_until at time zone 'UTC', ${iso}),
    'overrideBy', override_by, 'overrideReason', override_reason)
  from asset_usage where asset_id = e.id)`

export const findUsage = (db: Db, ids: readonly number[]) =>
  db.rows<{ id: number; usage: UsageRow | null }>(sql`
    select e.id, ${usageOf} as usage from dam_entry e where e.id = any(${ids}::bigint[])`)

/** Stores the terms of assets. Overrides stay; a new end is warned of again. */
export const putUsage = (db: Db, all: readonly { readonly id: number; readonly terms: UsageTerms }[]) =>
  db.run(sql`
    insert into asset_usage (asset_id, licence, holder, credit_line, releases, territories, channels, media, valid_from,
      valid_until, embargo_until)
    select n.id, t.licence, t.holder, t."creditLine", t.releases, t.territories, t.channels, t.media, t."validFrom",
      t."validUntil", t."embargoUntil"
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as n (id bigint, terms jsonb)
    cross join lateral jsonb_to_record(n.terms) as t (licence text, holder text, "creditLine" text, releases text[],
      territories text[], channels text[], media text[], "validFrom" timestamptz, "validUntil" timestamptz,
      "embargoUntil" timestamptz)
    on conflict (asset_id) do update set licence = excluded.licence, holder = excluded.holder,
      credit_line = excluded.credit_line, releases = excluded.releases, territories = excluded.territories,
      channels = excluded.channels, media = excluded.media, valid_from = excluded.valid_from,
      valid_until = excluded.valid_until, embargo_until = excluded.embargo_until,
      warned = case when asset_usage.valid_until = excluded.valid_until then asset_usage.warned end`)

/** Whether a term of some file has begun or ended since then. Clocks may differ by an hour. */
export const hasUsageTurned = async (db: Db, since: Date): Promise<boolean> =>
  (await db.row<{ found: boolean }>(sql`
    select exists (
      select from asset_usage u cross join lateral (
        values (u.valid_from), (u.valid_until), (u.embargo_until), (u.override_until)) as t (time)
      where t.time > ${since}::timestamptz - interval '1 hour' and t.time <= now() + interval '1 hour') as found`))!
    .found

/** Marks and returns the files whose rights have begun or ended since this was last looked for. */
export const takeTurned = (db: Db, limit: number) =>
  db.writeRows<{ id: number }>(sql`
    with turned as (
      select u.asset_id from asset_usage u
      where exists (
        select from (values (u.valid_from), (u.valid_until), (u.embargo_until), (u.override_until)) as t (time)
        where t.time > u.turned_at and t.time <= now())
      order by u.asset_id limit ${limit} for update of u skip locked
    )
    update asset_usage u set turned_at = now() from turned where u.asset_id = turned.asset_id
    returning u.asset_id as id`)

export const deleteUsage = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from asset_usage where asset_id = any(${ids}::bigint[])`)

interface Override {
  readonly id: number
  readonly until: string | null
  readonly by: string | null
  readonly reason: string | null
}
export const writeOverrides = (db: Db, all: readonly Override[]) =>
  db.run(sql`
    update asset_usage u set override_until = n.until, override_by = n.by, override_reason = n.reason
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as n (id bigint, until timestamptz, by text, reason text)
    where u.asset_id = n.id`)

/** Whether a channel is one of the channels, or below one of them. */
const isCleared = sql`exists (
  select from project a where a.tid = any(u.channels) and (p.path = a.path or starts_with(p.path, a.path || '/')))`

export interface Placement {
  readonly fromId: number
  readonly toId: number
}
/** New links of assets to channels, if the assets have usage rights or their content is held. */
export const findPlacements = (db: Db, links: readonly Placement[]) =>
  db.rows<
    Placement & { path: string; channel: string; isCleared: boolean; usage: UsageRow | null; hold: Hold | null }
  >(sql`
    select l."fromId", l."toId", ${dirPath} || '/' || e.name as path, p.tid as channel,
      ${isCleared} as "isCleared", ${usageOf} as usage, held.hold
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as l ("fromId" bigint, "toId" bigint)
    left join asset_usage u on u.asset_id = l."fromId"
    join dam_entry e on e.id = l."fromId" cross join lateral (select ${holdOf(sql`e.sha256`)} as hold) held join rnc r on r.id = e.rnc_id left join dam_entry d on d.id = e.parent_id
    join project p on p.id = l."toId"
    where (u.asset_id is not null or held.hold is not null) and not exists (
      select from link x where x.kind = 'assetToProject' and x.from_id = l."fromId" and x.to_id = l."toId")`)

/** Those of the channels that clear a channel: itself and those above it. None if it does not exist. */
export const findClearing = async (db: Db, channels: readonly string[], tid: string): Promise<string[]> =>
  (
    await db.rows<{ tid: string }>(sql`
      select a.tid from project p join project a on p.path = a.path or starts_with(p.path, a.path || '/')
      where p.tid = ${tid} and a.tid = any(${[...new Set(channels)]}::text[])`)
  ).map((row) => row.tid)

export interface DueWarning {
  readonly tid: string
  readonly path: string
  readonly dirPath: string
  readonly owner: string
  readonly ownerId: string | null
  readonly validUntil: Date
  readonly days: number
}
/** Marks and returns the files whose rights end within 30, 7 or 1 days and that nobody was warned of yet. */
export const takeWarnings = (db: Db, limit: number) =>
  db.writeRows<DueWarning>(sql`
    with due as (
      select u.asset_id, u.valid_until, least_days.days
      from asset_usage u
      cross join lateral (
        select min(days) as days from unnest(array[30, 7, 1]) as days
        where u.valid_until <= now() + make_interval(days => days)) as least_days
      where u.valid_until > now() and u.valid_until <= now() + interval '30 days'
        and (u.warned is null or u.warned > least_days.days)
      order by u.asset_id limit ${limit} for update of u skip locked
    ), marked as (
      update asset_usage u set warned = due.days from due where u.asset_id = due.asset_id
      returning u.asset_id, u.valid_until, due.days
    )
    select e.tid, ${dirPath} || '/' || e.name as path, ${dirPath} as "dirPath", e.created_by as owner,
      (select a.id from user_account a where a.name = e.created_by) as "ownerId",
      m.valid_until as "validUntil", m.days
    from marked m join dam_entry e on e.id = m.asset_id join rnc r on r.id = e.rnc_id
    left join dam_entry d on d.id = e.parent_id
    where e.deleted_at is null order by e.created_by, m.days, m.valid_until, e.id`)
