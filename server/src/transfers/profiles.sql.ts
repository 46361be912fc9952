/** Every statement about mapping profiles and their versions. */
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'
import type { Profile } from './options.ts'

export interface ProfileVersion {
  readonly version: number
  readonly modifiedAt: Date
  readonly modifiedBy: string
  readonly profile: Profile
}

/** Older ones are removed with the next change. */
const maxVersions = 50

/** Those behind the name, one more than `count`. */
export const listProfiles = (db: Db, after: string, count: number) =>
  db.rows<{ name: string; profile: Profile }>(sql`
    select name, profile from transfer_profile where name > ${after} order by name limit ${count + 1}`)
export const findProfile = (db: Db, name: string) =>
  db.row<{ profile: Profile }>(sql`select profile from transfer_profile where name = ${name}`)
/** The former profile becomes a version, unless nothing changes. */
export const upsertProfile = (db: Db, name: string, profile: object, user: string) =>
  db.transaction(async (inside) => {
    const text = JSON.stringify(profile)
    await inside.run(sql`
      with former as (
        select * from transfer_profile where name = ${name} and profile <> ${text}::jsonb for update),
      trimmed as (
        delete from transfer_profile_version v using former
        where v.name = former.name and v.version <= former.version - ${maxVersions - 1})
      insert into transfer_profile_version (name, version, profile, modified_at, modified_by)
      select name, version, profile, modified_at, modified_by from former`)
    await inside.run(sql`
      insert into transfer_profile (name, profile, modified_by) values (${name}, ${text}::jsonb, ${user})
      on conflict (name) do update set profile = excluded.profile, modified_at = now(), modified_by = excluded.modified_by,
        version = transfer_profile.version + 1
      where transfer_profile.profile <> excluded.profile`)
  })
export const deleteProfile = (db: Db, name: string) => db.run(sql`delete from transfer_profile where name = ${name}`)

/** The current version first. */
export const listVersions = (db: Db, name: string) =>
  db.rows<ProfileVersion>(sql`
    select version, modified_at as "modifiedAt", modified_by as "modifiedBy", profile from (
      select name, version, modified_at, modified_by, profile from transfer_profile union all
      select name, version, modified_at, modified_by, profile from transfer_profile_version) as one
    where name = ${name} order by version desc`)
