/**
 * Signing in by user name and password, and by a code if the user has a second factor. The login page and the password
 * grant both use it.
 *
 * An unknown user, a wrong password, a disabled and a locked account cannot be distinguished from outside: the result is
 * the same, and except for the lock so is the work. A lock prevents new sign-ins but does not end live sessions, so that
 * nobody can use it to sign other users out.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import type { WriteAudit } from '../audit/audit-chain.ts'
import type { Locks } from './locks.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { SecondFactor } from './second-factor.ts'
import { forgetFailures } from './sign-in.sql.ts'
import { nameKey } from '../users/users.ts'
import { findUserById, findUserToSignIn, updatePasswordHash, type User } from '../users/users.sql.ts'

/** The source of an attempt. */
interface Origin {
  /** The network address of the client. */
  address: string
  client?: string
}
interface Attempt extends Origin {
  name: string
  password: string
  /** The code of the second factor, if it is sent together with the password. */
  code?: string
}

interface CodeAttempt extends Origin {
  userId: string
  code: string
}

/** The password was right; the code of the second factor is still needed. */
interface NeedsCode {
  /** The id of the user. */
  readonly needsCode: string
}

/** The methods return the user, or undefined if the sign-in failed. They throw a Problem `tooMany` when throttled. */
export interface SignIn {
  byPassword(attempt: Attempt): Promise<User | NeedsCode | undefined>
  /** The second step, after `byPassword` returned `needsCode`. */
  byCode(attempt: CodeAttempt): Promise<User | undefined>
  /** Checks a code of a user who is already signed in. Wrong codes count as failed sign-ins. */
  proveCode(attempt: CodeAttempt): Promise<boolean>
}

interface SignInServices {
  db: Db
  passwords: Passwords
  locks: Locks
  secondFactor: Pick<SecondFactor, 'check'>
  writeAudit: WriteAudit
}

export function createSignIn(services: SignInServices): SignIn {
  const { db, passwords, secondFactor } = services
  return {
    async byPassword({ name, password, code, ...origin }) {
      if (passwords.isBusy()) throw new Problem('tooMany', 'too many people are signing in right now: try again soon')
      if (await isLocked(services, name, origin)) return undefined
      const found = await findUserToSignIn(db, nameKey(name))
      const matches = await passwords.matches(password, found?.hash)
      if (!found?.enabled || !matches)
        return recordFailure(services, name, origin, matches ? 'disabled' : 'credentials')
      const { hash, secondFactor: needsCode, ...user } = found
      if (needsCode && code === undefined) return { needsCode: user.id }
      if (needsCode && !(await secondFactor.check(user.id, code!)))
        return recordFailure(services, name, origin, 'second factor')
      if (passwords.isOutdated(hash!)) await updatePasswordHash(db, user.id, await passwords.hash(password))
      return recordSuccess(services, user, origin)
    },
    async byCode(attempt) {
      const user = await checkCode(services, attempt)
      return user && recordSuccess(services, user, originOf(attempt))
    },
    proveCode: async (attempt) => (await checkCode(services, attempt)) !== undefined,
  }
}

async function checkCode(services: SignInServices, attempt: CodeAttempt): Promise<User | undefined> {
  const origin = originOf(attempt)
  const user = await findUserById(services.db, attempt.userId)
  if (!user || (await isLocked(services, user.name, origin))) return undefined
  if (user.enabled && (await services.secondFactor.check(user.id, attempt.code))) return user
  return recordFailure(services, user.name, origin, user.enabled ? 'second factor' : 'disabled')
}

const originOf = ({ address, client }: Origin): Origin => ({ address, ...(client !== undefined && { client }) })

/** Whether the name is locked; throws when the address is. */
async function isLocked({ locks, writeAudit }: SignInServices, name: string, origin: Origin): Promise<boolean> {
  const counted = [countedUser(name), countedAddress(origin.address)]
  const cached = locks.cached(counted)
  const locked = cached.length > 0 ? cached : await locks.find(counted)
  if (locked.includes('address')) throw new Problem('tooMany', 'too many failed sign-ins: try again in a minute')
  if (!locked.includes('user')) return false
  if (cached.length > 0) return true // one audit event a second is enough
  await writeAudit({ ...origin, action: 'sign-in', actor: name, outcome: 'failure', detail: { reason: 'locked' } })
  return true
}

async function recordFailure(
  services: SignInServices,
  name: string,
  origin: Origin,
  reason: string,
): Promise<undefined> {
  const { locks, writeAudit } = services
  await writeAudit({ ...origin, action: 'sign-in', actor: name, outcome: 'failure', detail: { reason } })
  for (const { kind, key } of await locks.countFailure([countedUser(name), countedAddress(origin.address)])) {
    await writeAudit({ ...origin, action: 'sign-in.lock', actor: name, object: `${kind} ${key}` })
  }
}

async function recordSuccess({ db, writeAudit }: SignInServices, user: User, origin: Origin): Promise<User> {
  await forgetFailures(db, countedUser(user.name))
  await writeAudit({ ...origin, action: 'sign-in', actor: user.name })
  return user
}

export const countedAddress = (address: string) => ({ kind: 'address', key: address }) as const
export const countedUser = (name: string) => ({ kind: 'user', key: nameKey(name).slice(0, 255) }) as const
