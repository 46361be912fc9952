/** The keys of an external provider: rotated, withdrawn, and while the provider is away. */
import { errors, jwtVerify } from 'jose'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeProvider, startFakeProvider } from '../../../test/fake-openid-provider.ts'
import { Problem } from '../../errors.ts'
import { createExternalKeys } from './external-keys.ts'

let provider: FakeProvider
let keys: ReturnType<typeof createExternalKeys>
beforeEach(async () => {
  provider = await startFakeProvider()
  keys = createExternalKeys(provider.issuer)
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await provider.stop()
})

const verify = (token: string) => jwtVerify(token, keys)
const signed = () => provider.sign({ sub: 'kim' })
const seconds = 1000
const minutes = 60 * seconds

test('a token of a new key is accepted after one fetch, and a token of the old key is still', async () => {
  const old = await signed()
  await verify(old)
  await provider.rotate()
  const token = await signed()
  vi.advanceTimersByTime(31 * seconds)
  await verify(token)
  await verify(old)
  expect(provider.keyFetches()).toBe(2)
})

test('unknown keys cause at most two fetches a minute', async () => {
  await verify(await signed())
  for (let i = 0; i < 120; i++) {
    await expect(verify(await provider.sign({}, { kid: `unknown ${i}` }))).rejects.toThrow(errors.JWKSNoMatchingKey)
    vi.advanceTimersByTime(500)
  }
  expect(provider.keyFetches()).toBeLessThanOrEqual(3)
})

test('a withdrawn key is refused soon after the ten minutes for which keys are used', async () => {
  const token = await signed()
  await verify(token)
  await provider.rotate(true)
  await verify(token)
  vi.advanceTimersByTime(11 * minutes)
  await vi.waitFor(() => expect(verify(token)).rejects.toThrow(errors.JWKSNoMatchingKey))
})

test('while the provider is away, tokens of known keys are accepted for as long as they are valid', async () => {
  const token = await signed()
  await verify(token)
  await provider.stop()
  for (let hour = 0; hour < 24; hour++) {
    vi.advanceTimersByTime(60 * minutes)
    await verify(token)
  }
  await expect(verify(await provider.sign({}, { kid: 'unknown' }))).rejects.toThrow(errors.JWKSTimeout)
})

test('a provider that answers with an error counts as away, and is asked again after five seconds', async () => {
  await verify(await signed())
  await provider.rotate()
  const token = await signed()
  vi.advanceTimersByTime(31 * seconds)
  provider.answer(502)
  const fetched = provider.keyFetches()
  for (let i = 0; i < 20; i++) await expect(verify(token)).rejects.toThrow(errors.JWKSTimeout)
  expect(provider.keyFetches() - fetched).toBe(1)
  provider.answer(200)
  vi.advanceTimersByTime(5 * seconds)
  await verify(token)
})

test('a provider that is away at first is found later', async () => {
  const token = await signed()
  await provider.stop()
  for (let i = 0; i < 3; i++) await expect(verify(token)).rejects.toThrow(Problem)
  await provider.start()
  await expect(verify(token)).rejects.toThrow(Problem)
  vi.advanceTimersByTime(5 * seconds)
  await verify(token)
})
