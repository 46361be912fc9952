/** The caller of a request, for SQL conditions on visibility. */
import type { Caller } from '../core/context.ts'
import type { Viewer } from './processes/processes.sql.ts'

export const viewerOf = ({ userName, roles }: Caller): Viewer => ({
  userName,
  roles: [...roles],
  isAdmin: roles.has('admin'),
})
