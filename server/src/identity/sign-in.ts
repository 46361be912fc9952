/**
 * Signing in by name and password, for the login page and the password grant alike.
 *
 * An unknown user, a wrong password, a disabled and a locked account are told apart by nobody: the answer is the same,
 * and except for the lock so is the work. A lock stops new sign-ins only, never live sessions, so that it cannot be used
 * to throw people out.
 */
import type { Db } from '../adapters/postgres/db.ts'
import { Problem } from '../errors.ts'
import { createAuditWriter, type WriteAudit } from './audit.ts'
import { isOutdated, type Passwords } from './passwords.ts'
import * as sql from './sign-in.sql.ts'
import { nameKey } from './users.ts'
import { findPasswordHash, findUserByName, updatePasswordHash, type User } from './users.sql.ts'

// prettier-ignore
const rules: Record<sql.Counted['kind'], sql.LockRule> = {
  user:    { limit: 10, window: '12 hours', step: '1 minute', most: '15 minutes' },
  address: { limit: 30, window: '1 minute', step: '1 minute', most: '1 minute' },
}

export interface Attempt {
  name: string
  password: string
  /** The client's network address, as far as it is trusted. */
  address: string
  client?: string
}

/** The user, or undefined when they cannot be let in. Throws a Problem `tooMany` when the attempt was not looked at. */
export type SignIn = (attempt: Attempt) => Promise<User | undefined>

export const createSignIn =
  (db: Db, passwords: Passwords, write: WriteAudit = createAuditWriter(db)): SignIn =>
  async ({ name, password, address, client }) => {
    if (passwords.isBusy()) throw new Problem('tooMany', 'too many people sign in at this moment: try again soon')
    const byUser = countedUser(name)
    const refuse = (reason: string) =>
      write({ action: 'sign-in', actor: name, address, client, outcome: 'failure', detail: { reason } })
    const byAddress = { kind: 'address', key: address } as const
    const locked = await sql.findLocked(db, [byUser, byAddress])
    if (locked.includes('address')) throw new Problem('tooMany', 'too many failed sign-ins: try again in a minute')
    if (locked.includes('user')) {
      await refuse('locked')
      return undefined
    }

    const user = await findUserByName(db, nameKey(name))
    const hash = user && (await findPasswordHash(db, user.id))
    const matches = await passwords.matches(password, hash)
    if (!user?.enabled || !matches) {
      await refuse(matches ? 'disabled' : 'credentials')
      for (const { kind, key } of await countFailures(db, [byUser, byAddress])) {
        await write({ action: 'sign-in.lock', actor: name, address, client, object: `${kind} ${key}` })
      }
      return undefined
    }
    await sql.forgetFailures(db, byUser)
    if (isOutdated(hash!)) await updatePasswordHash(db, user.id, await passwords.hash(password))
    await write({ action: 'sign-in', actor: user.name, address, client })
    return user
  }

/** Returns those that are locked by it. */
const countFailures = (db: Db, all: readonly sql.Counted[]) =>
  db.transaction(async (db) => {
    await sql.commitLoosely(db)
    const locked: sql.Counted[] = []
    for (const counted of all) if (await sql.countFailure(db, counted, rules[counted.kind])) locked.push(counted)
    return locked
  })

export const countedUser = (name: string) => ({ kind: 'user', key: nameKey(name).slice(0, 255) }) as const
