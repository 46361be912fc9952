/** SQL statements about the archive. */
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql } from '../../adapters/postgres/sql.ts'

export type Tier = 'main' | 'archive'

/** Small pictures can be equal to their own preview, which stays. */
const isShown = sql`(exists (select from asset_preview p where p.sha256 = b.sha256)
  or exists (select from rendition x where x.sha256 = b.sha256))`
const isLive = sql`e.kind = 'asset' and e.deleted_at is null`

/**
 * Content of these assets that can move. `others`: live assets outside of the selection that have it too. Content that is
 * held for another reason, or waits for its check, does not move.
 */
export const findMovable = (db: Db, ids: readonly number[]) =>
  db.rows<{
    id: number
    sha256: string
    tier: Tier
    wantedTier: Tier | null
    isHeld: boolean
    isShown: boolean
    others: number
  }>(sql`
    select e.id, e.sha256, b.tier, b.wanted_tier as "wantedTier",
      b.held is not null or b.fault is not null or b.scan is not distinct from 'waiting' as "isHeld",
      ${isShown} as "isShown",
      (select count(*) from dam_entry o where o.sha256 = e.sha256 and o.kind = 'asset' and o.deleted_at is null
        and o.id <> all(${ids}::bigint[]))::int as others
    from dam_entry e join blob b on b.sha256 = e.sha256 where e.id = any(${ids}::bigint[]) for update of b`)

export const want = (db: Db, hashes: readonly string[], tier: Tier | null, by: string) =>
  db.run(sql`
    update blob set wanted_tier = ${tier}, wanted_by = ${by} where sha256 = any(${hashes}::text[])`)

interface Selection {
  /** The path of a folder in lower case; undefined for all files. */
  readonly pathKey?: string | undefined
  readonly months: number
  readonly onlyUnlinked: boolean
  readonly to: Tier
  readonly by: string
}
/** Marks the content of all assets of a selection, unless an asset outside of it has the same content. */
export const wantAll = async (db: Db, { pathKey, months, onlyUnlinked, to, by }: Selection) => {
  const inFolder =
    pathKey === undefined
      ? nothing
      : sql`and (coalesce(d.path_key, '/' || lower(r.tid)) = ${pathKey}
          or starts_with(coalesce(d.path_key, '/' || lower(r.tid)), ${pathKey} || '/'))`
  const isUnlinked = onlyUnlinked
    ? sql`and not exists (select from link l where l.from_id = e.id and l.kind in ('assetToProduct', 'assetToProject'))`
    : nothing
  return (await db.writeRow<{ files: number; bytes: number }>(sql`
    with chosen as materialized (
      select e.sha256, count(*) as count from dam_entry e join rnc r on r.id = e.rnc_id
      left join dam_entry d on d.id = e.parent_id
      where ${isLive} ${inFolder} ${isUnlinked} and e.modified_at <= now() - make_interval(months => ${months})
      group by e.sha256
    ), marked as (
      update blob b set wanted_tier = nullif(${to}::text, b.tier), wanted_by = ${by} from chosen c
      where b.sha256 = c.sha256 and b.tier <> ${to} and b.wanted_tier is distinct from ${to}
        and (${to} = 'main' or (
          b.held is null and b.fault is null and b.scan is distinct from 'waiting'
          and greatest(b.touched_at, b.used_at) <= now() - make_interval(months => ${months})
          and c.count = (select count(*) from dam_entry e where e.sha256 = b.sha256 and ${isLive})
          and not exists (select from share_file f where f.sha256 = b.sha256)
          and not ${isShown}))
      returning b.size
    )
    select count(*)::int as files, coalesce(sum(size), 0)::bigint as bytes from marked`))!
}

export interface Moving {
  readonly sha256: string
  readonly size: number
  readonly wantedTier: Tier
  readonly wantedBy: string
}
export const nextMoving = (db: Db, to: Tier, after: string) =>
  db.row<Moving>(sql`
    select sha256, size, wanted_tier as "wantedTier", coalesce(wanted_by, '') as "wantedBy" from blob
    where wanted_tier = ${to} and sha256 > ${after} order by sha256 limit 1`)

/** False if the content is no longer wanted in the archive. */
export const markArchived = async (db: Db, sha256: string) =>
  (await db.run(sql`
    update blob set tier = 'archive', wanted_tier = null
    where sha256 = ${sha256} and tier = 'main' and wanted_tier = 'archive' and held is null and fault is null`)) > 0

/** Locks the row. */
export const isArchived = async (db: Db, sha256: string) =>
  (await db.row(sql`
    select from blob where sha256 = ${sha256} and tier = 'archive' and wanted_tier is null for update`)) !== undefined

export const unwant = (db: Db, sha256: string) =>
  db.run(sql`update blob set wanted_tier = null where sha256 = ${sha256}`)

export const touchUsed = (db: Db, sha256: string) =>
  db.run(sql`
    update blob set used_at = now() where sha256 = ${sha256} and (used_at is null or used_at < now() - interval '1 day')`)

export const findUser = (db: Db, name: string) =>
  db.row<{ id: string; name: string }>(sql`select id, name from user_account where name = ${name}`)

export const countArchive = async (db: Db) =>
  (await db.row<{ files: number; bytes: number; leaving: number; returning: number }>(sql`
    select count(*) filter (where tier = 'archive')::int as files,
      coalesce(sum(size) filter (where tier = 'archive'), 0)::bigint as bytes,
      count(*) filter (where wanted_tier = 'archive')::int as leaving,
      count(*) filter (where wanted_tier = 'main')::int as returning
    from blob where tier = 'archive' or wanted_tier is not null`))!
