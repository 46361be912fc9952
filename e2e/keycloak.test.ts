/**
 * Kontor with a real Keycloak, set up as docs/how-to/keycloak.md says: `npm run test:keycloak`. KONTOR_TEST_KEYCLOAK is
 * the address of any Keycloak, with the name and password of its administrator. The test creates a realm of its own in it
 * and removes it at the end. Two processes of Kontor share a database; Keycloak knows only the first.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createClient, fixedToken } from '@kontor/sdk'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtConsole } from '../server/src/console/console.ts'
import { freePort } from '../server/src/process/free-port.ts'
import { createDatabase } from '../server/test/database.ts'
import { findBrowser, noBrowser } from '../tools/browser.ts'
import { HowToPage, Keycloak, type NewPerson } from './keycloak.ts'
import { dataFolder, type Kontor, removeFolder, spawnKontor, whenReady } from './kontor.ts'

const address = process.env.KONTOR_TEST_KEYCLOAK
const remedy =
  'KONTOR_TEST_KEYCLOAK is not set. Start a Keycloak (bin/kc.sh start-dev) and set the variable to its address with the ' +
  'administrator: http://admin:password@localhost:8080'
if (!address) console.warn(`SKIPPED, the tests with a real Keycloak: ${remedy}`)

const executablePath = findBrowser()
if (address && !executablePath) console.warn(noBrowser)
const journey = test.skipIf(!executablePath || !existsSync(builtConsole))

const password = 'a quiet heron by the weir'
const kim: NewPerson = { username: 'kim', password, roles: ['admin'] }
const robin: NewPerson = { username: 'robin', password, groups: ['/press'] }
const lee: NewPerson = { username: 'lee', password, roles: ['reader'] }
const sam: NewPerson = { username: 'sam', password }

/** A client of the test alone: it gets tokens by password, which the page does not allow to any client. */
const direct = 'kontor-test'

