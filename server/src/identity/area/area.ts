/** The identity area: which handlers answer which part of the contract. */
import { identity as contract } from '@kontor/contract'
import type { RouteHandlers } from '../../core/routes.ts'
import { auditLog } from './audit.ts'
import { clients } from './clients.ts'
import { groups, roles } from './roles.ts'
import { me } from './me.ts'
import type { AreaParts } from './parts.ts'
import { tokens } from './tokens.ts'
import { twoFactor } from './two-factor.ts'
import { users } from './users.ts'

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
