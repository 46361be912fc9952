/** SQL statements about the readiness of channels on past days. Days are those of UTC. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const today = sql`(now() at time zone 'utc')::date`

export interface DayRow {
  readonly projectId: number
  readonly locale: string
  readonly required: number
  readonly missing: number
}

/** The channels of which today is not recorded yet. */
export const findUnrecorded = (db: Db) =>
  db.rows<{ id: number }>(sql`
    select p.id from project p
    where not exists (select from readiness_day d where d.project_id = p.id and d.day = ${today}) order by p.id`)

export const insertDays = (db: Db, days: readonly DayRow[]) =>
  db.run(sql`
    insert into readiness_day (project_id, locale, day, required, missing)
    select d."projectId", d.locale, ${today}, d.required, d.missing
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb)
      as d ("projectId" bigint, locale text, required bigint, missing bigint)
    join project p on p.id = d."projectId"
    on conflict do nothing`)

/** Whether days can count pictures. */
export const anyPicture = async (db: Db) =>
  (await db.row<{ any: boolean }>(sql`select exists (select from channel_picture) as any`))!.any

export const deleteOldDays = (db: Db, days: number) =>
  db.run(sql`delete from readiness_day where day <= ${today} - ${days}::int`)

export const findDays = (db: Db, projectIds: readonly number[], locales: readonly string[], days: number) =>
  db.rows<DayRow & { readonly day: string }>(sql`
    select d.project_id as "projectId", d.locale, d.day::text as day, d.required, d.missing from readiness_day d
    where d.project_id = any(${projectIds}::bigint[]) and d.locale = any(${locales}::text[])
      and d.day > ${today} - ${days}::int
    order by d.project_id, d.day, d.locale`)
