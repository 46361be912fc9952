/**
 * The present caller for stored work: the one place where a stored user becomes a caller with roles and permissions.
 *
 * Every call reads the database, because the work may have been stored days ago. Roles of users of an external identity
 * provider are those of the newest token that the user presented to the same client.
 */
import { because } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Permissions } from '../../core/access/permissions.ts'
import type { Caller, Services } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { findTrial } from '../roles/trials.ts'
import { nameKey } from './users.ts'
import * as sql from './users.sql.ts'

type PermissionsOf = (roles: ReadonlySet<string>) => Promise<Permissions>

export function createCallerNow(db: Db, permissionsOf: PermissionsOf): Services['callerNow'] {
  const toCaller = async (user: sql.PresentUser | undefined, name: string): Promise<Caller> => {
    if (!user) throw new Problem('forbidden', because('ordererGone', { user: name }))
    if (!user.enabled) throw new Problem('forbidden', because('ordererDisabled', { user: name }))
    const roles = new Set(user.roles)
    return { userId: user.id, userName: user.name, roles, permissions: await permissionsOf(roles) }
  }
  return async ({ userId, userName, clientId, viewAs }) => {
    const own = await toCaller(await sql.findPresentUser(db, { id: userId }, clientId), userName)
    const caller = clientId === undefined ? own : { ...own, clientId }
    if (viewAs === undefined) return caller
    if (!own.roles.has('admin')) throw new Problem('forbidden', `${userName} may no longer use Kontor-View-As`)
    const { roles, permissions } =
      (await findTrial(db, permissionsOf, viewAs)) ??
      (await toCaller(await sql.findPresentUser(db, { nameKey: nameKey(viewAs) }), viewAs))
    return { ...caller, roles, permissions, viewAs }
  }
}
