/** Changes of users, sessions, roles and keys, as triggers announce them to all processes. */
import type { Database } from '../adapters/postgres/db.ts'
import { listen } from '../adapters/postgres/listen.ts'

/** `topic` is `user`, `session`, `roles` or `keys`, or `missed` if announcements may have been lost. */
type Forget = (topic: string, id: string | undefined) => void

/** Calls `forget`, which drops cached entries, and then the listeners, which look again at what depends on them. */
export async function listenForChanges(db: Database, forget: Forget) {
  const listeners = new Set<() => void>()
  const changed = (topic = '', id?: string) => {
    forget(topic, id)
    for (const listener of listeners) listener()
  }
  const { stop } = await listen(db, 'kontor_identity', {
    received: (message) => changed(...message.split(' ')),
    missed: () => changed('missed'),
  })
  return { stop, onChange: (listener: () => void) => void listeners.add(listener) }
}
