/** SQL statements about how much is stored, where, of which kind and how old. Each is one pass over the assets of a folder. */
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql } from '../../adapters/postgres/sql.ts'
import { dirPath, inPlace } from '../entries.sql.ts'

interface Amount {
  readonly files: number
  readonly bytes: number
}
const amount = sql`count(*)::int as files, coalesce(sum(e.size), 0)::bigint as bytes`

/** Assets below a folder, by its key; all assets for ''. */
const below = (key: string) =>
  key === ''
    ? sql`e.kind = 'asset'`
    : sql`e.kind = 'asset' and (coalesce(d.path_key, '/' || lower(r.tid)) = ${key}
        or starts_with(coalesce(d.path_key, '/' || lower(r.tid)), ${key} || '/'))`
const live = (key: string) => sql`${below(key)} and e.deleted_at is null`

/** Direct subfolders with everything below them; '' for files in the folder itself. */
export const byFolder = (db: Db, path: string, key: string, limit: number) =>
  db.rows<Amount & { name: string }>(sql`
    select split_part(substr(${dirPath}, ${path.length + 2}::int), '/', 1) as name, ${amount} from ${inPlace}
    where ${live(key)} group by 1 order by bytes desc, 1 limit ${limit}`)

export const byType = (db: Db, key: string, limit: number) =>
  db.rows<Amount & { name: string }>(sql`
    select e.mime as name, ${amount} from ${inPlace} where ${live(key)} group by 1 order by bytes desc, 1 limit ${limit}`)

/** By the time since the file was added, in months. */
const ages = [1, 3, 12, 24, 60] as const
export const byAge = (db: Db, key: string) =>
  db.rows<Amount & { fromMonths: number }>(sql`
    select coalesce((select max(m) from unnest(${ages}::int[]) as m where e.created_at <= now() - make_interval(months => m)), 0)
      as "fromMonths", ${amount}
    from ${inPlace} where ${live(key)} group by 1 order by 1`)

export const largest = (db: Db, key: string, limit: number) =>
  db.rows<{ tid: string; path: string; bytes: number }>(sql`
    select e.tid, ${dirPath} || '/' || e.name as path, e.size as bytes from ${inPlace} where ${live(key)}
    order by e.size desc, e.id limit ${limit}`)

/** `unlinked`: no product or channel has them. `duplicates`: the second and further files of equal content. */
export const totals = async (db: Db, key: string) =>
  (await db.row<Record<'total' | 'unlinked' | 'trash' | 'archived', Amount>>(sql`
    select jsonb_build_object('files', count(*) filter (where live), 'bytes', coalesce(sum(size) filter (where live), 0)) as total,
      jsonb_build_object('files', count(*) filter (where live and unlinked),
        'bytes', coalesce(sum(size) filter (where live and unlinked), 0)) as unlinked,
      jsonb_build_object('files', count(*) filter (where not live), 'bytes', coalesce(sum(size) filter (where not live), 0)) as trash,
      jsonb_build_object('files', count(*) filter (where live and tier = 'archive'),
        'bytes', coalesce(sum(size) filter (where live and tier = 'archive'), 0)) as archived
    from (
      select e.size, e.deleted_at is null as live, b.tier,
        not exists (select from link l where l.from_id = e.id and l.kind in ('assetToProduct', 'assetToProject')) as unlinked
      from ${inPlace} join blob b on b.sha256 = e.sha256 where ${below(key)}) as asset`))!

export const duplicates = async (db: Db, key: string) =>
  (await db.row<Amount>(sql`
    select coalesce(sum(count - 1), 0)::int as files, coalesce(sum((count - 1) * size), 0)::bigint as bytes from (
      select e.sha256, e.size, count(*) as count from ${inPlace} where ${live(key)} group by 1, 2 having count(*) > 1) as equal`))!

export const versions = async (db: Db, key: string) =>
  (await db.row<Amount>(sql`
    select count(*)::int as files, coalesce(sum(v.size), 0)::bigint as bytes
    from ${inPlace} join asset_version v on v.asset_id = e.id where ${live(key)}`))!

/** Previews and renditions of the files, and everything that is stored. The last one only makes sense for all folders. */
export const made = async (db: Db, key: string) =>
  (await db.row<Record<'previews' | 'renditions', Amount> & { stored: Amount | null }>(sql`
    select (select jsonb_build_object('files', count(*), 'bytes', coalesce(sum(p.size), 0))
        from ${inPlace} join asset_preview p on p.asset_id = e.id where ${live(key)}) as previews,
      (select jsonb_build_object('files', count(*), 'bytes', coalesce(sum(x.size), 0)) from rendition x
        where x.sha256 is not null ${key === '' ? nothing : sql`and x.source in (select e.sha256 from ${inPlace} where ${live(key)})`}) as renditions,
      (select jsonb_build_object('files', count(*), 'bytes', coalesce(sum(size), 0)) from blob where ${key === ''}) as stored`))!
