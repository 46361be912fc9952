/** /identity/me: who the caller is, and their password. */
import type { identity, Infer, Person } from '@kontor/contract'
import type { RouteHandlers } from '../../core/routes.ts'
import { Problem } from '../../errors.ts'
import { audit } from '../audit.ts'
import { type AreaParts, byCaller, findUser, needBundled } from './area.ts'

type Routes = Pick<typeof identity.routes, 'me' | 'changePassword'>

export const me = (parts: AreaParts): RouteHandlers<Routes> => ({
  async me(_ctx, { caller }) {
    const { id, name, displayName, email } = await findUser(parts, caller.userId)
    const person = { id, name, ...(displayName && { displayName }), ...(email && { email }) }
    return { ...person, roles: [...caller.roles], grants: caller.permissions as Infer<typeof Person>['grants'] }
  },

  async changePassword(_ctx, { caller, body: { current, password } }) {
    needBundled(parts)
    const attempt = { name: caller.userName, password: current, address: caller.address ?? '', client: caller.clientId }
    const user = await parts.signIn(attempt)
    if (!user) throw new Problem('invalid', '/passwordChange/current: this is not the present password')
    await parts.users.setPassword(user.id, password, {
      note: (db) => audit(db, { ...byCaller(caller), action: 'user.password', object: `user ${user.name}` }),
    })
  },
})
