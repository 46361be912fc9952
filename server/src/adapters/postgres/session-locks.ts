/**
 * Advisory locks that show which process does a piece of work. PostgreSQL releases them as soon as the process dies, so that
 * another one can take over within seconds. A process that is only slow keeps its locks, unlike with a lease in a table.
 *
 * They belong to one connection, which is opened by the first `take` and again after it broke. TCP keep-alive (`poolDefaults`)
 * lets the server notice a machine that has disappeared from the network.
 */
import { Client, type ClientConfig } from 'pg'

interface SessionLocks {
  /** Takes the locks that nobody holds, and returns their names. */
  take(names: readonly string[]): Promise<string[]>
  /** Whether the lock is still ours. All are lost when the connection breaks. */
  holds(name: string): boolean
  release(name: string): Promise<void>
  close(): Promise<void>
}

/** `space` separates the names of one kind of work from those of others. */
export function createSessionLocks(config: ClientConfig, space: number): SessionLocks {
  const held = new Set<string>()
  let connected: Promise<Client> | undefined
  const connect = async () => {
    const client = new Client(config)
    const lost = () => {
      connected = undefined
      held.clear()
    }
    client.on('error', () => {}).once('end', lost) // an error is followed by the end
    await client.connect().catch((error: unknown) => {
      lost()
      throw error
    })
    return client
  }
  return {
    async take(names) {
      const free = names.filter((name) => !held.has(name)) // a session could take its own lock again
      if (free.length === 0) return []
      const client = await (connected ??= connect())
      const { rows } = await client.query<{ name: string }>(
        'select name from unnest($1::text[]) as name where pg_try_advisory_lock(hashtextextended(name, $2))',
        [free, space],
      )
      for (const { name } of rows) held.add(name)
      return rows.map(({ name }) => name)
    },
    holds: (name) => held.has(name),
    async release(name) {
      if (!held.delete(name)) return
      const client = await connected
      // A failure means that the connection is gone, and the lock with it.
      await client?.query('select pg_advisory_unlock(hashtextextended($1, $2))', [name, space]).catch(() => {})
    },
    async close() {
      const client = await connected?.catch(() => undefined)
      await client?.end().catch(() => {})
    },
  }
}
