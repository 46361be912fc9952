/** The last failures of this process, for administrators. The log has them all, with their stacks. */
import type { Infer, SystemError } from '@kontor/contract'
import type { Ended } from '../operations/requests.ts'

type Entry = Infer<typeof SystemError>
const most = 50
const longest = 500

export interface LastErrors {
  /** Newest first. */
  list(): Entry[]
  /** Notes a call that failed because of the server. */
  note(ended: Ended): void
  noteJob(error: unknown, supportId: string): void
}

export function createLastErrors(): LastErrors {
  const entries: Entry[] = []
  const add = (entry: Omit<Entry, 'at'>) => {
    entries.unshift({ at: new Date().toISOString(), ...entry })
    entries.length = Math.min(entries.length, most)
  }
  return {
    list: () => [...entries],
    note({ request: { method, url, routeOptions, id, caller, fault }, status }) {
      if (fault === null) return
      // public addresses contain secrets
      const path = routeOptions.config?.access === 'public' ? (routeOptions.url ?? '') : url.split('?', 1)[0]!
      const call = `${method} ${path}`.slice(0, longest)
      const user = caller?.userName
      add({ call, ...(user && { user }), status: String(status), problem: fault.slice(0, longest), supportId: id })
    },
    noteJob: (error, supportId) =>
      add({ problem: String((error as Error).message ?? error).slice(0, longest), supportId }),
  }
}
