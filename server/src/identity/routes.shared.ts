/** The services that the handlers of the identity area use, and functions that several of them share. */
import type { Db } from '../adapters/postgres/db.ts'
import { Problem } from '../errors.ts'
import { isId, type PersonalTokens } from './tokens/personal-tokens.ts'
import type { SecondFactor } from './sessions/second-factor.ts'
import type { SignIn } from './sessions/sign-in.ts'
import type { User, Users } from './users/users.ts'

export interface IdentityServices {
  db: Db
  users: Users
  signIn: SignIn
  secondFactor: SecondFactor
  personalTokens: PersonalTokens
  /** The issuer of the external OpenID provider, if there is one. It then owns passwords, clients and tokens. */
  externalIssuer?: string
  /** Ends the session that a logout token of the external provider names, in all processes. */
  endExternalSession?: (logoutToken: string, address: string) => Promise<void>
  /** Called after every mutating request, so that this process does not wait for the notification from the database. */
  invalidateCaches(): void
}

/** Throws for operations that only the bundled identity provider supports. */
export function requireBundledProvider({ externalIssuer }: IdentityServices): void {
  if (externalIssuer !== undefined) {
    throw new Problem(
      'invalid',
      `this installation signs users in at ${externalIssuer}: manage passwords, clients, sessions and tokens there`,
    )
  }
}

export async function findUser({ users }: IdentityServices, id: string): Promise<User> {
  const user = isId(id) ? await users.find({ id }) : undefined
  if (!user) throw new Problem('notFound', `no user has the id ${id.slice(0, 100)}`)
  return user
}

/** Reads the query parameter `count`, the number of rows of a page. */
export function countOf(text: string | undefined): number {
  const count = Number(text ?? '100')
  if (!Number.isInteger(count) || count < 1 || count > 1000) {
    throw new Problem('invalid', `count: expected a whole number from 1 to 1000, found ${text!.slice(0, 50)}`)
  }
  return count
}
