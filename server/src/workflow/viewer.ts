/** The caller of a request, for SQL conditions on visibility. */
import type { Db } from '../adapters/postgres/db.ts'
import type { Caller } from '../core/context.ts'
import { findVisible, type Viewer } from './processes/processes.sql.ts'

export const viewerOf = ({ userName, roles }: Caller): Viewer => ({
  userName,
  roles: [...roles],
  isAdmin: roles.has('admin'),
})

/** Those of the processes that the caller may see. */
export const visibleProcesses = async (db: Db, caller: Caller, ids: readonly number[]): Promise<ReadonlySet<number>> =>
  new Set((await findVisible(db, viewerOf(caller), ids)).map(({ id }) => id))
