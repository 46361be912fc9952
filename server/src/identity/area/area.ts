/** The identity area: which handlers answer which part of the contract, and what they have in common. */
import { identity as contract } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { RouteHandlers } from '../../core/routes.ts'
import { Problem } from '../../errors.ts'
import { isId, type PersonalTokens } from '../personal-tokens.ts'
import type { SecondFactor } from '../second-factor.ts'
import type { SignIn } from '../sign-in.ts'
import type { User, Users } from '../users.ts'
import { auditLog } from './audit.ts'
import { clients } from './clients.ts'
import { groups, roles } from './roles.ts'
import { me } from './me.ts'
import { tokens } from './tokens.ts'
import { twoFactor } from './two-factor.ts'
import { users } from './users.ts'

export interface AreaParts {
  db: Db
  users: Users
  signIn: SignIn
  secondFactor: SecondFactor
  personalTokens: PersonalTokens
  /** Set when people sign in elsewhere: then passwords, clients and tokens are kept there. */
  elsewhere?: string
  /** Called after every call that may have changed something, so that this process need not be told of it. */
  changed(): void
}

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

/** Refuses what only the bundled identity provider can do. */
export function needBundled({ elsewhere }: AreaParts): void {
  if (elsewhere !== undefined) {
    throw new Problem(
      'invalid',
      `this installation signs people in at ${elsewhere}: passwords, clients and tokens are kept there`,
    )
  }
}

export async function findUser({ users }: AreaParts, id: string): Promise<User> {
  const user = isId(id) ? await users.find({ id }) : undefined
  if (!user) throw new Problem('notFound', `no user has the id ${id.slice(0, 100)}`)
  return user
}

/** A number of rows from the query of an address. */
export function countOf(text: string | undefined): number {
  const count = Number(text ?? '100')
  if (!Number.isInteger(count) || count < 1 || count > 1000) {
    throw new Problem('invalid', `count: expected a whole number from 1 to 1000, found ${text!.slice(0, 50)}`)
  }
  return count
}
