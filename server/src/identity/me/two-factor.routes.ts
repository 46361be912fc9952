/** /identity/me/two-factor: one's own second factor. */
import type { identity } from '@kontor/contract'
import { auditBy } from '../../core/access/audit.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { wrongCode } from '../sessions/second-factor.ts'
import { deleteSecondFactor } from '../sessions/second-factor.sql.ts'
import { type AreaParts, findUser, needBundled } from '../routes.shared.ts'

type Routes = Pick<typeof identity.routes, 'getTwoFactor' | 'beginTwoFactor' | 'confirmTwoFactor' | 'removeTwoFactor'>

export const twoFactor = (parts: AreaParts): RouteHandlers<Routes> => ({
  async getTwoFactor(_ctx, { caller }) {
    needBundled(parts)
    return parts.secondFactor.state(caller.userId)
  },

  async beginTwoFactor(_ctx, { caller }) {
    needBundled(parts)
    return parts.secondFactor.begin(await findUser(parts, caller.userId))
  },

  async confirmTwoFactor(_ctx, { caller, body: { code } }) {
    needBundled(parts)
    const note = (db: AreaParts['db']) =>
      auditBy(db, caller, { action: 'user.two-factor', object: `user ${caller.userName}`, detail: { enabled: true } })
    return { codes: await parts.secondFactor.confirm(caller.userId, code, note) }
  },

  /** A stolen token alone must not do, nor guessing: wrong codes lock, as they do at sign-in. */
  async removeTwoFactor({ db }, { caller, body: { code } }) {
    needBundled(parts)
    const { userId, userName, clientId: client, address = '' } = caller
    if (!(await parts.signIn.proveCode({ userId, code, address, client }))) throw wrongCode()
    await db.transaction(async (db) => {
      await deleteSecondFactor(db, userId)
      const object = `user ${userName}`
      await auditBy(db, caller, { action: 'user.two-factor', object, detail: { enabled: false } })
    })
  },
})
