/** SQL statements about storages. */
import type { Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { TargetRow } from '../../common/api.ts'

export interface RncRow {
  id: number
  tid: string
  name: string
  settings: Record<string, string>
  createdAt: Date
  modifiedAt: Date
}

export const listRncs = (db: Db) =>
  db.rows<RncRow>(sql`
    select id, tid, name, settings, created_at as "createdAt", modified_at as "modifiedAt" from rnc order by id`)

/** As objects of events. */
export const describeRncs = (db: Db, ids: readonly Long[]) =>
  db.rows<TargetRow>(sql`
    select r.id, r.tid, '/' || r.tid as path, array['/' || r.tid] as scopes from rnc r where r.id = any(${ids}::bigint[])`)

/** Settings that are not sent keep their values. */
export const upsertRnc = (db: Db, tid: string, name: string | undefined, settings: object, userName: string) =>
  db.writeRow<{ id: number; isNew: boolean }>(sql`
    insert into rnc (tid, name, settings, created_by, modified_by)
    values (${tid}, ${name ?? tid}, ${JSON.stringify(settings)}::jsonb, ${userName}, ${userName})
    on conflict (tid) do update set name = coalesce(${name ?? null}, rnc.name), settings = rnc.settings || excluded.settings,
      modified_at = now(), modified_by = excluded.modified_by
    returning id, xmax = 0 as "isNew"`)
