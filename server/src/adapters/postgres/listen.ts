/**
 * Receives notifications of other processes (LISTEN/NOTIFY) on a connection outside of the pool.
 *
 * Notifications are lost while the connection is down. `missed` is called when it is back, so that callers can drop what
 * they have cached. Nothing may rely on notifications alone.
 */
import { Client } from 'pg'
import type { Database } from './db.ts'

interface Listener {
  stop(): Promise<void>
}

const pause = 500

export async function listen(
  { pool }: Database,
  channel: 'kontor_identity' | 'kontor_search' | 'outbox',
  on: { received(message: string): void; missed(): void },
): Promise<Listener> {
  let stopped = false
  let client: Client | undefined
  let retry: NodeJS.Timeout | undefined

  const open = async () => {
    const next = new Client(pool.options)
    client = next
    next.on('notification', ({ payload = '' }) => on.received(payload))
    next.on('error', () => {}) // 'end' follows
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
    } catch (error) {
      void next.end()
      throw error
    }
    // Only now: a failed connect has thrown already, and must not schedule a second retry.
    next.on('end', again)
  }
  const again = () => {
    if (!stopped) retry = setTimeout(() => void open().then(on.missed, again), pause).unref()
  }

  await open()
  return {
    async stop() {
      stopped = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
