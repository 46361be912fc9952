/** Reads of the event feed. */
import { expect, vi } from 'vitest'
import type { Database } from '../src/adapters/postgres/db.ts'
import { sql } from '../src/adapters/postgres/sql.ts'
import type { TestServer } from './server.ts'

const eventsAt = '/api/v1/events'

/** Waits until the feed has every change: that is when no older transaction runs in any database of the server. */
export const untilReleased = (db: Database) =>
  vi.waitUntil(
    async () => {
      const row = sql`select coalesce(max(xid) < pg_snapshot_xmin(pg_current_snapshot()), true) as released from outbox`
      return (await db.row<{ released: boolean }>(row))!.released
    },
    { timeout: 30_000 },
  )

// oxlint-disable-next-line typescript/no-explicit-any -- a test knows what it requested
export async function readEvents<E = any>(api: TestServer, query = '', token = api.token) {
  await untilReleased(api.db)
  const { status, json, text } = await api.get(`${eventsAt}?${query}`, { token })
  expect(status, text).toBe(200)
  return { events: (json.events ?? []) as E[], position: json.position as string }
}
