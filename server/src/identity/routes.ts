/** The identity area: which handlers answer which part of the contract. */
import { identity as contract } from '@kontor/contract'
import type { RouteHandlers } from '../core/http/routes.ts'
import { auditLog } from './audit/audit.routes.ts'
import { clients } from './clients/clients.routes.ts'
import { groups, roles } from './roles/roles.routes.ts'
import { me } from './me/me.routes.ts'
import type { AreaParts } from './routes.shared.ts'
import { tokens } from './tokens/tokens.routes.ts'
import { twoFactor } from './me/two-factor.routes.ts'
import { users } from './users/users.routes.ts'

export function identityArea(parts: AreaParts) {
  const routes: RouteHandlers<typeof contract.routes> = {
    ...me(parts),
    ...twoFactor(parts),
    ...tokens(parts),
    ...users(parts),
    ...groups(parts),
    ...roles(parts),
    ...clients(parts),
    ...auditLog(parts),
  }
  return {
    contract,
    audits: true as const,
    resources: {},
    routes: mapValues(routes, (name, handler) => thenTell(parts, name, handler)),
  }
}

type Handler = (...given: never[]) => Promise<unknown>
const mapValues = <T extends object>(table: T, change: (name: keyof T, handler: Handler) => Handler): T =>
  Object.fromEntries(Object.entries(table).map(([name, handler]) => [name, change(name as keyof T, handler)])) as T

const thenTell = ({ changed }: AreaParts, name: keyof typeof contract.routes, handler: Handler): Handler =>
  contract.routes[name].method === 'GET' ? handler : (...given) => handler(...given).finally(changed)
