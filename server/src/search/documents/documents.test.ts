import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Running } from '../feed/service.ts'
import { waitForDocuments } from './documents.ts'

test('a wait that timed out stops polling, even while the index is still being built', async () => {
  const isComplete = vi.fn(async () => false)
  const running = { feed: () => ({}), isComplete } as unknown as Running
  const sent = { index: 'PRODUCT' as const, documents: [1], maxWait: 100 }
  await expect(waitForDocuments({} as Db, running, sent)).rejects.toThrow('could not be found in time')
  const asked = isComplete.mock.calls.length
  await pause(200)
  expect(isComplete.mock.calls.length - asked).toBeLessThanOrEqual(1)
})
