/** /identity/me/two-factor: the caller's second factor. */
import type { identity } from '@kontor/contract'
import { auditBy } from '../../core/access/audit.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { wrongCode } from '../sessions/second-factor.ts'
import { deleteSecondFactor } from '../sessions/second-factor.sql.ts'
import { type IdentityServices, findUser, requireBundledProvider } from '../routes.shared.ts'

type Routes = Pick<typeof identity.routes, 'getTwoFactor' | 'beginTwoFactor' | 'confirmTwoFactor' | 'removeTwoFactor'>

export const twoFactor = (services: IdentityServices): RouteHandlers<Routes> => ({
  async getTwoFactor(_ctx, { caller }) {
    requireBundledProvider(services)
    return services.secondFactor.state(caller.userId)
  },

  async beginTwoFactor(_ctx, { caller }) {
    requireBundledProvider(services)
    return services.secondFactor.begin(await findUser(services, caller.userId))
  },

  async confirmTwoFactor(_ctx, { caller, body: { code } }) {
    requireBundledProvider(services)
    const note = (db: IdentityServices['db']) =>
      auditBy(db, caller, { action: 'user.two-factor', object: `user ${caller.userName}`, detail: { enabled: true } })
    return { codes: await services.secondFactor.confirm(caller.userId, code, note) }
  },

  /** Requires a code, so that a stolen access token is not enough. Wrong codes lock the account, as they do at sign-in. */
  async removeTwoFactor({ db }, { caller, body: { code } }) {
    requireBundledProvider(services)
    const { userId, userName, clientId: client, address = '' } = caller
    if (
      !(await services.signIn.proveCode({
        userId,
        code,
        address,
        signedIn: true,
        ...(client !== undefined && { client }),
      }))
    )
      throw wrongCode()
    await db.transaction(async (db) => {
      await deleteSecondFactor(db, userId)
      const object = `user ${userName}`
      await auditBy(db, caller, { action: 'user.two-factor', object, detail: { enabled: false } })
    })
  },
})
