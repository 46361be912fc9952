/** In production, administrators get no token by the password grant. */
import { beforeAll, expect, test } from 'vitest'
import { password, withIdentity } from '../../../test/identity.ts'
import { signIn } from '../../../test/token.ts'

const kontor = withIdentity({ adminsByPasswordGrant: false })
beforeAll(async () => {
  await kontor.identity.users.create({ name: 'root', password, roles: ['admin'] })
  await kontor.identity.users.create({ name: 'vera', password })
})

test('an administrator must sign in by browser; only the right password reveals the reason', async () => {
  expect(await signIn(kontor.issuer, 'root', password)).toMatchObject({
    status: 400,
    body: { error: 'unauthorized_client', error_description: 'Administrators sign in by browser here' },
  })
  expect(await signIn(kontor.issuer, 'root', 'wrong')).toMatchObject({ status: 401, body: { error: 'invalid_grant' } })
})

test('other users get a token', async () => {
  expect((await signIn(kontor.issuer, 'vera', password)).status).toBe(200)
})
