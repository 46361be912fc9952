/**
 * Roles: their grants, and the permissions of a set of roles.
 *
 * The table of grants is small and needed on every request, so it is cached for at most a second, and invalidated at
 * once when another process changes it. Groups of attributes are resolved when it is loaded, and a change of their members
 * invalidates it too. Every change of a user's roles increments their permission epoch, after which
 * tokens with the old roles are refused.
 */
import { because } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import {
  actions,
  type AttributeRule,
  kinds,
  type Permissions,
  resolveGroups,
  type StoredGrant,
  trees,
} from '../../core/access/permissions.ts'
import { Problem } from '../../errors.ts'
import { createTtlCache } from '../ttl-cache.ts'
import * as sql from './roles.sql.ts'
import { lockUsers } from '../users/users.sql.ts'

interface Grants {
  permissionsOf(roles: ReadonlySet<string>): Promise<Permissions>
  forget(): void
}

export function createGrants(db: Db, maxAge = 1000): Grants {
  const load = async () => {
    const roles = await sql.listRoles(db)
    const resolved = await withGroups(db, roles.map(({ grants }) => grants)) // prettier-ignore
    return new Map(roles.map(({ name }, i) => [name, resolved[i]!]))
  }
  const table = createTtlCache(load, maxAge)
  return {
    async permissionsOf(roles) {
      const known = await table.get('grants')
      return [...roles].flatMap((role) => known.get(role) ?? [])
    },
    forget: () => table.clear(),
  }
}

/** The grants of each role, with the attributes that are in their groups now. */
export async function withGroups(db: Db, roles: readonly (readonly StoredGrant[])[]): Promise<Permissions[]> {
  const isNeeded = roles.flat().some((grant) => groupsOf(grant).length > 0)
  const found = isNeeded ? await sql.findMembers(db) : []
  const members = new Map(found.map(({ tid, attributes }) => [tid, attributes]))
  return roles.map((grants) => grants.map((grant) => resolveGroups(grant, members)))
}

interface Role {
  name: string
  description: string
  grants: readonly StoredGrant[]
}

/** These roles exist from the start and cannot be removed. */
const builtIn = new Set(['admin', 'editor', 'reader', 'user'])

/** Creates or replaces the role, in the caller's transaction. */
export async function putRole(db: Db, { name, description, grants }: Role): Promise<void> {
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(name)) {
    throw new Problem('invalid', because('roleName'))
  }
  if (name === 'admin') throw new Problem('invalid', because('roleAdmin'))
  await checkGrants(db, name, grants)
  await sql.upsertRole(db, name, description)
  await sql.deleteGrants(db, name)
  for (const grant of grants) await sql.insertGrant(db, name, grant, groupsOf(grant))
}

/** Refuses kinds, actions, paths and names that do not exist. */
export async function checkGrants(db: Db, role: string, grants: readonly StoredGrant[]): Promise<void> {
  grants.forEach(checkGrant)
  await checkNames(db, role, grants)
}

/** Checks what does not depend on the data. */
function checkGrant({ kind, actions: given, scopes = {} }: StoredGrant, index: number): void {
  const at = `grants[${index}]`
  if (kind !== '*' && !kinds.includes(kind)) throw unknown(`${at}.kind`, 'unknown kind', [kind], ['*', ...kinds])
  const odd = given.filter((action) => action !== '*' && !actions.some((known) => known === action))
  if (odd.length > 0) throw unknown(`${at}.actions`, 'unknown action', odd, ['*', ...actions])
  if (given.length === 0) throw new Problem('invalid', `${at}.actions: actions are missing`)
  for (const [tree, paths] of Object.entries(scopes)) {
    const faulty = paths.filter((path) => !/^\/.*[^/]$/.test(path))
    if (faulty.length > 0)
      throw new Problem('invalid', `${at}.scopes.${tree}: ${faulty.join(', ')} is not a path like /Sea/North`)
  }
}

