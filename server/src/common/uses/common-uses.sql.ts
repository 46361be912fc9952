/** Uses inside the Common area: keywords below keywords, entries of glossaries. */
import type { Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { TargetRow } from '../links/targets.ts'
import type { AreaUses } from './uses.ts'

const describeGlossaries = (db: Db, ids: readonly Long[], tids: readonly string[] = []) =>
  db.rows<TargetRow>(sql`
    select g.id, g.tid, g.name as path from glossary g where g.id = any(${ids}::bigint[]) or g.tid = any(${tids}::text[])`)

const describeEntries = (db: Db, ids: readonly Long[], tids: readonly string[] = []) =>
  db.rows<TargetRow>(sql`
    select e.id, e.tid, e.value as path, e.loc as locale from glossary_entry e
    where e.id = any(${ids}::bigint[]) or e.tid = any(${tids}::text[])`)

export const commonUses: AreaUses = {
  kinds: [
    ['glossary', { describe: describeGlossaries }],
    ['glossaryEntry', { describe: describeEntries }],
  ],
  uses: [
    [
      'keyword',
      sql`select part.top_id, part.id as of_id, 'keyword' as data_type, k.id, 'below' as kind, '' as link_type, false as keeps
        from part join keyword k on k.parent_id = part.id`,
    ],
    [
      'glossary',
      sql`select part.top_id, part.id, 'glossaryEntry', e.id, 'entry', '', false
        from part join glossary_entry e on e.glossary_id = part.id`,
    ],
  ],
}
