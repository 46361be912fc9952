/** SQL statements about briefings. */
import type { Infer, Layout } from '@kontor/contract'
import type { Db } from '../../../adapters/postgres/db.ts'
import { sql } from '../../../adapters/postgres/sql.ts'

export type LayoutMessage = Infer<typeof Layout>

export interface BriefingRow {
  readonly configTid: string
  readonly locale: string
  readonly layouts: readonly LayoutMessage[]
}

interface StoredBriefing extends BriefingRow {
  readonly modifiedAt: Date
  readonly modifiedBy: string
}
export const findBriefings = (db: Db, projectId: number) =>
  db.rows<StoredBriefing>(sql`
    select config_tid as "configTid", locale, layouts, modified_at as "modifiedAt", modified_by as "modifiedBy" from briefing where project_id = ${projectId}
    order by config_tid, locale`)

/** True if it was created. */
export const upsertBriefing = (db: Db, projectId: number, briefing: BriefingRow, userName: string) =>
  db.writeRow<{ isNew: boolean }>(sql`
    insert into briefing (project_id, config_tid, locale, layouts, modified_by)
    values (${projectId}, ${briefing.configTid}, ${briefing.locale}, ${JSON.stringify(briefing.layouts)}::jsonb, ${userName})
    on conflict (project_id, config_tid, locale) do update
      set layouts = excluded.layouts, modified_at = now(), modified_by = excluded.modified_by
    returning xmax = 0 as "isNew"`)

/** Returns the number of deleted briefings. */
export const deleteBriefing = (db: Db, projectId: number, configTid: string, locale: string) =>
  db.run(sql`
    delete from briefing where project_id = ${projectId} and config_tid = ${configTid} and locale = ${locale}`)
