/** SQL statements about metadata that is written into files. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

/** The metadata that was read from the current files of assets. */
export const findEmbedded = (db: Db, ids: readonly number[]) =>
  db.rows<{ id: number; embedded: Readonly<Record<string, unknown>> }>(sql`
    select id, embedded from dam_entry where id = any(${ids}::bigint[])`)

export const findKeywordNames = (db: Db, ids: readonly number[]) =>
  db.rows<{ assetId: number; path: string; names: Readonly<Record<string, string>> }>(sql`
    select l.to_id as "assetId", k.path, k.names from link l join keyword k on k.id = l.from_id
    where l.to_id = any(${ids}::bigint[]) and l.kind = 'keywordToAsset' order by l.to_id, l.id`)
