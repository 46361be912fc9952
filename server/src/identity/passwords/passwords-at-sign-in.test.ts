/** Replacing a password that somebody else chose, and changing one's own password. */
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createBrowser, type Browser } from '../../../test/browser.ts'
import { password, withIdentity } from '../../../test/identity.ts'
import { signIn } from '../../../test/token.ts'
import type { User } from '../users/users.ts'

/** At the real cost and with the real dictionaries, unlike other tests. */
const kontor = withIdentity({ passwordWorker: undefined })
const callback = 'http://127.0.0.1:45454/callback'
const better = 'seven herons over the lock'
let user: User
let count = 0
beforeEach(async () => {
  user = await kontor.identity.users.create({ name: `olga${++count}`, password, mustChangePassword: true })
})

const authorizationUrl = () =>
  `${kontor.issuer}/protocol/openid-connect/auth?${new URLSearchParams({
    client_id: 'kontor-ui',
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
  })}`
async function toPasswordForm(browser: Browser) {
  const { url: login } = await browser.follow(await browser.get(authorizationUrl()), callback)
  const page = await (await browser.post(login, { username: user.name, password })).text()
  const [, action] = /action="([^"]+)"/.exec(page) ?? []
  return { login, page, form: new URL(action ?? 'none', login).href }
}
const twice = (text: string, again = text) => ({ 'new-password': text, 'repeat-password': again })

describe('a user whose password somebody else chose', () => {
  test('chooses a new one and is signed in with it', async () => {
    const browser = createBrowser()
    const { page, form } = await toPasswordForm(browser)
    expect(page).toContain('<h1>Choose a password</h1>')
    const { url } = await browser.follow(await browser.post(form, twice(better)), callback)
    expect(new URL(url).searchParams.get('code')).toBeTruthy()
    expect(await signIn(kontor.issuer, user.name, better)).toMatchObject({ status: 200 })
    expect(await signIn(kontor.issuer, user.name, password)).toMatchObject({ status: 401 })
    expect(await kontor.identity.users.find({ id: user.id })).toMatchObject({ mustChangePassword: false })
  })

  test.each([
    ['two different passwords', twice(better, `${better}!`), 'not the same'],
    ['a short password', twice('short'), 'at least 12'],
    ['no password', {}, 'at least 12'],
  ])('sees what is wrong with %s and may try again', async (_, fields: Record<string, string>, fault) => {
    const browser = createBrowser()
    const { form } = await toPasswordForm(browser)
    const reply = await browser.post(form, fields)
    expect(reply.status).toBe(400)
    expect(await reply.text()).toContain(fault)
    expect((await browser.post(form, twice(better))).status).toBe(303)
  })

  test('can still get tokens by the password grant, for scripts', async () => {
    expect(await signIn(kontor.issuer, user.name, password)).toMatchObject({ status: 200 })
  })

  test('must enter the old password first, in the same browser', async () => {
    const browser = createBrowser()
    const { url: login } = await browser.follow(await browser.get(authorizationUrl()), callback)
    expect((await browser.post(`${login}/password`, twice(better))).status).toBe(400)
    const { form } = await toPasswordForm(browser)
    expect((await createBrowser().post(form, twice(better))).status).toBe(400)
    expect((await browser.post(form, twice(better), { origin: 'https://evil.example' })).status).toBe(400)
    expect(await signIn(kontor.issuer, user.name, password)).toMatchObject({ status: 200 })
  })
})

describe('the password page', () => {
  const page = () => `${kontor.issuer}/password`
  const post = (fields: Record<string, string>, headers = {}) =>
    fetch(page(), { method: 'POST', body: new URLSearchParams(fields), headers })

  test('changes the password of a user who knows the current one, and ends their sessions', async () => {
    const { access_token: token } = await kontor.identity.issueTokens(user)
    expect(await (await fetch(page())).text()).toContain('<h1>Change your password</h1>')
    const reply = await post({ username: user.name, password, ...twice(better) })
    expect(await reply.text()).toContain('Your password has been changed')
    await expect(kontor.identity.verify(`Bearer ${token}`)).rejects.toThrow('session has ended')
    expect(await signIn(kontor.issuer, user.name, better)).toMatchObject({ status: 200 })
  })

  test.each([
    ['a wrong password', { password: 'not this one, though' }, 401, 'is wrong'],
    ['a new password that is easy to guess', twice('passwordpassword'), 400, 'easy to guess'],
  ])('refuses %s', async (_, fields: Record<string, string>, status, fault) => {
    const reply = await post({ username: user.name, password, ...twice(better), ...fields })
    expect(reply.status).toBe(status)
    expect(await reply.text()).toContain(fault)
  })

  test('refuses a form that another site sent', async () => {
    const fields = { username: user.name, password, ...twice(better) }
    expect((await post(fields, { origin: 'https://evil.example' })).status).toBe(400)
  })

  test('loads its stylesheet and logo from this server, and nothing from other sites', async () => {
    const text = await (await fetch(page())).text()
    const addresses = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address!)
    expect(addresses).toHaveLength(2)
    for (const address of addresses) expect((await fetch(new URL(address, kontor.baseUrl))).status).toBe(200)
  })
})
