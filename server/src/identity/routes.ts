/** The identity area: connects the routes of the contract to their handlers. */
import { identity as contract } from '@kontor/contract'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../core/batch/batch.ts'
import type { Caller } from '../core/context.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { Problem } from '../errors.ts'
import { auditLog } from './audit/audit.routes.ts'
import { mountBackchannelLogout } from './backchannel-logout.ts'
import { clients } from './clients/clients.routes.ts'
import { groups } from './groups/groups.routes.ts'
import { roles } from './roles/roles.routes.ts'
import { me } from './me/me.routes.ts'
import type { IdentityServices } from './routes.shared.ts'
import { tokens } from './tokens/tokens.routes.ts'
import { twoFactor } from './me/two-factor.routes.ts'
import { users } from './users/users.routes.ts'

export function identityArea(services: IdentityServices) {
  const routes: RouteHandlers<Omit<typeof contract.routes, 'backchannelLogout'>> = {
    ...me(services),
    ...twoFactor(services),
    ...tokens(services),
    ...users(services),
    ...groups(services),
    ...roles(services),
    ...clients(services),
    ...auditLog(services),
  }
  return {
    contract,
    audits: true as const,
    resources: {},
    routes: mapValues(routes, (name, handler) => invalidateAfter(services, name, refusePersonal(name, handler))),
    plugin: (app: FastifyInstance, common: Services) => mountBackchannelLogout(app, common, services),
  }
}

type RouteName = keyof typeof contract.routes

/** A personal token lies in scripts, so it must not turn into lasting access or take over the account of its owner. */
// prettier-ignore
const closedToPersonal: ReadonlySet<RouteName> = new Set<RouteName>([
  'createToken', 'changeMe', 'changePassword', 'beginTwoFactor', 'confirmTwoFactor', 'removeTwoFactor',
])
/** Calls of administrators that change an account: not with a personal token on the account of its owner. */
const closedOnOwner: ReadonlySet<RouteName> = new Set<RouteName>(['changeUser', 'resetPassword', 'resetTwoFactor'])

function refusePersonal(name: RouteName, handler: Handler): Handler {
  if (!closedToPersonal.has(name) && !closedOnOwner.has(name)) return handler
  return async (...args) => {
    const [, { caller, params }] = args as unknown as [unknown, { caller: Caller; params: { id?: string } }]
    if (caller.personal && (closedToPersonal.has(name) || params.id === caller.userId)) {
      throw new Problem('forbidden', 'a personal token cannot do this: sign in and do it yourself')
    }
    return handler(...args)
  }
}

// Handlers have different parameters; `never[]` accepts each of them, and they are only passed on.
type Handler = (...args: never[]) => Promise<unknown>
const mapValues = <T extends object>(table: T, change: (name: keyof T, handler: Handler) => Handler): T =>
  Object.fromEntries(Object.entries(table).map(([name, handler]) => [name, change(name as keyof T, handler)])) as T

const invalidateAfter = ({ invalidateCaches }: IdentityServices, name: RouteName, handler: Handler): Handler =>
  contract.routes[name].method === 'GET' ? handler : (...args) => handler(...args).finally(invalidateCaches)