const wordings: Record<sql.Named, string> = {
  node: 'no node has the path',
  dir: 'no directory has the path',
  channel: 'no channel has the path',
  keyword: 'no keyword has the path',
  attribute: 'no attribute has the tid',
  attrGroup: 'no group of attributes has the tid',
  locale: 'no locale is called',
}
/** Known names in a refusal. */
const maxExamples = 20

/**
 * Refuses names that do not exist. The role may keep a name that it has already: its object was deleted since, and a name
 * without an object grants nothing.
 */
async function checkNames(db: Db, role: string, grants: readonly StoredGrant[]): Promise<void> {
  const before = (await sql.listRoles(db)).find(({ name }) => name === role)?.grants ?? []
  const kept = new Set(before.flatMap(namesIn).map(({ of, name }) => `${of} ${name}`))
  const added = grants.flatMap(namesIn).filter(({ of, name }) => !kept.has(`${of} ${name}`))
  await sql.keepGroups(db, grants.flatMap(groupsOf))
  for (const [of, named] of Map.groupBy(added, ({ of }) => of)) {
    const missing = await sql.unknownNames(db, of, [...new Set(named.map(({ name }) => name))])
    const [first] = named.filter(({ name }) => missing.includes(name))
    if (!first) continue
    const here = named.filter(({ at, name }) => at === first.at && missing.includes(name)).map(({ name }) => name)
    throw unknown(first.at, wordings[of], here, await examplesOf(db, of))
  }
}

async function examplesOf(db: Db, of: sql.Named): Promise<string[]> {
  const names = await sql.someNames(db, of, maxExamples + 1)
  return names.length > maxExamples ? [...names.slice(0, maxExamples), '…'] : names
}

/** Everything that a grant names, with its place in the message. */
function namesIn(grant: StoredGrant, index: number): { of: sql.Named; name: string; at: string }[] {
  const at = `grants[${index}]`
  const inScopes = trees.flatMap((of) =>
    (grant.scopes?.[of] ?? []).map((name) => ({ of, name, at: `${at}.scopes.${of}` })),
  )
  const rules = (['visibleAttributes', 'editableAttributes', 'visibleLocales', 'editableLocales'] as const).flatMap(
    (field) => {
      const { only = [], except = [] } = grant[field] ?? {}
      const of: sql.Named = field.endsWith('Locales') ? 'locale' : 'attribute'
      return [...only, ...except].map((name) => ({ of, name, at: `${at}.${field}` }))
    },
  )
  const groups = (['visibleAttributes', 'editableAttributes'] as const).flatMap((field) =>
    groupsIn(grant[field]).map((name) => ({ of: 'attrGroup' as const, name, at: `${at}.${field}` })),
  )
  return [...inScopes, ...rules, ...groups]
}

const groupsIn = ({ onlyGroups = [], exceptGroups = [] }: AttributeRule = {}) => [...onlyGroups, ...exceptGroups]
const groupsOf = ({ visibleAttributes, editableAttributes }: StoredGrant) => [
  ...new Set([...groupsIn(visibleAttributes), ...groupsIn(editableAttributes)]),
]

function unknown(at: string, wording: string, names: readonly string[], known: readonly string[]): Problem {
  const examples = known.length > 0 ? known.join(', ') : 'none yet'
  return new Problem('invalid', `${at}: ${wording} ${names.join(', ')}; known: ${examples}`)
}

export async function removeRole(db: Db, name: string): Promise<void> {
  if (builtIn.has(name)) throw new Problem('invalid', because('roleKept', { name }))
  await sql.raiseEpochOfRole(db, name)
  if ((await sql.deleteRole(db, name)) === 0)
    throw new Problem('notFound', `no role has the name ${name.slice(0, 100)}`)
}

/** Refuses a change after which no administrator would be left. The lock serialises such changes. */
export async function requireAnAdmin(db: Db): Promise<void> {
  await lockUsers(db)
  if (!(await sql.anyAdmin(db))) throw new Problem('inUse', because('lastAdmin'))
}

export { listRoles } from './roles.sql.ts'
