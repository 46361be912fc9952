/** What the handlers of the identity area are given, and what they have in common. */
import type { Db } from '../adapters/postgres/db.ts'
import { Problem } from '../errors.ts'
import { isId, type PersonalTokens } from './tokens/personal-tokens.ts'
import type { SecondFactor } from './sessions/second-factor.ts'
import type { SignIn } from './sessions/sign-in.ts'
import type { User, Users } from './users/users.ts'

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
