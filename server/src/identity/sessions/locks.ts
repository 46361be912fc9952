/**
 * User names and network addresses that are locked after too many failed sign-ins.
 *
 * The database counts failures for all processes. Locks are cached here for a second, so that an attack on one name or
 * from one address causes one query a second instead of one per attempt.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import * as sql from './sign-in.sql.ts'

// prettier-ignore
const rules: Record<sql.Counted['kind'], sql.LockRule> = {
  user:    { limit: 10, window: '12 hours', step: '1 minute', most: '15 minutes' },
  address: { limit: 30, window: '1 minute', step: '1 minute', most: '1 minute' },
}

export interface Locks {
  /** Returns those that are locked according to the cache. */
  cached(counted: readonly sql.Counted[]): sql.Counted['kind'][]
  find(counted: readonly sql.Counted[]): Promise<sql.Counted['kind'][]>
  /** Counts a failure for each and returns those that this failure locked. */
  countFailure(counted: readonly sql.Counted[]): Promise<sql.Counted[]>
  forget(): void
}

/** More than an attack from one network needs. When the cache is full it is cleared. */
const maxCached = 10_000

export function createLocks(db: Db, maxAge = 1000): Locks {
  const lockedAt = new Map<string, number>()
  const keyOf = ({ kind, key }: sql.Counted) => `${kind} ${key}`
  const isCached = (one: sql.Counted) => {
    const at = lockedAt.get(keyOf(one))
    return at !== undefined && performance.now() - at < maxAge
  }
  const cache = (locked: readonly sql.Counted[]) => {
    if (lockedAt.size + locked.length > maxCached) lockedAt.clear()
    for (const one of locked) lockedAt.set(keyOf(one), performance.now())
  }
  return {
    cached: (counted) => counted.filter(isCached).map(({ kind }) => kind),
    async find(counted) {
      const kinds = await sql.findLocked(db, counted)
      cache(counted.filter(({ kind }) => kinds.includes(kind)))
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
