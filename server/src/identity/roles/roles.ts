/**
 * Roles: their grants, and the permissions of a set of roles.
 *
 * The table of grants is small and needed on every request, so it is cached for at most a second, and invalidated at
 * once when another process changes it. Every change of a user's roles increments their permission epoch, after which
 * tokens with the old roles are refused.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { actions, type Grant, type Permissions, trees } from '../../core/access/permissions.ts'
import { Problem } from '../../errors.ts'
import { createTtlCache } from '../ttl-cache.ts'
import * as sql from './roles.sql.ts'
import { lockUsers } from '../users/users.sql.ts'

interface Grants {
  permissionsOf(roles: ReadonlySet<string>): Promise<Permissions>
  forget(): void
}

export function createGrants(db: Db, maxAge = 1000): Grants {
  const load = async () => new Map((await sql.listRoles(db)).map(({ name, grants }) => [name, grants]))
  const table = createTtlCache(load, maxAge)
  return {
    async permissionsOf(roles) {
      const known = await table.get('grants')
      return [...roles].flatMap((role) => known.get(role) ?? [])
    },
    forget: () => table.clear(),
  }
}

interface Role {
  name: string
  description: string
  grants: readonly Grant[]
}

/** These roles exist from the start and cannot be removed. */
const builtIn = new Set(['admin', 'editor', 'reader', 'user'])

/** Creates or replaces the role, in the caller's transaction. */
export async function putRole(db: Db, { name, description, grants }: Role): Promise<void> {
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(name)) {
    throw new Problem('invalid', 'a role name has up to 64 lower-case letters, digits, - and _, the first one a letter')
  }
  if (name === 'admin') throw new Problem('invalid', 'the role admin cannot be changed')
  grants.forEach(checkGrant)
  await sql.upsertRole(db, name, description)
  await sql.deleteGrants(db, name)
  for (const grant of grants) await sql.insertGrant(db, name, grant)
}

function checkGrant(grant: Grant, index: number): void {
  const at = `grants[${index}]`
  const known: readonly string[] = [...actions, '*']
  const unknown = grant.actions.filter((action) => !known.includes(action))
  if (unknown.length > 0)
    throw new Problem('invalid', `${at}: unknown action ${unknown.join(', ')}; expected ${known.join(', ')}`)
  if (grant.actions.length === 0) throw new Problem('invalid', `${at}: actions are missing`)
  for (const [tree, paths] of Object.entries(grant.scopes ?? {})) {
    if (!trees.some((known) => known === tree))
      throw new Problem('invalid', `${at}: unknown tree ${tree}; expected ${trees.join(', ')}`)
    const odd = paths.filter((path) => !/^\/.*[^/]$/.test(path))
    if (odd.length > 0) throw new Problem('invalid', `${at}: ${odd.join(', ')} is not a path like /Sea/North`)
  }
}

export async function removeRole(db: Db, name: string): Promise<void> {
  if (builtIn.has(name)) throw new Problem('invalid', `the role ${name} cannot be removed`)
  await sql.raiseEpochOfRole(db, name)
  if ((await sql.deleteRole(db, name)) === 0)
    throw new Problem('notFound', `no role has the name ${name.slice(0, 100)}`)
}

/** Refuses a change after which no administrator would be left. The lock serialises such changes. */
export async function requireAnAdmin(db: Db): Promise<void> {
  await lockUsers(db)
  if (!(await sql.anyAdmin(db))) throw new Problem('inUse', 'at least one enabled user must have the role admin')
}

export { listRoles } from './roles.sql.ts'
