/** In production administrators get no token by password alone. */
import { beforeAll, expect, test } from 'vitest'
import { password, withIdentity } from '../../../test/identity.ts'
import { signIn } from '../../../test/token.ts'

const kontor = withIdentity({ adminsByPasswordGrant: false })
beforeAll(async () => {
  await kontor.identity.users.create({ name: 'root', password, roles: ['admin'] })
  await kontor.identity.users.create({ name: 'vera', password })
})

test('an administrator is sent to the browser, and only with the right password told why', async () => {
  expect(await signIn(kontor.issuer, 'root', password)).toMatchObject({
    status: 400,
    body: { error: 'unauthorized_client', error_description: 'Administrators sign in by browser here' },
  })
  expect(await signIn(kontor.issuer, 'root', 'wrong')).toMatchObject({ status: 401, body: { error: 'invalid_grant' } })
})

test('others get theirs', async () => {
  expect((await signIn(kontor.issuer, 'vera', password)).status).toBe(200)
})