describe.skipIf(!address)(address ? 'with a real Keycloak' : `skipped: ${remedy}`, () => {
  const realm = `kontor-${randomBytes(4).toString('hex')}`
  const keycloak = new Keycloak(address ?? 'http://localhost', realm)
  let page: HowToPage
  let url: string
  let other: Kontor
  let browser: Browser
  const ids = new Map<string, string>()
  const cleanUp: (() => unknown)[] = []

  beforeAll(async () => {
    const port = await freePort('localhost')
    url = `http://localhost:${port}`
    const issuer = 'https://sso.example.com/realms/shop'
    page = new HowToPage({ 'https://pim.example.com': url, [issuer]: keycloak.issuer })
    await keycloak.followPage(page, { realm })
    cleanUp.push(() => keycloak.remove())
    await keycloak.createClient({ clientId: direct, publicClient: true, directAccessGrantsEnabled: true }, 'kontor')
    for (const person of [kim, robin, lee, sam]) ids.set(person.username, await keycloak.createUser(person))
    const { poolConfig, drop } = await createDatabase()
    cleanUp.push(drop)
    const settings = page.settings()
    const start = (env: Record<string, string>) => {
      const data = dataFolder()
      cleanUp.push(() => removeFolder(data))
      const kontor = spawnKontor({
        ...settings,
        DATABASE_URL: poolConfig.connectionString,
        KONTOR_DATA: data,
        KONTOR_MASTER_KEY: 'of a test, which need not be secret',
        KONTOR_OIDC_CLIENT_ID: `${settings.KONTOR_OIDC_CLIENT_ID},${direct}`,
        ...env,
      })
      cleanUp.push(() => kontor.end('SIGTERM'))
      return kontor
    }
    await whenReady(start({ KONTOR_PORT: String(port) }))
    other = start({ KONTOR_PORT: '0', KONTOR_BASE_URL: '' })
    await whenReady(other)
    if (!executablePath) return
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    cleanUp.push(() => browser.close())
  })
  afterAll(async () => {
    for (const clean of cleanUp.toReversed()) await clean()
  })

  const tokenOf = ({ username }: NewPerson, scope = 'openid') =>
    keycloak.token({ grant_type: 'password', client_id: direct, username, password, scope })
  const get = (path: string, token: string, base = url) =>
    fetch(base + path, { headers: { authorization: `Bearer ${token}` } })
  const me = async (token: string) =>
    (await (await get('/api/v1/identity/me', token)).json()) as Record<string, unknown>
  const statusAt = async (base: string, token: string) => (await get('/api/v1/identity/me', token, base)).status
  /** Both processes refuse the token, although only one of them was notified by Keycloak. */
  const expectRefused = (token: string) =>
    vi.waitFor(async () => expect([await statusAt(url, token), await statusAt(other.url, token)]).toEqual([401, 401]))
  const expectAccepted = async (token: string) =>
    expect([await statusAt(url, token), await statusAt(other.url, token)]).toEqual([200, 200])

  /** A page in a new browser, signed in at Keycloak, and the access tokens that it has sent so far. */
  async function signIn({ username }: NewPerson, path = '/') {
    const context = await browser.newContext({ locale: 'en-GB' })
    const page = await context.newPage()
    page.setDefaultTimeout(90_000)
    const tokens: string[] = []
    const grants: string[] = []
    page.on('request', (request) => {
      const [, token] = /^Bearer (.+)$/.exec(request.headers().authorization ?? '') ?? []
      if (token && tokens.at(-1) !== token) tokens.push(token)
      if (request.url().endsWith('/token'))
        grants.push(new URLSearchParams(request.postData() ?? '').get('grant_type')!)
    })
    await page.goto(url + path)
    await page.waitForURL((at) => at.href.startsWith(keycloak.issuer))
    await fillLogin(page, username)
    await page.waitForSelector('h1')
    return { page, tokens, grants }
  }
  async function fillLogin(page: Page, username: string) {
    await page.fill('input[name=username]', username)
    await page.fill('input[name=password]', password)
    await page.click('#kc-login')
  }

  describe('the console', () => {
    journey('signs users in by browser, at the requested URL, and refreshes its tokens', async () => {
      const { page, tokens, grants } = await signIn(kim, '/settings?loc=de_DE')
      expect(page.url()).toBe(`${url}/settings?loc=de_DE`)
      await vi.waitFor(() => expect(tokens).not.toHaveLength(0))
      expect(await me(tokens[0]!)).toMatchObject({ name: 'kim', displayName: 'kim Example', email: 'kim@example.com' })
      expect(grants).toEqual(['authorization_code'])
      await page.reload()
      await page.waitForSelector('h1')
      await vi.waitFor(() => expect(tokens).toHaveLength(2))
      expect(grants).toEqual(['authorization_code', 'refresh_token'])
      await expectAccepted(tokens[1]!)
      expect(page.url()).toBe(`${url}/settings?loc=de_DE`)
    })

    journey('signs out at Keycloak, which ends the session in every process', async () => {
      const { page, tokens } = await signIn(kim)
      await vi.waitFor(() => expect(tokens).not.toHaveLength(0))
      await expectAccepted(tokens[0]!)
      await page.getByRole('button', { name: /^Account/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForSelector('#kc-login')
      for (const token of tokens) await expectRefused(token)
      await page.goto(url)
      await page.waitForSelector('#kc-login')
    })

    journey('is signed out when the session ends at Keycloak, and signs in again', async () => {
      const { page, tokens } = await signIn(lee)
      const elsewhere = await signIn(kim)
      await vi.waitFor(() => expect(tokens.length * elsewhere.tokens.length).toBeGreaterThan(0))
      const headers = { authorization: `Bearer ${tokens[0]}`, accept: 'text/event-stream' }
      const stream = await fetch(`${other.url}/api/v1/events/stream`, { headers })
      expect(stream.status).toBe(200)
      let isOpen = true
      const closed = () => (isOpen = false)
      void stream.text().then(closed, closed)
      await keycloak.endSessions(ids.get('lee')!)
      await expectRefused(tokens[0]!)
      await vi.waitFor(() => expect(isOpen).toBe(false))
      await expectAccepted(elsewhere.tokens[0]!)
      await page.goto(`${url}/products`)
      await page.waitForSelector('#kc-login')
      await fillLogin(page, 'lee')
      await page.waitForSelector('h1')
      expect(page.url()).toBe(`${url}/products`)
      await expectAccepted(tokens.at(-1)!)
    })

    journey('says that Keycloak does not answer, and tries again', async () => {
      const context = await browser.newContext({ locale: 'en-GB' })
      const page = await context.newPage()
      await page.route(`${keycloak.issuer}/**`, (route) => route.abort())
      await page.goto(url)
      await page.getByText(`${new URL(keycloak.origin).host}, which signs users in, does not answer.`).waitFor()
      await page.unroute(`${keycloak.issuer}/**`)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.waitForSelector('#kc-login')
    })
  })

  test('roles come from the realm, and groups give the roles of the group with this name in Kontor', async () => {
    const { access_token: admin } = await tokenOf(kim)
    const { access_token: member } = await tokenOf(robin)
    expect(decodeJwt(member).groups).toEqual(['/press'])
    const { identity } = createClient({ baseUrl: url, tokens: fixedToken(admin) })
    await identity.putGroup({ params: { name: 'press' }, body: { roles: [] } })
    expect(await statusAt(url, member)).toBe(401)
    await identity.putGroup({ params: { name: 'press' }, body: { roles: ['reader'] } })
    await vi.waitFor(async () => expect(await statusAt(other.url, member)).toBe(200))
    const { roles } = await me(member)
    expect(roles).toContain('reader')
    expect(roles).not.toContain('admin')
    expect((await get('/api/v1/identity/users', member)).status).toBe(403)
    expect(await statusAt(url, (await tokenOf(sam)).access_token)).toBe(401)
  })

  test('a service account acts with its roles, and the history and the list of users name it', async () => {
    const secret = { client_id: 'kontor-sync', client_secret: await keycloak.secretOf('kontor-sync') }
    const { access_token: token } = await keycloak.token({ grant_type: 'client_credentials', ...secret })
    const name = 'service-account-kontor-sync'
    expect(await me(token)).toMatchObject({ name, roles: expect.arrayContaining(['editor']) })
    const admin = createClient({ baseUrl: url, tokens: fixedToken((await tokenOf(kim)).access_token) })
    await admin.pim.classes.persist([{ tid: 'Boats', name: { itm: [{ value: 'Boats' }] } }])
    const { pim, identity } = createClient({ baseUrl: other.url, tokens: fixedToken(token) })
    await pim.products.persist([{ tid: 'B1', name: 'Dinghy', node: '/Boats' }])
    const { products } = await pim.pageProducts({ body: {} })
    expect(products).toEqual([expect.objectContaining({ tid: 'B1', modifiedBy: name })])
    await expect(identity.listUsers()).rejects.toMatchObject({ status: 403 })
    const { users } = await admin.identity.listUsers({ query: { search: name } })
    expect(users).toEqual([expect.objectContaining({ name, issuer: keycloak.issuer })])
  })

  test('a logout token of Keycloak works once, and one for another client not at all', async () => {
    const received = await receiveForms()
    cleanUp.push(received.stop)
    const announceTo = (client: string) =>
      keycloak.changeClient(client, (settings) => ({
        ...settings,
        attributes: {
          ...(settings.attributes as object),
          'backchannel.logout.url': received.url,
          'backchannel.logout.session.required': 'true',
        },
      }))
    const stranger = 'stranger'
    await keycloak.createClient({ clientId: stranger, publicClient: true, directAccessGrantsEnabled: true }, 'kontor')
    for (const client of [direct, stranger]) await announceTo(client)
    const post = (form: string) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return fetch(`${url}/api/v1/identity/backchannel-logout`, { method: 'POST', headers, body: form })
    }
    const login = { grant_type: 'password', username: 'sam', password, scope: 'openid' }
    await keycloak.token({ ...login, client_id: stranger })
    await keycloak.assignRoles(ids.get('sam')!, ['reader'])
    const { access_token: token } = await tokenOf(sam)
    await expectAccepted(token)
    await keycloak.endSessions(ids.get('sam')!)
    // One logout token per session and client; sam has other sessions, too.
    const [ours, foreign] = await vi.waitFor(() => {
      const claimsOf = (form: string) => decodeJwt<{ sid?: string }>(new URLSearchParams(form).get('logout_token')!)
      const forms = received.forms.map((form) => ({ form, claims: claimsOf(form) }))
      const found = [
        forms.find(({ claims }) => claims.sid === decodeJwt<{ sid: string }>(token).sid),
        forms.find(({ claims }) => claims.aud === stranger),
      ]
      expect(found.every(Boolean)).toBe(true)
      return found
    })
    await expectAccepted(token) // Kontor was not notified
    const refusal = await post(foreign!.form)
    expect([refusal.status, await refusal.text()]).toEqual([400, expect.stringContaining('its claim aud')])
    expect((await post(ours!.form)).status).toBe(200)
    await expectRefused(token)
    const again = await post(ours!.form)
    expect([again.status, await again.text()]).toEqual([400, expect.stringContaining('it was used before')])
  })

  test.each<[string, () => Promise<string | undefined>]>([
    ['an ID token', async () => (await tokenOf(kim)).id_token],
    ['a refresh token', async () => (await tokenOf(kim)).refresh_token],
    ['a changed signature', async () => (await tokenOf(kim)).access_token.replace(/.{8}$/, 'AAAAAAAA')],
    [
      'a token of another realm',
      async () => {
        const { username, password } = new URL(address!)
        const login = { username: username || 'admin', password: password || 'admin' }
        return (await keycloak.token({ grant_type: 'password', client_id: 'admin-cli', ...login }, 'master'))
          .access_token
      },
    ],
    [
      'a token of a client without the scope of Kontor',
      async () => {
        await keycloak.createClient({ clientId: 'unscoped', publicClient: true, directAccessGrantsEnabled: true })
        const login = { grant_type: 'password', client_id: 'unscoped', username: 'kim', password }
        return (await keycloak.token(login)).access_token
      },
    ],
    [
      'a token of a client that is not in the settings',
      async () => {
        const client = { clientId: 'unlisted', publicClient: true, directAccessGrantsEnabled: true }
        await keycloak.createClient(client, 'kontor')
        const login = { grant_type: 'password', client_id: 'unlisted', username: 'kim', password }
        return (await keycloak.token(login)).access_token
      },
    ],
  ])('%s is refused', async (_, make) => {
    expect(await statusAt(url, (await make())!)).toBe(401)
  })

  test('tokens of a new key are accepted without a restart, and tokens of the old key still are', async () => {
    const { access_token: before } = await tokenOf(kim)
    await expectAccepted(before)
    await keycloak.rotateKeys()
    const { access_token: after } = await tokenOf(kim)
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid)
    await vi.waitFor(() => expectAccepted(after), { timeout: 90_000, interval: 1000 })
    await expectAccepted(before)
  })
})

/** Receives forms instead of Kontor. */
async function receiveForms() {
  const forms: string[] = []
  const server = createServer(async (request, reply) => {
    forms.push(Buffer.concat(await request.toArray()).toString())
    reply.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { forms, url: `http://127.0.0.1:${port}/`, stop: () => server.close() }
}
