/**
 * Trying a role before it is stored: what its grants allow, and for an hour a name under which an administrator can read
 * with them (`Kontor-View-As`).
 */
import type { Db } from '../../adapters/postgres/db.ts'
import type { Permissions, StoredGrant } from '../../core/access/permissions.ts'
import type { Caller } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import type { Users } from '../users/users.ts'
import { checkGrants, listRoles, withGroups } from './roles.ts'
import * as sql from './trials.sql.ts'

interface Trial {
  /** The role that the grants would replace. */
  readonly name: string | undefined
  /** The user who would have it in addition to their other roles. */
  readonly user: string | undefined
  readonly grants: readonly StoredGrant[]
}

/** The name of a new role while it is tried. */
const unnamed = '(new role)'

export async function tryRole(db: Db, users: Users, { name = unnamed, user: userName, grants }: Trial) {
  await checkGrants(db, name, grants)
  const user = userName === undefined ? undefined : await users.find({ name: userName })
  if (userName !== undefined && !user) throw new Problem('notFound', `no user has the name ${userName.slice(0, 100)}`)
  const others = [...(user?.roles ?? [])].filter((role) => role !== name)
  const stored = (await listRoles(db)).filter((role) => others.includes(role.name))
  const all = [...grants, ...stored.flatMap((role) => role.grants)]
  const [permissions = []] = await withGroups(db, [all])
  const id = await sql.insertTrial(db, { roles: [...others, name], grants })
  return {
    viewAs: prefix + id,
    roles: [...others, name],
    grants: all,
    kinds: await sql.countKinds(db, permissions),
  }
}

type PermissionsOf = (roles: ReadonlySet<string>) => Promise<Permissions>
type ViewedRights = Pick<Caller, 'roles' | 'permissions'>

const prefix = 'trial:'
const isTrial = /^trial:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The rights of a role that is being tried; undefined if the name is not that of a trial, or the hour is over. */
export async function findTrial(db: Db, permissionsOf: PermissionsOf, name: string): Promise<ViewedRights | undefined> {
  if (!isTrial.test(name)) return undefined
  const trial = await sql.findTrial(db, name.slice(prefix.length))
  if (!trial) return undefined
  // The tried grants replace those of the role, which is the last of the names.
  const others = new Set(trial.roles.slice(0, -1))
  const [tried = []] = await withGroups(db, [trial.grants])
  return { roles: new Set(trial.roles), permissions: [...tried, ...(await permissionsOf(others))] }
}

/** The rights that the header Kontor-View-As names: those of a role that is being tried, or of a user. */
export const viewedRights =
  (db: Db, { users, permissionsOf }: { readonly users: Users; readonly permissionsOf: PermissionsOf }) =>
  async (name: string): Promise<ViewedRights | undefined> => {
    const tried = await findTrial(db, permissionsOf, name)
    if (tried) return tried
    const user = await users.find({ name })
    const roles = new Set(user?.roles)
    return user && { roles, permissions: await permissionsOf(roles) }
  }
