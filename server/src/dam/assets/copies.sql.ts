/** Copies of assets: rows that share the bytes of the original and copy its values, keywords and previews. */
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'
import { keyOf } from '../names.ts'

export interface Copy {
  readonly sourceId: number
  readonly id: number
  readonly tid: string
  readonly rncId: number
  readonly parentId: number | null
  readonly name: string
  readonly path: string
}

/** Copies single assets. Returns the copies that still need previews. */
export const copyAssets = (db: Db, copies: readonly Copy[], userName: string) =>
  insertCopies(
    db,
    sql`select "sourceId" as source_id, id, tid, "rncId" as rnc_id, "parentId" as parent_id, name, "nameKey" as name_key, path
        from jsonb_to_recordset(${JSON.stringify(copies.map((copy) => ({ ...copy, nameKey: keyOf(copy.name) })))}::jsonb)
          as c ("sourceId" bigint, id bigint, tid text, "rncId" bigint, "parentId" bigint, name text, "nameKey" text, path text)`,
    userName,
  )

/** A copied directory and its original. */
export interface DirCopy {
  readonly sourceId: number
  readonly id: number
  readonly rncId: number
  readonly path: string
}

/** Copies all assets of directories. */
export const copyContents = (db: Db, dirs: readonly DirCopy[], userName: string) =>
  insertCopies(
    db,
    sql`select e.id as source_id, nextval('object_id_seq') as id, upper(gen_random_uuid()::text) as tid,
               c."rncId" as rnc_id, c.id as parent_id, e.name, e.name_key, c.path || '/' || e.name as path
        from jsonb_to_recordset(${JSON.stringify(dirs)}::jsonb)
          as c ("sourceId" bigint, id bigint, "rncId" bigint, path text)
        join dam_entry e on e.parent_id = c."sourceId" and e.kind = 'asset' and e.deleted_at is null`,
    userName,
  )

const insertCopies = (db: Db, copies: Sql, userName: string) =>
  db.writeRows<{ id: number }>(sql`
    with copy as materialized (${copies}),
    made as (
      insert into dam_entry (id, kind, tid, rnc_id, parent_id, name, name_key, meta, vals, type, sha256, size, mime, width,
        height, embedded, import_status, created_by, modified_by)
      select c.id, 'asset', c.tid, c.rnc_id, c.parent_id, c.name, c.name_key, e.meta, e.vals, e.type, e.sha256, e.size,
        e.mime, e.width, e.height, e.embedded, e.import_status, ${userName}, ${userName}
      from copy c join dam_entry e on e.id = c.source_id
      returning id, import_status
    ), previews as (
      insert into asset_preview (asset_id, format, source, sha256, size, mime, width, height)
      select c.id, p.format, p.source, p.sha256, p.size, p.mime, p.width, p.height
      from copy c join asset_preview p on p.asset_id = c.source_id
    ), restricted as (
      insert into asset_usage (asset_id, licence, holder, credit_line, releases, territories, channels, media, valid_from,
        valid_until, embargo_until)
      select c.id, u.licence, u.holder, u.credit_line, u.releases, u.territories, u.channels, u.media, u.valid_from,
        u.valid_until, u.embargo_until
      from copy c join asset_usage u on u.asset_id = c.source_id
    ), keyworded as (
      select l.kind, l.type, l.from_id, c.id as to_id, l.pos
      from copy c join link l on l.to_id = c.source_id and l.kind = 'keywordToAsset'
      join keyword k on k.id = l.from_id for key share of k
    ), linked as (
      insert into link (kind, type, from_id, to_id, pos, created_by)
      select kind, type, from_id, to_id, pos, ${userName} from keyworded
    ), announced as (
      insert into outbox (object_id, data_type, event, user_name)
      select id, 'asset', 'CREATE', ${userName} from copy order by id
    ), kept_history as (
      insert into history (object_id, data_type, action, user_name, changes)
      select id, 'asset', 'copy', ${userName}, jsonb_build_object('path', path, 'copyOf', source_id) from copy order by id
    )
    select id from made where import_status in ('pending', 'running')`)
