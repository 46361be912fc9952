/** SQL statements that read channels as search documents. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { Stamps } from '../../common/api.ts'
import type { FoundObject } from '../../core/outbox/documents.ts'
import type { ChannelRow } from './channels.sql.ts'

export const readChannels = (db: Db, ids: readonly number[]) =>
  db.rows<ChannelRow & Stamps & { path: string; parentTid: string | null; above: number[] }>(sql`
    select p.id, p.tid, p.parent_id as "parentId", p.type_id as "typeId", p.name, p.order_sequence as "orderSequence",
      p.meta, p.vals, p.path, up.tid as "parentTid", p.created_at as "createdAt", p.created_by as "createdBy",
      p.modified_at as "modifiedAt", p.modified_by as "modifiedBy",
      array(select a.id from project a where a.tid = any(string_to_array(p.path, '/')) and a.id <> p.id) as above
    from project p left join project up on up.id = p.parent_id
    where p.id = any(${ids}::bigint[]) order by p.id`)

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

export const listChannels = async (db: Db, after: number, limit: number) =>
  idsOf(
    await db.rows<{ id: number }>(sql`select id from project where id > ${after}::bigint order by id limit ${limit}`),
  )

export const countChannels = async (db: Db) =>
  (await db.row<{ count: number }>(sql`select count(*) as count from project`))!.count

export const findChannels = (db: Db, tids: readonly string[]) =>
  db.rows<FoundObject>(sql`
    select id, tid, json_build_object('project', json_build_array(path)) as scopes from project
    where tid = any(${tids}::text[])`)

/** Channels of these types. */
export const channelsOfTypes = async (db: Db, typeIds: readonly number[]) =>
  idsOf(await db.rows<{ id: number }>(sql`select id from project where type_id = any(${typeIds}::bigint[])`))
