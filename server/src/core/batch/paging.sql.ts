/** Pages of statements whose rows are in the order of an id. */
import { nothing, type Sql, sql } from '../../adapters/postgres/sql.ts'
import type { Paging } from '../context.ts'

/** A condition for `where`, which has others before it. */
export const behind = (paging: Paging | undefined, id: Sql): Sql =>
  paging ? sql`and ${id} > ${paging.after}::bigint` : nothing
/** One more than the page has, see `cut`. */
export const atMost = (paging: Paging | undefined): Sql => (paging ? sql`limit ${paging.count + 1}` : nothing)

/** A condition for `where` of a list that is newest first: the rows behind the last one of the previous page. */
export const olderThan = (after: string | undefined, table: Sql): Sql =>
  after === undefined
    ? nothing
    : sql`and (created_at, id) < (select l.created_at, l.id from ${table} l where l.id = ${after}::uuid)`
/** The end of such a list. One more than the page has, see `cut`. */
export const newestFirst = (count: number): Sql => sql`order by created_at desc, id desc limit ${count + 1}`
