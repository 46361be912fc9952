/**
 * Signing in by name and password, for the login page and the password grant alike.
 *
 * An unknown user, a wrong password, a disabled and a locked account are told apart by nobody: the answer is the same,
 * and except for the lock so is the work. A lock stops new sign-ins only, never live sessions, so that it cannot be used
 * to throw people out.
 */
import type { Db } from '../adapters/postgres/db.ts'
import { Problem } from '../errors.ts'
import { isOutdated } from './argon2.ts'
import type { WriteAudit } from './audit.ts'
import type { Locks } from './locks.ts'
import type { Passwords } from './passwords.ts'
import { forgetFailures } from './sign-in.sql.ts'
import { nameKey } from './users.ts'
import { findUserToSignIn, updatePasswordHash, type User } from './users.sql.ts'

export interface Attempt {
  name: string
  password: string
  /** The client's network address, as far as it is trusted. */
  address: string
  client?: string
}

/** The user, or undefined when they cannot be let in. Throws a Problem `tooMany` when the attempt was not looked at. */
export type SignIn = (attempt: Attempt) => Promise<User | undefined>

export interface SignInParts {
  db: Db
  passwords: Passwords
  locks: Locks
  writeAudit: WriteAudit
}

export const createSignIn =
  ({ db, passwords, locks, writeAudit: write }: SignInParts): SignIn =>
  async ({ name, password, address, client }) => {
    const counted = [countedUser(name), countedAddress(address)]
    const remembered = locks.remembered(counted)
    if (passwords.isBusy()) throw new Problem('tooMany', 'too many people sign in at this moment: try again soon')
    const locked = remembered.length > 0 ? remembered : await locks.find(counted)
    if (locked.includes('address')) throw new Problem('tooMany', 'too many failed sign-ins: try again in a minute')
    const refuse = (reason: string) =>
      write({ action: 'sign-in', actor: name, address, client, outcome: 'failure', detail: { reason } })
    if (locked.includes('user')) {
      if (remembered.length === 0) await refuse('locked') // one row a second tells as much as two hundred
      return undefined
    }

    const found = await findUserToSignIn(db, nameKey(name))
    const matches = await passwords.matches(password, found?.hash)
    if (!found?.enabled || !matches) {
      await refuse(matches ? 'disabled' : 'credentials')
      for (const { kind, key } of await locks.countFailure(counted)) {
        await write({ action: 'sign-in.lock', actor: name, address, client, object: `${kind} ${key}` })
      }
      return undefined
    }
    const { hash, ...user } = found
    await forgetFailures(db, countedUser(name))
    if (isOutdated(hash!)) await updatePasswordHash(db, user.id, await passwords.hash(password))
    await write({ action: 'sign-in', actor: user.name, address, client })
    return user
  }

export const countedAddress = (address: string) => ({ kind: 'address', key: address }) as const
export const countedUser = (name: string) => ({ kind: 'user', key: nameKey(name).slice(0, 255) }) as const
