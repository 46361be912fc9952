/** SQL statements about the requirements of channels. */
import type { Infer, QualitySetting } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'
import type { PictureDemand } from './pictures.ts'

export interface RequirementRow {
  /** The channel, and how many levels above it the channel is that has this requirement. */
  readonly id: number
  readonly steps: number
  readonly locales: readonly string[] | null
  readonly attributes: readonly string[] | null
  /** The checks of quality. */
  readonly checks: readonly Infer<typeof QualitySetting>[] | null
  readonly pictures: readonly PictureDemand[] | null
}
/** The names that are still known; null for none, so that the channel inherits again. */
const existing = (names: Sql, known: Sql) =>
  sql`(select array_agg(n.name order by n.place) from unnest(${names}) with ordinality as n (name, place) where ${known})`
const isAttribute = (name: Sql) => sql`exists (select from attr_def d where d.tid = ${name})`

/**
 * The requirements and checks of channels and of all channels above them, the nearest first. Without attributes that were
 * deleted since, and locales that are no longer used for content.
 */
export const findRequirements = (db: Db, ids: readonly number[]) =>
  db.rows<RequirementRow>(sql`
    with recursive above as (
      select p.id, p.id as at_id, p.parent_id, 0 as steps from project p where p.id = any(${ids}::bigint[])
      union all
      select above.id, p.id, p.parent_id, above.steps + 1 from above join project p on p.id = above.parent_id
    )
    select above.id, above.steps, c.pictures,
      ${existing(sql`r.locales`, sql`exists (select from locale l where l.tid = n.name and l.content)`)} as locales,
      ${existing(sql`r.attributes`, isAttribute(sql`n.name`))} as attributes,
      (select jsonb_agg(one order by place) from jsonb_array_elements(q.checks) with ordinality as n (one, place)
        where not one ? 'attr' or ${isAttribute(sql`one ->> 'attr'`)}) as checks
    from above left join channel_requirement r on r.project_id = above.at_id
      left join channel_quality q on q.project_id = above.at_id
      left join lateral (
        select jsonb_agg(jsonb_build_object('role', role, 'count', count) order by role) as pictures
        from channel_picture where project_id = above.at_id
      ) as c on true
    where r.project_id is not null or q.project_id is not null or c.pictures is not null
    order by above.id, above.steps`)

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
