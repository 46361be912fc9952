/**
 * User names and network addresses that are locked after too many failed sign-ins.
 *
 *   user      failures with a name from anywhere
 *   known     failures with a name from a network where this user signed in before, or within a session of this user
 *   address   failures from an address with any name
 *
 * An attempt counts as `known` or as `user`. A stranger who locks a name therefore does not lock its owner out at home.
 *
 * The database counts failures for all processes. Locks are cached here for a second, so that an attack on one name or
 * from one address causes one query a second instead of one per attempt.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { nameKey } from '../users/users.ts'
import * as sql from './sign-in.sql.ts'

// prettier-ignore
const rules: Record<sql.Counted['kind'], sql.LockRule> = {
  user:    { limit: 10, window: '12 hours', step: '1 minute', most: '15 minutes' },
  known:   { limit: 10, window: '12 hours', step: '1 minute', most: '15 minutes' },
  address: { limit: 30, window: '1 minute', step: '1 minute', most: '1 minute' },
}

interface Source {
  readonly name: string
  readonly address: string
  /** Whether a session of this user makes the attempt. */
  readonly signedIn?: boolean | undefined
}

/** Whether an attempt may be judged, and what its failure is counted for. */
interface Admission {
  readonly locked?: 'name' | 'address'
  /** Whether the cache knew the lock. */
  readonly cached: boolean
  readonly counted: { readonly name: sql.Counted; readonly address: sql.Counted }
}

export interface Locks {
  /** The lock of an attempt according to the cache; undefined if the database has to be asked. */
  cached(source: Source): Admission | undefined
  isAddressCached(address: string): boolean
  find(source: Source): Promise<Admission>
  /** Counts a failure. `admitted` is false if it was locked before; `locked` is true if this failure locked it. */
  count(counted: sql.Counted): Promise<{ admitted: boolean; locked: boolean }>
  forget(): void
}

/** More than an attack from one network needs. When the cache is full it is cleared. */
const maxCached = 10_000

export function createLocks(db: Db, maxAge = 1000): Locks {
  const lockedAt = new Map<string, { at: number; networks: readonly string[] }>()
  const keyOf = ({ kind, key }: sql.Counted) => `${kind} ${key}`
  const find = (one: sql.Counted) => {
    const found = lockedAt.get(keyOf(one))
    return found && performance.now() - found.at < maxAge ? found : undefined
  }
  const cache = (one: sql.Counted, networks: readonly string[] = []) => {
    if (lockedAt.size >= maxCached) lockedAt.clear()
    lockedAt.set(keyOf(one), { at: performance.now(), networks })
  }
  return {
    cached(source) {
      const { user, known, address } = countedOf(source)
      if (find(address)) return { locked: 'address', cached: true, counted: { name: user, address } }
      const lockedName = find(user)
      if (find(known)) return { locked: 'name', cached: true, counted: { name: known, address } }
      const isStranger = lockedName && !isKnown(source, lockedName.networks)
      return isStranger ? { locked: 'name', cached: true, counted: { name: user, address } } : undefined
    },
    isAddressCached: (address) => find(countedAddress(address)) !== undefined,
    async find(source) {
      const { user, known, address } = countedOf(source)
      const { locked, networks } = await sql.findLocks(db, nameKey(source.name), [user, known, address])
      const counted = { name: isKnown(source, networks) ? known : user, address }
      for (const one of [user, known, address]) if (locked.includes(one.kind)) cache(one, networks)
      if (locked.includes('address')) return { locked: 'address', cached: false, counted }
      return { ...(locked.includes(counted.name.kind) && { locked: 'name' }), cached: false, counted }
    },
    async count(one) {
      const [row] = await sql.countFailures(db, [{ ...one, ...rules[one.kind] }])
      return { admitted: row !== undefined, locked: row?.locked ?? false }
    },
    forget: () => lockedAt.clear(),
  }
}

const isKnown = ({ address, signedIn }: Source, networks: readonly string[]) =>
  signedIn === true || networks.includes(networkOf(address))

function countedOf({ name, address, signedIn }: Source) {
  const user = countedUser(name)
  const place = signedIn ? 'signed in' : networkOf(address)
  return { user, known: { kind: 'known', key: `${user.key}\n${place}` }, address: countedAddress(address) } as const
}

export const countedUser = (name: string) => ({ kind: 'user', key: nameKey(name).slice(0, 255) }) as const
const countedAddress = (address: string) => ({ kind: 'address', key: networkOf(address) }) as const

/** The address itself; of an IPv6 address the first 64 bits, because a single machine has all addresses behind them. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: tail === undefined ? 0 : Math.max(0, 8 - head.length - tail.length) }, () => '0')
  const groups = [...head, ...zeros, ...(tail ?? [])].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
