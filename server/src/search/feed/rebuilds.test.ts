/** Rebuilds that fail. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '../../adapters/postgres/db.ts'
import type { Feed } from './feed.ts'
import { createRebuilds } from './rebuilds.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const down = () => Promise.reject(new Error('no connection'))
const database = { row: down } as unknown as Database
const feedIn = (state: () => string) =>
  ({ record: () => ({ since() {}, end() {} }), index: { status: () => ({ state: state() }) } }) as unknown as Feed

test('a failed rebuild is retried with back-off until the index is built', async () => {
  let state = 'missing'
  const failed = vi.fn()
  const rebuilds = createRebuilds({ database, planOf: down, failed })
  const failures = async (seconds: number) => {
    await vi.advanceTimersByTimeAsync(seconds * 1000)
    return failed.mock.calls.length
  }
  rebuilds.start(
    'PRODUCT',
    feedIn(() => state),
  )
  expect(await failures(0)).toBe(1)
  expect([rebuilds.isRunning('PRODUCT'), rebuilds.progress('PRODUCT').event]).toEqual([false, 'ERROR'])
  expect([await failures(9), await failures(1), await failures(19), await failures(1)]).toEqual([1, 2, 2, 3])
  expect(await failures(3600)).toBeGreaterThan(8)
  state = 'ready'
  const before = await failures(0)
  expect(await failures(3600)).toBe(before)
})

test('nothing is retried after stop', async () => {
  const failed = vi.fn()
  const rebuilds = createRebuilds({ database, planOf: down, failed })
  rebuilds.start(
    'PRODUCT',
    feedIn(() => 'missing'),
  )
  await vi.advanceTimersByTimeAsync(0)
  await rebuilds.stop()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(failed).toHaveBeenCalledTimes(1)
})
