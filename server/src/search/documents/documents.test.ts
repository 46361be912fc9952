import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Searching } from '../query/search.ts'
import { waitForDocuments } from './documents.ts'

test('a wait that timed out stops polling, even while the index is still being built', async () => {
  const isComplete = vi.fn(async () => false)
  const feed = () => ({ index: { missingIds: async (ids: number[]) => ids } })
  const searching = { running: { feed, isComplete } } as unknown as Searching
  const sent = { index: 'PRODUCT' as const, documents: [1], maxWait: 100 }
  await expect(waitForDocuments(searching, sent, new AbortController().signal)).rejects.toThrow(
    'could not be found in time',
  )
  const asked = isComplete.mock.calls.length
  await pause(200)
  expect(isComplete.mock.calls.length - asked).toBeLessThanOrEqual(1)
})

test('a wait ends when the server stops, and the caller is asked to try again', async () => {
  const searching = { running: { feed: () => ({}), isComplete: async () => false } } as unknown as Searching
  const closing = new AbortController()
  const sent = { index: 'PRODUCT' as const, documents: [1], maxWait: 120_000 }
  const waiting = waitForDocuments(searching, sent, closing.signal)
  closing.abort()
  await expect(waiting).rejects.toMatchObject({ kind: 'unavailable', message: 'the server is stopping; try again' })
})
