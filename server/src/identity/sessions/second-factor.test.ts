/** Signing in with a second factor, by browser and by the password grant. Codes work once; wrong codes lock the account. */
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createBrowser } from '../../../test/browser.ts'
import { cheapPasswordWorker } from '../../../test/passwords.ts'
import { masterKey, password, withIdentity } from '../../../test/identity.ts'
import { requestToken } from '../../../test/token.ts'
import { createAuditWriter } from '../audit/audit-chain.ts'
import { createPasswords } from '../passwords/passwords.ts'
import { createLocks } from './locks.ts'
import { createSignIn } from './sign-in.ts'
import { createSecondFactor, type SecondFactor } from './second-factor.ts'
import { codeAt, stepAt } from './totp.ts'
import type { User } from '../users/users.ts'

const kontor = withIdentity()
const callback = 'http://127.0.0.1:45454/callback'
let factors: SecondFactor
let user: User
let secret: Buffer
let recovery: string[]
let count = 0

/** The code of this period or the next: each works once, and a test needs two. Both are accepted at any time. */
const codeIn = (periods: number) => codeAt(secret, stepAt(Date.now()) + periods)

beforeEach(async () => {
  factors = createSecondFactor(kontor.db, masterKey, 'Kontor')
  user = await kontor.identity.users.create({ name: `tess${++count}`, password })
  secret = fromBase32((await factors.begin(user)).secret)
  recovery = await factors.confirm(user.id, codeIn(0), async () => {})
})

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const grant = (more: Record<string, string> = {}) =>
  requestToken(kontor.issuer, { grant_type: 'password', username: user.name, password, scope: 'openid', ...more })

describe('the password grant', () => {
  test('needs the code as totp; without it the reply is the same as for a wrong password', async () => {
    expect(await grant()).toMatchObject({ status: 401, body: { error_description: 'Invalid user credentials' } })
    expect((await grant({ totp: '000000' })).status).toBe(401)
    expect((await grant({ totp: codeIn(1) })).status).toBe(200)
  })

  test('accepts a code once, even in concurrent requests', async () => {
    const code = codeIn(1)
    const replies = await Promise.all(Array.from({ length: 10 }, () => grant({ totp: code })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await grant({ totp: codeIn(0) })).status).toBe(401)
  })

  test('accepts each recovery code once, regardless of case and separators', async () => {
    expect(recovery).toHaveLength(10)
    const [code = ''] = recovery
    expect((await grant({ totp: code.toLowerCase().replaceAll('-', ' ') })).status).toBe(200)
    expect((await grant({ totp: code })).status).toBe(401)
    expect(await factors.state(user.id)).toEqual({ enabled: true, recoveryCodes: 9 })
  })

  test('is locked after ten wrong codes, even with the right password', async () => {
    for (let i = 0; i < 10; i++) await grant({ totp: '000000' })
    expect((await grant({ totp: codeIn(1) })).status).toBe(401)
  })
})

test('of sixty concurrent codes at most ten are judged', async () => {
  let judged = 0
  const { db } = kontor
  const check = async (userId: string, code: string) => {
    judged++
    return factors.check(userId, code)
  }
  const { byCode, proveCode } = createSignIn({
    db,
    passwords: createPasswords(cheapPasswordWorker),
    locks: createLocks(db, 0),
    secondFactor: { check },
    writeAudit: createAuditWriter(db),
  })
  for (const attempt of [byCode, proveCode]) {
    judged = 0
    await kontor.db.pool.query('delete from sign_in_failure')
    const codes = Array.from({ length: 60 }, (_, i) => ({ userId: user.id, code: '000000', address: `192.0.2.${i}` }))
    await Promise.all(codes.map((one) => attempt(one)))
    expect(judged).toBe(10)
  }
})

describe('the login page', () => {
  const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url')
  const fields = { client_id: 'kontor-ui', redirect_uri: callback, response_type: 'code', scope: 'openid' }
  const start = async () => {
    const browser = createBrowser()
    const query = new URLSearchParams({ ...fields, code_challenge: challenge, code_challenge_method: 'S256' })
    const opened = await browser.get(`${kontor.issuer}/protocol/openid-connect/auth?${query}`)
    const { url: login } = await browser.follow(opened, callback)
    return { browser, login }
  }

  test('asks for a code after the password, reports a wrong one, and accepts the right one', async () => {
    const { browser, login } = await start()
    const page = await (await browser.post(login, { username: user.name, password })).text()
    expect(page).toContain('<h1>Enter a code</h1>')
    const form = new URL(/action="([^"]+)"/.exec(page)![1]!, login).href
    const wrong = await browser.post(form, { code: '000000' })
    expect(wrong.status).toBe(401)
    expect(await wrong.text()).toContain('This code is wrong')
    const { url } = await browser.follow(await browser.post(form, { code: codeIn(1) }), callback)
    expect(new URL(url).searchParams.get('code')).toBeTruthy()
  })

  test('refuses a code before the right password, from another browser or from another site', async () => {
    const { browser, login } = await start()
    expect((await browser.post(`${login}/code`, { code: codeIn(1) })).status).toBe(400)
    await browser.post(login, { username: user.name, password })
    expect((await createBrowser().post(`${login}/code`, { code: codeIn(1) })).status).toBe(400)
    const foreign = await browser.post(`${login}/code`, { code: codeIn(1) }, { origin: 'https://evil.example' })
    expect(foreign.status).toBe(400)
    expect((await browser.post(`${login}/code`, { code: codeIn(1) })).status).toBe(303)
  })

  test('asks for the code before a new password if the user needs both', async () => {
    await kontor.identity.users.setPassword(user.id, 'seven herons over the lock', { other: true })
    const { browser, login } = await start()
    await browser.post(login, { username: user.name, password: 'seven herons over the lock' })
    expect((await browser.post(`${login}/password`, { 'new-password': password })).status).toBe(400)
    const page = await (await browser.post(`${login}/code`, { code: codeIn(1) })).text()
    expect(page).toContain('<h1>Choose a password</h1>')
    const form = new URL(/action="([^"]+)"/.exec(page)![1]!, `${login}/code`).href
    const chosen = { 'new-password': 'nine herons on the bank', 'repeat-password': 'nine herons on the bank' }
    expect((await browser.post(form, chosen)).status).toBe(303)
  })
})

test('the secret is encrypted in the database and cannot be copied to another user', async () => {
  const { rows } = await kontor.db.pool.query('select sealed from second_factor where user_id = $1', [user.id])
  expect(rows[0].sealed.includes(secret)).toBe(false)
  const other = await kontor.identity.users.create({ name: `thief${count}`, password })
  await kontor.db.pool.query('insert into second_factor (user_id, sealed, confirmed_at) values ($1, $2, now())', [
    other.id,
    rows[0].sealed,
  ])
  await expect(factors.check(other.id, codeIn(1))).rejects.toThrow('master key')
})
