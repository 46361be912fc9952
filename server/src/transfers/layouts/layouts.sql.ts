/** Every statement of layouts. */
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'

/** The products that contain these articles, by tid. `readable`: the products that the user may read. */
export const findArticleOwners = (db: Db, tids: readonly string[], readable: Sql) =>
  db.rows<{ article: string; product: string }>(sql`
    select a.tid as article, p.tid as product from product a join (${readable}) p on p.id = a.parent_id
    where a.level = 1 and a.tid = any(${[...tids]}::text[])`)
