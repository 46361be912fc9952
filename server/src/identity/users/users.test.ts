import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { password, withIdentity } from '../../../test/identity.ts'
import { signIn, tokenFor } from '../../../test/token.ts'
import { ensureAdmin, purgeIdentity } from '../module.ts'

const kontor = withIdentity()
const users = () => kontor.identity.users

test('of several processes that start at the same time, one creates the administrator', async () => {
  const results = await Promise.all(Array.from({ length: 4 }, () => ensureAdmin(kontor.db)))
  const [first, ...others] = results.filter(({ created }) => created)
  expect(others).toEqual([])
  const { body } = await signIn(kontor.issuer, 'admin', first!.password!)
  expect(decodeJwt(body.access_token!)).toMatchObject({ realm_access: { roles: ['admin', 'user'] } })
  expect(await ensureAdmin(kontor.db, 'another password, never used')).toEqual({ created: false })
})

test('a given password of the administrator must be acceptable', async () => {
  await kontor.db.pool.query('delete from user_account')
  await expect(ensureAdmin(kontor.db, 'admin')).rejects.toThrow('at least 12')
  expect(await ensureAdmin(kontor.db, password)).toEqual({ created: true })
  expect(await signIn(kontor.issuer, 'admin', password)).toMatchObject({ status: 200 })
})

test('names that differ only in case or Unicode composition are the same', async () => {
  await users().create({ name: 'Björn' })
  await expect(users().create({ name: 'BJÖRN'.normalize('NFD') })).rejects.toMatchObject({ kind: 'exists' })
  expect(await users().find({ name: 'björn' })).toMatchObject({ name: 'Björn', roles: [], enabled: true })
})

test.each(['', ' ', 'x'.repeat(256), 'a\u0000b', 'a\u202eb'])('the name %j is refused', async (name) => {
  await expect(users().create({ name })).rejects.toMatchObject({ kind: 'invalid' })
})

test('roles are replaced as a whole, and an unknown role changes nothing', async () => {
  const { id } = await users().create({ name: 'otto', roles: [] })
  await users().setRoles(id, ['admin'])
  expect(await users().find({ id })).toMatchObject({ roles: ['admin'], epoch: 2 })
  await expect(users().setRoles(id, ['king'])).rejects.toMatchObject({ kind: 'notFound' })
  expect(await users().find({ id })).toMatchObject({ roles: ['admin'], epoch: 2 })
})

test('an unknown user cannot be changed', async () => {
  const id = '00000000-0000-4000-8000-000000000000'
  const { setPassword, setRoles, setEnabled } = users()
  for (const change of [() => setPassword(id, password), () => setRoles(id, []), () => setEnabled(id, true)]) {
    await expect(change()).rejects.toMatchObject({ kind: 'notFound' })
  }
})

test('tokenFor returns a valid token of a new user with the given roles', async () => {
  const token = await tokenFor(kontor.identity, { roles: ['admin'] })
  expect(await kontor.identity.verify(`Bearer ${token}`)).toMatchObject({ roles: new Set(['admin']) })
})

test('expired sessions are deleted, live ones are kept', async () => {
  const user = await users().create({ name: 'paula' })
  const [old, live] = [await kontor.identity.issueTokens(user), await kontor.identity.issueTokens(user)]
  const { sid } = decodeJwt(old.access_token)
  await kontor.db.pool.query(`update user_session set expires_at = now() - interval '2 days' where id = $1`, [sid])
  await purgeIdentity(kontor.db)
  const { rows } = await kontor.db.pool.query('select id from user_session where user_id = $1', [user.id])
  expect(rows).toEqual([{ id: decodeJwt(live.access_token).sid }])
})
