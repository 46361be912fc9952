/** The identity area: connects the routes of the contract to their handlers. */
import { identity as contract } from '@kontor/contract'
import type { RouteHandlers } from '../core/http/routes.ts'
import { auditLog } from './audit/audit.routes.ts'
import { clients } from './clients/clients.routes.ts'
import { groups } from './groups/groups.routes.ts'
import { roles } from './roles/roles.routes.ts'
import { me } from './me/me.routes.ts'
import type { IdentityServices } from './routes.shared.ts'
import { tokens } from './tokens/tokens.routes.ts'
import { twoFactor } from './me/two-factor.routes.ts'
import { users } from './users/users.routes.ts'

export function identityArea(services: IdentityServices) {
  const routes: RouteHandlers<typeof contract.routes> = {
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
    routes: mapValues(routes, (name, handler) => invalidateAfter(services, name, handler)),
  }
}

// Handlers have different parameters; `never[]` accepts each of them, and they are only passed on.
type Handler = (...args: never[]) => Promise<unknown>
const mapValues = <T extends object>(table: T, change: (name: keyof T, handler: Handler) => Handler): T =>
  Object.fromEntries(Object.entries(table).map(([name, handler]) => [name, change(name as keyof T, handler)])) as T

const invalidateAfter = (
  { invalidateCaches }: IdentityServices,
  name: keyof typeof contract.routes,
  handler: Handler,
): Handler =>
  contract.routes[name].method === 'GET' ? handler : (...args) => handler(...args).finally(invalidateCaches)
