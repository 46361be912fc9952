/** Pages of statements whose rows are in the order of an id. */
import { nothing, type Sql, sql } from '../../adapters/postgres/sql.ts'
import type { Paging } from '../context.ts'

/** A condition for `where`, which has others before it. */
export const behind = (paging: Paging | undefined, id: Sql): Sql =>
  paging ? sql`and ${id} > ${paging.after}::bigint` : nothing
/** One more than the page has, see `cut`. */
export const atMost = (paging: Paging | undefined): Sql => (paging ? sql`limit ${paging.count + 1}` : nothing)
