/** SQL statements about the checks of quality that count in channels. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { Setting } from './checks.ts'

export const upsertChecks = (db: Db, projectId: number, checks: readonly Setting[], userName: string) =>
  db.run(sql`
    insert into channel_quality (project_id, checks, modified_by)
    values (${projectId}, ${JSON.stringify(checks)}::jsonb, ${userName})
    on conflict (project_id) do update
      set checks = excluded.checks, modified_at = now(), modified_by = excluded.modified_by`)

/** The attributes among these that are texts. */
export const findTexts = (db: Db, tids: readonly string[]) =>
  db.rows<{ tid: string }>(sql`
    select tid from attr_def
    where tid = any(${tids}::text[]) and type in ('text', 'richtext') and not definition ? 'domainVals'`)

export const deleteChecks = (db: Db, projectId: number) =>
  db.run(sql`delete from channel_quality where project_id = ${projectId}`)
