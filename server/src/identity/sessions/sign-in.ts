/**
 * Signing in by user name and password, and by a code if the user has a second factor. The login page and the password
 * grant both use it.
 *
 * An unknown user, a wrong password, a disabled and a locked account cannot be distinguished from outside: the result is
 * the same, and except for the lock so is the work. A lock prevents new sign-ins but does not end live sessions, so that
 * nobody can use it to sign other users out; and it does not hold where the user signed in before (locks.ts).
 *
 * Concurrent attempts do not outrun the lock. A password is judged when it is its turn to be hashed, and its failure is
 * counted before the next one gets this turn. An attempt with a code is counted before it is judged.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import type { WriteAudit } from '../audit/audit-chain.ts'
import { type Locks, networkOf } from './locks.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { SecondFactor } from './second-factor.ts'
import { type Counted, recordSuccess } from './sign-in.sql.ts'
import { nameKey } from '../users/users.ts'
import { findUserById, findUserToSignIn, updatePasswordHash, type User } from '../users/users.sql.ts'

/** The source of an attempt. */
interface Origin {
  /** The network address of the client. */
  address: string
  client?: string
  /** Whether a session of this user makes the attempt, for example to change the password. */
  signedIn?: boolean
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
  const { db, passwords } = services
  return {
    async byPassword({ name, password, code, ...origin }) {
      if (passwords.isBusy()) throw new Problem('tooMany', 'too many people are signing in right now: try again soon')
      const source = { name, ...origin }
      if (services.locks.cached(source)) return void (await admit(services, source))
      const judged = await passwords.inTurn(async (matches): Promise<Judged> => {
        const admission = await admit(services, source)
        if (!admission) return undefined
        const found = await findUserToSignIn(db, nameKey(name))
        const isRight = await matches(password, found?.hash)
        if (found?.enabled && isRight) return { found, ...admission }
        const counted = [admission.counted.name, admission.counted.address]
        return { failure: isRight ? 'disabled' : 'credentials', locked: await countFailures(services, counted) }
      })
      if (!judged) return undefined
      if ('failure' in judged) return auditFailure(services, source, judged.failure, judged.locked)
      const { hash, secondFactor: needsCode, ...user } = judged.found
      if (needsCode && code === undefined) return { needsCode: user.id }
      if (needsCode && !(await isRightCode(services, source, judged.counted, user.id, code!))) return undefined
      if (passwords.isOutdated(hash!)) await updatePasswordHash(db, user.id, await passwords.hash(password))
      return noteSuccess(services, user, source, judged.counted.name)
    },
    byCode: (attempt) => checkCode(services, attempt),
    proveCode: async (attempt) => (await checkCode(services, attempt)) !== undefined,
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof findUserToSignIn>>>
type Counts = { counted: { name: Counted; address: Counted } }
type Judged = (Counts & { found: Found }) | { failure: string; locked: Counted[] } | undefined
type NamedOrigin = Origin & { name: string }

async function checkCode(
  services: SignInServices,
  { userId, code, ...origin }: CodeAttempt,
): Promise<User | undefined> {
  const user = await findUserById(services.db, userId)
  if (!user) return undefined
  const source = { name: user.name, ...origin }
  const admission = await admit(services, source)
  if (!admission) return undefined
  const { counted } = admission
  if (!user.enabled) {
    const locked = await countFailures(services, [counted.name, counted.address])
    return auditFailure(services, source, 'disabled', locked)
  }
  if (!(await isRightCode(services, source, counted, user.id, code))) return undefined
  return noteSuccess(services, user, source, counted.name)
}

/** Counts the attempt before it judges the code: of many concurrent codes no more are judged than the lock allows. */
async function isRightCode(
  services: SignInServices,
  source: NamedOrigin,
  counted: Counts['counted'],
  userId: string,
  code: string,
): Promise<boolean> {
  const { admitted, locked } = await services.locks.count(counted.name)
  if (!admitted) return false
  if (await services.secondFactor.check(userId, code)) return true
  const others = await countFailures(services, [counted.address])
  await auditFailure(services, source, 'second factor', locked ? [counted.name, ...others] : others)
  return false
}

/** Returns the subjects of the counts; undefined if the name is locked. Throws when the address is locked. */
async function admit({ locks, writeAudit }: SignInServices, source: NamedOrigin): Promise<Counts | undefined> {
  const { locked, cached, counted } = locks.cached(source) ?? (await locks.find(source))
  if (locked === 'address') throw new Problem('tooMany', 'too many failed sign-ins: try again in a minute')
  if (locked === undefined) return { counted }
  if (!cached) await writeAudit(failureOf(source, 'locked')) // one audit event a second is enough
  return undefined
}

/** Returns those that this failure locked. */
async function countFailures({ locks }: SignInServices, counted: readonly Counted[]): Promise<Counted[]> {
  const results = await Promise.all(counted.map((one) => locks.count(one)))
  return counted.filter((_, i) => results[i]!.locked)
}

async function auditFailure(
  { writeAudit }: SignInServices,
  source: NamedOrigin,
  reason: string,
  locked: readonly Counted[],
): Promise<undefined> {
  await writeAudit(failureOf(source, reason))
  const { name: actor, ...origin } = whereabouts(source)
  for (const { kind, key } of locked) {
    const [what = '', place] = key.split('\n')
    const object = `${kind === 'address' ? 'address' : 'user'} ${what}`
    await writeAudit({ ...origin, action: 'sign-in.lock', actor, object, ...(place && { detail: { place } }) })
  }
}

function failureOf(source: NamedOrigin, reason: string) {
  const { name: actor, ...origin } = whereabouts(source)
  return { ...origin, action: 'sign-in', actor, outcome: 'failure', detail: { reason } } as const
}

const whereabouts = ({ name, address, client }: NamedOrigin) => ({
  name,
  address,
  ...(client !== undefined && { client }),
})

async function noteSuccess(
  { db, writeAudit }: SignInServices,
  user: User,
  { address, client, signedIn }: Origin,
  counted: Counted,
): Promise<User> {
  await recordSuccess(db, user.id, counted, networkOf(address))
  const { name: actor, ...origin } = whereabouts({ name: user.name, address, ...(client !== undefined && { client }) })
  if (!signedIn) await writeAudit({ ...origin, action: 'sign-in', actor })
  return user
}
