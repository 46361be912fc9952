/** A burst of sign-ins: surplus attempts get 429, and other requests are still served. */
import { request } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { password, withIdentity } from '../../../test/identity.ts'
import { requestToken, signIn } from '../../../test/token.ts'

/** At the real cost of hashing, because cheap hashes would not fill the queue. A lock is remembered for the whole test. */
const kontor = withIdentity({ passwordWorker: undefined, cacheMillis: 600_000 })
beforeAll(async () => void (await kontor.identity.users.create({ name: 'quinn', password })))

const attempt = (i: number) => signIn(kontor.issuer, `guess-${i}`, 'wrong')

// First, because the failed attempts of the tests below lock this address.
test('surplus requests at the token endpoint get 429 with Retry-After instead of waiting in a long queue', async () => {
  const requests = Array.from({ length: 40 }, () => signIn(kontor.issuer, 'quinn', password))
  const replies = await Promise.all(requests)
  const refused = replies.filter(({ status }) => status === 429)
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(17)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]!.headers.get('retry-after')).toBe('5')
  expect(refused[0]!.body).toMatchObject({ error: 'temporarily_unavailable' })
})

test('most of 200 concurrent attempts get 429 without a query, while tokens can still be refreshed', async () => {
  const { body } = await signIn(kontor.issuer, 'quinn', password)
  kontor.statements.length = 0
  const attack = Array.from({ length: 200 }, (_, i) => attempt(i))
  const refreshed = await requestToken(kontor.issuer, {
    grant_type: 'refresh_token',
    refresh_token: body.refresh_token!,
  })
  expect(refreshed.status).toBe(200)
  const replies = await Promise.all(attack)
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(100)
  expect(refused[0]!.headers.get('retry-after')).toBe('5')
  expect(refused[0]!.body).toMatchObject({ error: 'temporarily_unavailable' })
  expect(replies.length - refused.length).toBeGreaterThan(0)
  // Refused attempts ask the database nothing: only judged ones look for locks and for the user. Two are judged at a time,
  // so that two may still find the lock that the thirtieth failure sets.
  const judged = replies.filter(({ status }) => status === 401).length
  const sent = (part: string) => kontor.statements.filter((text) => text.includes(part)).length
  expect(sent('password_hash as hash')).toBe(judged)
  expect(sent('select kind from sign_in_failure')).toBeLessThanOrEqual(judged + 2)
})

test('a chunked body reaches the provider complete, even while attempts are throttled', async () => {
  const burst = Array.from({ length: 40 }, (_, i) => attempt(1000 + i))
  await new Promise((resolve) => setTimeout(resolve, 20))
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' }
    const call = request(`${kontor.issuer}/protocol/openid-connect/token`, { method: 'POST', headers }, (reply) => {
      let all = ''
      reply.on('data', (part: Buffer) => (all += part.toString()))
      reply.on('end', () => resolve(all))
    })
    call.on('error', reject)
    call.write('client_id=kontor-ui&grant_')
    setTimeout(() => call.end('type=refresh_token&refresh_token=x'), 30)
  })
  expect(JSON.parse(text)).toMatchObject({ error: 'invalid_grant' })
  await Promise.all(burst)
})
