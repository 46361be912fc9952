import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startLocalServer } from '../test/local-server.ts'
import { clientTokens, fixedToken, offlineTokens, passwordTokens, signInOffline } from './tokens.ts'

// Only the clock that the SDK reads: HTTP needs real timers.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }))
afterEach(() => void vi.useRealTimers())

/** A token endpoint that numbers its tokens; access tokens expire after five minutes. */
const startProvider = () =>
  startLocalServer((_, count) => ({
    body: { access_token: `access-${count}`, expires_in: 300, refresh_token: `offline-${count}` },
  }))
const fieldsOf = ({ body }: { body: Buffer }) => Object.fromEntries(new URLSearchParams(body.toString()))

test('a fixed token is used as it is', async () => {
  expect(await fixedToken('mine')(true)).toBe('mine')
})

test('a password is exchanged for an access token at the realm of the provider', async () => {
  const { url, requests } = await startProvider()
  const provider = { baseUrl: url, realm: 'harbour', clientId: 'crane' }
  expect(await passwordTokens(provider, 'robin', 'quiet heron')(false)).toBe('access-1')
  expect(requests[0]!.path).toBe('/auth/realms/harbour/protocol/openid-connect/token')
  expect(fieldsOf(requests[0]!)).toEqual({
    client_id: 'crane',
    grant_type: 'password',
    username: 'robin',
    password: 'quiet heron',
    scope: 'openid',
  })
})

test('a client exchanges its id and secret, which are encoded', async () => {
  const { url, requests } = await startProvider()
  expect(await clientTokens({ baseUrl: url, clientId: 'erp:1' }, 'a/b')(false)).toBe('access-1')
  expect(requests[0]!.headers.authorization).toBe(`Basic ${btoa('erp%3A1:a%2Fb')}`)
  expect(fieldsOf(requests[0]!)).toEqual({ grant_type: 'client_credentials' })
})

describe('an access token', () => {
  test('is reused until 30 seconds before it expires, then replaced', async () => {
    const { url } = await startProvider()
    const tokens = passwordTokens({ baseUrl: url }, 'robin', 'secret')
    expect(await tokens(false)).toBe('access-1')
    vi.setSystemTime(269_999)
    expect(await tokens(false)).toBe('access-1')
    vi.setSystemTime(270_000)
    expect(await tokens(false)).toBe('access-2')
    expect(await tokens(false)).toBe('access-2')
  })

  test('is replaced before it expires when the server has rejected it', async () => {
    const { url } = await startProvider()
    const tokens = passwordTokens({ baseUrl: url }, 'robin', 'secret')
    await tokens(false)
    expect(await tokens(true)).toBe('access-2')
  })

  test('is requested once for all calls that need it at the same time', async () => {
    const { url, requests } = await startProvider()
    const tokens = passwordTokens({ baseUrl: url }, 'robin', 'secret')
    expect(await Promise.all([tokens(false), tokens(true), tokens(false)])).toEqual(['access-1', 'access-1', 'access-1']) // prettier-ignore
    expect(requests).toHaveLength(1)
  })

  test('is requested again by the next call when a request has failed', async () => {
    const { url } = await startLocalServer((_, count) =>
      count === 1
        ? { status: 401, body: { error_description: 'wrong password' } }
        : { body: { access_token: 'access', expires_in: 300 } },
    )
    const tokens = passwordTokens({ baseUrl: url }, 'robin', 'secret')
    await expect(tokens(false)).rejects.toMatchObject({ name: 'KontorError', status: 401, message: 'wrong password' })
    expect(await tokens(false)).toBe('access')
  })
})

describe('an offline token', () => {
  test('is obtained by signing in with a password', async () => {
    const { url, requests } = await startProvider()
    expect(await signInOffline({ baseUrl: url }, 'robin', 'secret')).toBe('offline-1')
    expect(fieldsOf(requests[0]!)).toMatchObject({ grant_type: 'password', scope: 'openid offline_access' })
  })

  test('is refused to a user who may not have one', async () => {
    const { url } = await startLocalServer(() => ({ body: { access_token: 'access', expires_in: 300 } }))
    await expect(signInOffline({ baseUrl: url }, 'robin', 'secret')).rejects.toMatchObject({ status: 403 })
  })

  test('is replaced with every exchange, and the caller stores the new one', async () => {
    const { url, requests } = await startProvider()
    const stored: string[] = []
    const tokens = offlineTokens({ baseUrl: url }, 'offline-0', async (token) => void stored.push(token))
    expect(await tokens(false)).toBe('access-1')
    expect(await tokens(true)).toBe('access-2')
    expect(requests.map((request) => fieldsOf(request).refresh_token)).toEqual(['offline-0', 'offline-1'])
    expect(stored).toEqual(['offline-1', 'offline-2'])
  })

  test('that stays the same is not stored again', async () => {
    const body = { access_token: 'access', expires_in: 300, refresh_token: 'offline' }
    const { url } = await startLocalServer(() => ({ body }))
    const store = vi.fn()
    await offlineTokens({ baseUrl: url }, 'offline', store)(false)
    expect(store).not.toHaveBeenCalled()
  })
})
