/**
 * Who may not try to sign in for now: names and addresses with too many failures.
 *
 * The database counts, for all processes. That somebody is locked is remembered here for a second, so that an attack on
 * one name, or from one address, asks the database once a second and not at every attempt.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import * as sql from './sign-in.sql.ts'

// prettier-ignore
const rules: Record<sql.Counted['kind'], sql.LockRule> = {
  user:    { limit: 10, window: '12 hours', step: '1 minute', most: '15 minutes' },
  address: { limit: 30, window: '1 minute', step: '1 minute', most: '1 minute' },
}

export interface Locks {
  /** Which of them are locked, as far as this process remembers. */
  remembered(counted: readonly sql.Counted[]): sql.Counted['kind'][]
  find(counted: readonly sql.Counted[]): Promise<sql.Counted['kind'][]>
  /** Counts a failure for each, and returns those that were locked by it. */
  countFailure(counted: readonly sql.Counted[]): Promise<sql.Counted[]>
  forget(): void
}

/** More than an attack from one network has; what is forgotten is asked of the database again. */
const mostRemembered = 10_000

export function createLocks(db: Db, maxAge = 1000): Locks {
  const lockedAt = new Map<string, number>()
  const keyOf = ({ kind, key }: sql.Counted) => `${kind} ${key}`
  const isRemembered = (one: sql.Counted) => {
    const at = lockedAt.get(keyOf(one))
    return at !== undefined && performance.now() - at < maxAge
  }
  const remember = (locked: readonly sql.Counted[]) => {
    if (lockedAt.size + locked.length > mostRemembered) lockedAt.clear()
    for (const one of locked) lockedAt.set(keyOf(one), performance.now())
  }
  return {
    remembered: (counted) => counted.filter(isRemembered).map(({ kind }) => kind),
    async find(counted) {
      const kinds = await sql.findLocked(db, counted)
      remember(counted.filter(({ kind }) => kinds.includes(kind)))
      return kinds
    },
    countFailure: async (counted) => {
      const newly = await sql.countFailures(
        db,
        counted.map((one) => ({ ...one, ...rules[one.kind] })),
      )
      return counted.filter(({ kind }) => newly.includes(kind))
    },
    forget: () => lockedAt.clear(),
  }
}
