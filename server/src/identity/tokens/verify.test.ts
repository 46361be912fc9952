import {
  base64url,
  decodeJwt,
  decodeProtectedHeader,
  generateKeyPair,
  importJWK,
  SignJWT,
  type CryptoKey,
  type JWK,
} from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { masterKey, withIdentity } from '../../../test/identity.ts'
import { Problem } from '../../errors.ts'
import { createKeys } from './keys.ts'
import type { TokenSet } from './tokens.ts'
import type { User } from '../users/users.ts'

const kontor = withIdentity()
let user: User
let valid: TokenSet
let key: CryptoKey
let publicJwk: JWK
beforeAll(async () => {
  user = await kontor.identity.users.create({ name: 'clara', roles: ['user'] })
  valid = await kontor.identity.issueTokens(user, 'openid offline_access')
  const { d, ...rest } = (await createKeys(kontor.db, 'ES256', masterKey)).all()[0]!
  key = (await importJWK({ ...rest, d } as JWK, 'ES256')) as CryptoKey
  publicJwk = rest as JWK
})

const verify = (token: string) => kontor.identity.verify(`Bearer ${token}`)
const now = () => Math.floor(Date.now() / 1000)

/** The valid token with other claims or another header, signed again. */
function forge(claims: object, header: object = {}, by: CryptoKey | Uint8Array = key): Promise<string> {
  const token = new SignJWT({ ...decodeJwt(valid.access_token), ...claims })
  return token
    .setProtectedHeader({ ...decodeProtectedHeader(valid.access_token), ...header } as { alg: string })
    .sign(by)
}

test('an unchanged token is accepted', async () => {
  expect(await verify(await forge({}))).toMatchObject({ userName: 'clara' })
  expect(await kontor.identity.verify(`bearer ${valid.access_token}`)).toMatchObject({ userId: user.id })
})

describe('the server refuses', () => {
  const withoutSignature = (header: object) =>
    `${base64url.encode(JSON.stringify(header))}.${valid.access_token.split('.')[1]}.`
  const tampered = () => {
    const [header, , signature] = valid.access_token.split('.')
    const claims = { ...decodeJwt(valid.access_token), realm_access: { roles: ['admin'] } }
    return `${header}.${base64url.encode(JSON.stringify(claims))}.${signature}`
  }
  const stranger = () => generateKeyPair('ES256', { extractable: true })
  const publicKeyAsSecret = () => new TextEncoder().encode(JSON.stringify(publicJwk).padEnd(32))

  const forgeries: Record<string, () => string | Promise<string>> = {
    'alg none': () => withoutSignature({ alg: 'none', typ: 'at+jwt' }),
    'alg none with an empty signature part': () => `${withoutSignature({ alg: 'none', typ: 'at+jwt', kid: 'x' })}AA`,
    'HS256 with the public key as secret': () => forge({}, { alg: 'HS256' }, publicKeyAsSecret()),
    'another key under our key id': async () => forge({}, {}, (await stranger()).privateKey),
    'an embedded key': async () => {
      const { privateKey } = await stranger()
      return forge({}, { jwk: publicJwk }, privateKey)
    },
    'an embedded key although the signature is ours': () => forge({}, { jwk: publicJwk }),
    'a key address (jku)': () => forge({}, { jku: 'https://evil.example/keys' }),
    'a certificate address (x5u)': () => forge({}, { x5u: 'https://evil.example/cert' }),
    'an unknown key id': () => forge({}, { kid: 'unknown' }),
    'no key id': () => forge({}, { kid: undefined }),
    'another type': () => forge({}, { typ: 'JWT' }),
    'no type': () => forge({}, { typ: undefined }),
    'another issuer': () => forge({ iss: 'https://evil.example/auth/realms/kontor' }),
    'the issuer with an extra slash': () => forge({ iss: `${kontor.issuer}/` }),
    'another audience': () => forge({ aud: 'another-api' }),
    'no audience': () => forge({ aud: undefined }),
    'an expired token': () => forge({ iat: now() - 3700, exp: now() - 100 }),
    'a token from the future': () => forge({ iat: now() + 60, exp: now() + 120 }),
    'a token not valid yet': () => forge({ nbf: now() + 60 }),
    'a lifetime of more than an hour': () => forge({ exp: now() + 7200 }),
    'no expiry': () => forge({ exp: undefined }),
    'no time of issue': () => forge({ iat: undefined }),
    'no subject': () => forge({ sub: undefined }),
    'no session': () => forge({ sid: undefined }),
    'a session that never existed': () => forge({ sid: '00000000-0000-4000-8000-000000000000' }),
    'the session of another user': async () => {
      const other = await kontor.identity.users.create({ name: 'other' })
      return forge({ sid: decodeJwt((await kontor.identity.issueTokens(other)).access_token).sid })
    },
    'another client': () => forge({ azp: 'other-ui' }),
    'an earlier permission epoch': () => forge({ pe: 0 }),
    'roles that are not a list': () => forge({ realm_access: {} }),
    'a changed payload': tampered,
    'an ID token': () => valid.id_token!,
    'an offline token': () => valid.refresh_token,
    'a refresh token': async () => (await kontor.identity.issueTokens(user)).refresh_token,
    'a token of more than 8 KiB': () => forge({ padding: 'x'.repeat(8192) }),
    'a non-canonical encoding of the signature': () => `${valid.access_token}=`,
    'two parts': () => valid.access_token.split('.').slice(0, 2).join('.'),
    'five parts (JWE)': () => `${valid.access_token}.a.b`,
    'a header that is not JSON': () => `AAAA.${valid.access_token.split('.').slice(1).join('.')}`,
  }

  test.each(Object.entries(forgeries))('%s', async (_, make) => {
    const error = await verify(await make()).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(error).toBeInstanceOf(Problem)
    expect(error).toMatchObject({ kind: 'unauthorized' })
  })

  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['another scheme', 'Basic YTpi'],
    ['a scheme alone', 'Bearer'],
    ['two headers', ['Bearer a.b.c', 'Bearer a.b.c']],
    ['two tokens', 'Bearer a.b.c, Bearer a.b.c'],
  ])('%s', async (_, header) => {
    await expect(kontor.identity.verify(header)).rejects.toMatchObject({ kind: 'unauthorized' })
  })
})

test('a token is refused as soon as its session ends, its user is disabled, or its roles change', async () => {
  const ends = {
    session: ({ sid }: { sid?: unknown }) => kontor.identity.endSession(sid as string),
    roles: ({ sub }: { sub?: string }) => kontor.identity.users.setRoles(sub!, ['admin']),
    disabled: ({ sub }: { sub?: string }) => kontor.identity.users.setEnabled(sub!, false),
  }
  for (const [name, end] of Object.entries(ends)) {
    const person = await kontor.identity.users.create({ name })
    const { access_token: token } = await kontor.identity.issueTokens(person)
    await verify(token)
    await end(decodeJwt(token))
    await expect(verify(token)).rejects.toMatchObject({ kind: 'unauthorized' })
  }
})

test('many unknown key ids do not cause a query for keys each time', async () => {
  const flood = Array.from({ length: 200 }, (_, i) => forge({}, { kid: `unknown-${i}` }))
  kontor.statements.length = 0
  await Promise.allSettled(flood.map(async (token) => verify(await token)))
  expect(kontor.statements.filter((text) => text.includes('signing_key')).length).toBeLessThanOrEqual(1)
})

test('a token that was verified before causes only one query, for its session', async () => {
  await verify(valid.access_token)
  kontor.statements.length = 0
  await verify(valid.access_token)
  expect(kontor.statements).toEqual([expect.stringContaining('from user_session')])
})
