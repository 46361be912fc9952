/** Groups: the roles that a group gives to its members, and the groups that a user belongs to. */
import { because } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { newName } from '../../core/batch/names.ts'
import { Problem } from '../../errors.ts'
import { requireAnAdmin } from '../roles/roles.ts'
import { raiseEpoch, unknownRoles } from '../users/users.sql.ts'
import * as sql from './groups.sql.ts'

export async function putGroup(db: Db, name: string, description: string, roles: readonly string[]): Promise<void> {
  newName('the group name', name)
  const unknown = await unknownRoles(db, roles)
  if (unknown.length > 0) throw new Problem('notFound', because('unknownRoles', { names: unknown.join(', ') }))
  await sql.upsertGroup(db, name, description, roles)
  await sql.raiseEpochOfGroup(db, name)
  await requireAnAdmin(db)
}

export async function removeGroup(db: Db, name: string): Promise<void> {
  await sql.raiseEpochOfGroup(db, name)
  if ((await sql.deleteGroup(db, name)) === 0)
    throw new Problem('notFound', `no group has the name ${name.slice(0, 100)}`)
  await requireAnAdmin(db)
}

export async function setGroups(db: Db, userId: string, groups: readonly string[]): Promise<void> {
  const unknown = await sql.unknownGroups(db, groups)
  if (unknown.length > 0) throw new Problem('notFound', because('unknownGroups', { names: unknown.join(', ') }))
  await sql.replaceGroups(db, userId, groups)
  await raiseEpoch(db, userId)
  await requireAnAdmin(db)
}

export { listGroups } from './groups.sql.ts'
