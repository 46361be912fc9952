/** SQL statements about the requirements of channels. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export interface RequirementRow {
  /** The channel, and how many levels above it the channel is that has this requirement. */
  readonly id: number
  readonly steps: number
  readonly locales: readonly string[] | null
  readonly attributes: readonly string[] | null
}
/** The requirements of channels and of all channels above them, the nearest first. */
export const findRequirements = (db: Db, ids: readonly number[]) =>
  db.rows<RequirementRow>(sql`
    with recursive above as (
      select p.id, p.id as at_id, p.parent_id, 0 as steps from project p where p.id = any(${ids}::bigint[])
      union all
      select above.id, p.id, p.parent_id, above.steps + 1 from above join project p on p.id = above.parent_id
    )
    select above.id, above.steps, r.locales, r.attributes
    from above join channel_requirement r on r.project_id = above.at_id order by above.id, above.steps`)

export const upsertRequirement = (
  db: Db,
  projectId: number,
  { locales, attributes }: Pick<RequirementRow, 'locales' | 'attributes'>,
  userName: string,
) =>
  db.run(sql`
    insert into channel_requirement (project_id, locales, attributes, modified_by)
    values (${projectId}, ${locales}::text[], ${attributes}::text[], ${userName})
    on conflict (project_id) do update
      set locales = excluded.locales, attributes = excluded.attributes, modified_at = now(), modified_by = excluded.modified_by`)

export const deleteRequirement = (db: Db, projectId: number) =>
  db.run(sql`delete from channel_requirement where project_id = ${projectId}`)
