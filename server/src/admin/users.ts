/** `kontor users …`: manages users on the server's machine, also if no administrator can sign in. */
import type { Db } from '../adapters/postgres/db.ts'
import { Problem } from '../errors.ts'
import { audit } from '../identity/audit/audit-chain.ts'
import { createPasswords, randomPassword } from '../identity/passwords/passwords.ts'
import { requireAnAdmin } from '../identity/roles/roles.ts'
import { deleteSecondFactor } from '../identity/sessions/second-factor.sql.ts'
import { listUsers } from '../identity/users/users.sql.ts'
import { createUsers, type Note, type User } from '../identity/users/users.ts'
import type { Commands, Out, Work } from './command.ts'
import { withDatabase } from './database.ts'

type Run = (db: Db, args: readonly string[], out: Out) => Promise<void>

const onDatabase =
  (run: Run): Work =>
  (config, args, out) =>
    withDatabase(config, (db) => run(db, args, out))

// prettier-ignore
export const userCommands: Commands = [
  { name: 'users list', usage: '[part of a name]', maxArguments: 1, doc: 'Lists users with their state, roles and groups', work: onDatabase(list) },
  { name: 'users create', usage: '<name> [role …]', maxArguments: Infinity, doc: 'Creates a user with a generated password, which is displayed once. Without roles the user may do nothing', work: onDatabase(create) },
  { name: 'users disable', usage: '<name>', maxArguments: 1, doc: 'Disables a user and ends all their sessions', work: onDatabase((db, args, out) => enable(db, args, out, false)) },
  { name: 'users enable', usage: '<name>', maxArguments: 1, doc: 'Enables a user again', work: onDatabase((db, args, out) => enable(db, args, out, true)) },
  { name: 'users reset-password', usage: '<name>', maxArguments: 1, doc: 'Sets a generated password, which is displayed once and must be changed at the next sign-in', work: onDatabase(resetPassword) },
  { name: 'users reset-two-factor', usage: '<name>', maxArguments: 1, doc: 'Removes the second factor of a user who has lost it', work: onDatabase(resetTwoFactor) },
  { name: 'users roles', usage: '<name> <role> [role …]', maxArguments: Infinity, doc: 'Replaces the roles of a user', work: onDatabase(setRoles) },
]

async function list(db: Db, [search]: readonly string[], out: Out): Promise<void> {
  for (let after: string | undefined; ;) {
    const page = await listUsers(db, { search, after, limit: 500 })
    for (const { name, enabled, locked, roles, groups } of page) {
      const state = enabled ? (locked ? 'locked' : 'enabled') : 'disabled'
      out([name, state, roles.join(','), groups.join(',')].join('\t'))
    }
    if (page.length < 500) return
    after = page.at(-1)!.name
  }
}

async function create(db: Db, [name, ...roles]: readonly string[], out: Out): Promise<void> {
  const password = randomPassword()
  const user = { name: requireName(name), password, mustChangePassword: true, ...(roles.length > 0 && { roles }) }
  await usersOf(db).create(user, note('user.create'))
  out(`${user.name} can sign in with the password ${password} and must choose another one then.`)
  if (roles.length === 0) out(`${user.name} has no role and may do nothing yet: kontor users roles ${user.name} <role>`)
}

async function enable(db: Db, [name]: readonly string[], out: Out, enabled: boolean): Promise<void> {
  const { id } = await find(db, name)
  await usersOf(db).setEnabled(id, enabled, async (db, user) => {
    await requireAnAdmin(db)
    await note(enabled ? 'user.enable' : 'user.disable')(db, user)
  })
  out(enabled ? `${name} can sign in again.` : `${name} can no longer sign in. All sessions have ended.`)
}

async function resetPassword(db: Db, [name]: readonly string[], out: Out): Promise<void> {
  const { id } = await find(db, name)
  const password = randomPassword()
  await usersOf(db).setPassword(id, password, { other: true, note: note('user.reset-password') })
  out(`The password of ${name} is now ${password} and must be changed at the next sign-in. All sessions have ended.`)
}

async function resetTwoFactor(db: Db, [name]: readonly string[], out: Out): Promise<void> {
  const user = await find(db, name)
  await db.transaction(async (db) => {
    if (!(await deleteSecondFactor(db, user.id))) throw new Problem('notFound', `${name} has no second factor`)
    await note('user.reset-two-factor')(db, user)
  })
  out(`${name} can now sign in without a second factor and set up a new one.`)
}

async function setRoles(db: Db, [name, ...roles]: readonly string[], out: Out): Promise<void> {
  const { id } = await find(db, name)
  if (roles.length === 0) throw new Problem('invalid', 'name at least one role')
  await usersOf(db).setRoles(id, roles, async (db, user) => {
    await requireAnAdmin(db)
    await note('user.roles', { roles })(db, user)
  })
  out(`${name} has the roles ${roles.join(', ')}.`)
}

const usersOf = (db: Db) => createUsers(db, createPasswords())
const note =
  (action: string, detail?: Readonly<Record<string, unknown>>): Note =>
  (db, { name }: User) =>
    audit(db, { actor: 'kontor command', action, object: `user ${name}`, ...(detail && { detail }) })

async function find(db: Db, name: string | undefined): Promise<User> {
  const user = await usersOf(db).find({ name: requireName(name) })
  if (!user) throw new Problem('notFound', `no user has the name ${name}`)
  return user
}

function requireName(name: string | undefined): string {
  if (name === undefined) throw new Problem('invalid', 'name a user')
  return name
}
