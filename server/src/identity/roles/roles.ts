/**
 * Roles and groups: which grants a role has, which roles a group brings, and what a set of roles allows.
 *
 * The table of grants is small and asked for on every request, so it is remembered for a second at most, and forgotten at
 * once when another process changes it. Whatever changes somebody's rights raises their permission epoch: tokens that
 * name other roles are refused from then on.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { actions, type Grant, type Permissions, trees } from '../../core/access/permissions.ts'
import { Problem } from '../../errors.ts'
import { createTtlCache } from '../ttl-cache.ts'
import * as sql from './roles.sql.ts'
import { lockUsers } from '../users/users.sql.ts'

export interface Grants {
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

export interface Role {
  name: string
  description: string
  grants: readonly Grant[]
}

/** The four that are there from the start stay; what an administrator may do is not for negotiation. */
const builtIn = new Set(['admin', 'editor', 'reader', 'user'])

/** Makes the role, or makes it so. Runs in the caller's transaction. */
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
  const strange = grant.actions.filter((action) => !known.includes(action))
  if (strange.length > 0)
    throw new Problem('invalid', `${at}: no action ${strange.join(', ')}; there are ${known.join(', ')}`)
  if (grant.actions.length === 0) throw new Problem('invalid', `${at}: actions are missing`)
  for (const [tree, paths] of Object.entries(grant.scopes ?? {})) {
    if (!trees.some((known) => known === tree)) throw new Problem('invalid', `${at}: no tree ${tree}`)
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

/** Refuses a change after which nobody could undo it. Changes of this kind wait for each other. */
export async function requireAnAdmin(db: Db): Promise<void> {
  await lockUsers(db)
  if (!(await sql.anyAdmin(db))) throw new Problem('inUse', 'somebody must be left who has the role admin')
}

export { listRoles } from './roles.sql.ts'
