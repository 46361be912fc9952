/**
 * User accounts: create, find, set roles and passwords, enable and disable.
 *
 * Changes that revoke permissions take effect at once: a new password and disabling end all sessions of the user. A
 * change of roles increments the permission epoch, after which tokens with an older epoch are refused.
 */
import { because } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { newName } from '../../core/batch/names.ts'
import { Problem } from '../../errors.ts'
import { audit } from '../audit/audit-chain.ts'
import { createPasswords, randomPassword, type Passwords } from '../passwords/passwords.ts'
import { endAllOfUser } from '../sessions/sessions.sql.ts'
import * as sql from './users.sql.ts'

export type { User } from './users.sql.ts'

interface NewUser {
  name: string
  email?: string
  displayName?: string
  /** Without a password the user cannot sign in by password. */
  password?: string
  /** Whether the login page asks for a new password first. */
  mustChangePassword?: boolean
  /** Without roles, here and by groups, the user may do nothing. */
  roles?: readonly string[]
}

export interface Users {
  create(user: NewUser, note?: Note): Promise<sql.User>
  find(by: { id: string } | { name: string }): Promise<sql.User | undefined>
  /** With `other`, somebody else chose the password: the user must change it at the next sign-in by browser. */
  setPassword(id: string, password: string, by?: { other?: boolean; note?: Note }): Promise<void>
  setRoles(id: string, roles: readonly string[], note?: Note): Promise<void>
  setEnabled(id: string, enabled: boolean, note?: Note): Promise<void>
}

/** Runs in the transaction of a change, usually to write its audit event. */
export type Note = (db: Db, user: sql.User) => Promise<unknown>

export function createUsers(
  db: Db,
  passwords: Passwords,
  passwordChanged: (user: sql.User) => Promise<void> = async () => {},
): Users {
  const find: Users['find'] = (by) =>
    'id' in by ? sql.findUserById(db, by.id) : sql.findUserByName(db, nameKey(by.name))
  const get = async (id: string) => (await sql.findUserById(db, id)) ?? notFound(id)
  return {
    find,
    async create({ password, roles = [], ...user }, note) {
      if (password !== undefined) await passwords.check(password, user)
      const passwordHash = password === undefined ? undefined : await passwords.hash(password)
      return db.transaction(async (db) => {
        const created = await insertUser(db, { ...user, passwordHash }, roles)
        await note?.(db, created)
        return created
      })
    },
    async setPassword(id, password, { other = false, note } = {}) {
      const user = await get(id)
      await passwords.check(password, user)
      const hash = await passwords.hash(password)
      await db.transaction(async (db) => {
        await sql.replacePassword(db, id, hash, other)
        await endAllOfUser(db, id)
        await note?.(db, user)
      })
      await passwordChanged(user)
    },
    async setRoles(id, roles, note) {
      const user = await get(id)
      await db.transaction(async (db) => {
        await addRoles(db, id, roles)
        await sql.deleteOtherRoles(db, id, roles)
        await sql.raiseEpoch(db, id)
        await note?.(db, user)
      })
    },
    async setEnabled(id, enabled, note) {
      const user = await get(id)
      await db.transaction(async (db) => {
        await sql.updateEnabled(db, id, enabled)
        if (!enabled) await endAllOfUser(db, id)
        await note?.(db, user)
      })
    },
  }
}

/**
 * Creates the first administrator if there are no users yet. If several processes start at the same time, one of them
 * creates it. Returns the generated password, to be displayed once.
 */
export async function ensureAdmin(
  db: Db,
  given?: string,
  { mustChangePassword = given === undefined, passwords = createPasswords() } = {},
): Promise<{ created: boolean; password?: string }> {
  if (await sql.anyUser(db)) return { created: false }
  const password = given ?? randomPassword()
  await passwords.check(password, { name: 'admin', displayName: 'Administrator' })
  const passwordHash = await passwords.hash(password)
  const created = await db.transaction(async (db) => {
    await sql.lockUsers(db)
    if (await sql.anyUser(db)) return false
    await insertUser(db, { name: 'admin', displayName: 'Administrator', passwordHash, mustChangePassword }, [
      'admin',
      'user',
    ])
    await audit(db, { action: 'user.create', actor: 'first start', object: 'user admin' })
    return true
  })
  return created && given === undefined ? { created, password } : { created }
}

/** The name for comparison: "Müller " and "müller" are the same user. PostgreSQL cannot store NUL, so it is replaced. */
export const nameKey = (name: string) => name.normalize('NFC').trim().toLowerCase().replaceAll('\0', '\ufffd')

export async function insertUser(
  db: Db,
  user: Omit<sql.NewUser, 'nameKey'>,
  roles: readonly string[],
): Promise<sql.User> {
  const name = newName('the user name', user.name)
  const id = await sql.insertUser(db, { ...user, name, nameKey: nameKey(name) })
  if (id === undefined) throw new Problem('exists', because('userTaken', { name }))
  await addRoles(db, id, roles)
  return (await sql.findUserById(db, id))!
}

/** Disables the user for good and frees the name. */
export const retireUser = async (db: Db, id: string): Promise<void> => {
  await sql.retireUser(db, id)
  await endAllOfUser(db, id)
}

async function addRoles(db: Db, id: string, roles: readonly string[]): Promise<void> {
  const unknown = await sql.unknownRoles(db, roles)
  if (unknown.length > 0) throw new Problem('notFound', because('unknownRoles', { names: unknown.join(', ') }))
  await sql.insertRoles(db, id, roles)
}

function notFound(id: string): never {
  throw new Problem('notFound', `no user has this id: ${id}`)
}
