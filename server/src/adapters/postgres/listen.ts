/**
 * Hearing what other processes tell (LISTEN/NOTIFY), on a connection of its own beside the pool.
 *
 * What is said while the connection is down is lost. `missed` is called when it is back, so that whoever remembers
 * something forgets it then; nothing may rely on being told alone.
 */
import { Client } from 'pg'
import type { Database } from './db.ts'

export interface Listener {
  stop(): Promise<void>
}

const pause = 500

export async function listen(
  { pool }: Database,
  channel: 'kontor_identity' | 'outbox',
  on: { heard(message: string): void; missed(): void },
): Promise<Listener> {
  let stopped = false
  let client: Client | undefined
  let retry: NodeJS.Timeout | undefined

  const open = async () => {
    const next = new Client(pool.options)
    client = next
    next.on('notification', ({ payload = '' }) => on.heard(payload))
    next.on('error', () => {}) // the end follows
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
    } catch (error) {
      void next.end()
      throw error
    }
    next.on('end', again) // not before: one that never came about is told by the error, and must not begin two others
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
