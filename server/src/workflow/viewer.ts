/** The caller of a request, for SQL conditions on visibility. */
import type { Infer, LinkedObject } from '@kontor/contract'
import type { Caller } from '../core/context.ts'
import { Problem } from '../errors.ts'
import type { ProcessFilter, Viewer } from './processes/processes.sql.ts'

export const viewerOf = ({ userName, roles }: Caller): Viewer => ({
  userName,
  roles: [...roles],
  isAdmin: roles.has('admin'),
})

/** The linked object that a query filters by. */
export function objectOf(linked: Infer<typeof LinkedObject> | undefined): ProcessFilter['object'] {
  if (!linked) return undefined
  const { type, id, tid } = linked
  if (type === undefined || (id === undefined) === (tid === undefined)) {
    throw new Problem('invalid', 'linkedObject: give its type, and either id or tid')
  }
  return { type, ...(id !== undefined && { id }), ...(tid !== undefined && { tid }) }
}
