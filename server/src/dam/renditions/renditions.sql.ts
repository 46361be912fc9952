/** SQL statements about renditions and their profiles. */
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'
import type { ProfileSettings } from './recipe.ts'

export interface RenditionRow {
  sha256: string | null
  size: number | null
  mime: string | null
  width: number | null
  height: number | null
  /** Whether the time of its last use is worth an update. */
  isStale: boolean
}

export const findRendition = (db: Db, source: string, recipe: string) =>
  db.row<RenditionRow>(sql`
    select sha256, size, mime, width, height, used_at < now() - interval '1 hour' as "isStale"
    from rendition where source = ${source} and recipe = ${recipe}`)

export const touchRendition = (db: Db, source: string, recipe: string) =>
  db.run(sql`update rendition set used_at = now() where source = ${source} and recipe = ${recipe}`)

/** True for the one who is to make it. A claim whose time is over, because its process died, is taken over. */
export const claimRendition = async (db: Db, source: string, recipe: string, seconds: number) =>
  (await db.run(sql`
    insert into rendition (source, recipe, made_until)
    values (${source}, ${recipe}, now() + make_interval(secs => ${seconds}))
    on conflict (source, recipe) do update set made_until = excluded.made_until
      where rendition.sha256 is null and rendition.made_until < now()`)) > 0

export const dropClaim = (db: Db, source: string, recipe: string) =>
  db.run(sql`delete from rendition where source = ${source} and recipe = ${recipe} and sha256 is null`)

interface Finished {
  readonly sha256: string
  readonly size: number
  readonly mime: string
  readonly width: number
  readonly height: number
}
export const finishRendition = (db: Db, source: string, recipe: string, made: Finished) =>
  db.run(sql`
    insert into rendition (source, recipe, sha256, size, mime, width, height)
    values (${source}, ${recipe}, ${made.sha256}, ${made.size}, ${made.mime}, ${made.width}, ${made.height})
    on conflict (source, recipe) do update set sha256 = excluded.sha256, size = excluded.size, mime = excluded.mime,
      width = excluded.width, height = excluded.height, made_until = null, used_at = now()`)

/** Deletes renditions of files that no asset has any more and nobody has to accept, and abandoned claims. */
export const deleteOrphans = (db: Db) =>
  db.run(sql`
    delete from rendition r
    where (sha256 is null and made_until < now() - interval '1 hour')
      or not exists (select from dam_entry e where e.sha256 = r.source)
        and not exists (select from share_file f where f.sha256 = r.source)`)

/** Deletes those that were not used for the longest time, until the rest takes at most so many bytes. */
export const deleteBeyond = (db: Db, bytes: number) =>
  db.run(sql`
    delete from rendition r using (
      select source, recipe, sum(size) over (order by used_at desc, source, recipe) as total
      from rendition where sha256 is not null
    ) as ranked
    where r.source = ranked.source and r.recipe = ranked.recipe and ranked.total > ${bytes}`)

export interface ProfileRow {
  tid: string
  settings: ProfileSettings
  epoch: number
}
export const findProfiles = (db: Db) =>
  db.rows<ProfileRow>(sql`select tid, settings, epoch from rendition_profile order by tid`)

export const findProfile = (db: Db, tid: string) =>
  db.row<ProfileRow>(sql`select tid, settings, epoch from rendition_profile where tid = ${tid}`)

export const upsertProfile = (db: Db, tid: string, settings: ProfileSettings, userName: string) =>
  db.run(sql`
    insert into rendition_profile (tid, settings, modified_by) values (${tid}, ${JSON.stringify(settings)}, ${userName})
    on conflict (tid) do update
      set settings = excluded.settings, modified_at = now(), modified_by = excluded.modified_by`)

/** Only administrators ask, who may read every channel. */
export const channelExists = async (db: Db, tid: string) =>
  (await db.rows(sql`select from project where tid = ${tid}`)).length > 0

export const deleteProfile = (db: Db, tid: string) => db.run(sql`delete from rendition_profile where tid = ${tid}`)

export const revokeProfile = (db: Db, tid: string) =>
  db.run(sql`update rendition_profile set epoch = epoch + 1 where tid = ${tid}`)

export const findEpochs = (db: Db, ids: readonly number[]) =>
  db.rows<{ id: number; epoch: number }>(sql`
    select id, address_epoch as epoch from dam_entry where id = any(${ids}::bigint[])`)

export const revokeAssets = (db: Db, ids: readonly number[]) =>
  db.run(sql`update dam_entry set address_epoch = address_epoch + 1 where id = any(${ids}::bigint[])`)

/** Every asset, for an address that is signed: who signs it has seen the asset. */
export const anybody: Sql = sql`true`
