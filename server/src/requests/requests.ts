/**
 * The recent requests of each user, for the user to read: GET /requests.
 *
 * They are kept in memory because nothing depends on them: the last hundred requests of each recently used sign-in or token, so
 * that a busy one does not displace another. With several processes each has its own.
 */
import { requests as contract } from '@kontor/contract'
import type { Caller } from '../core/context.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import type { Ended } from '../operations/requests.ts'

const perSession = 100
const sessions = 400
const longestPath = 300

interface Entry {
  readonly at: string
  readonly method: string
  readonly path: string
  readonly status: string
  readonly milliseconds: number
  readonly client?: string
  readonly session?: string
  readonly address: string
  readonly supportId: string
}

export function createRequestLog() {
  /** By user and session; the most recently used is last. */
  const bySession = new Map<string, Entry[]>()
  const routes: RouteHandlers<typeof contract.routes> = {
    async listRequests(_, { caller: { userId, sessionId }, query: { session } }) {
      const own = [...bySession].flatMap(([key, entries]) => (key.startsWith(`${userId} `) ? entries : []))
      const found = own.filter((entry) => session === undefined || entry.session === session)
      const newestFirst = found.toSorted((a, b) => (a.at < b.at ? 1 : -1))
      return {
        requests: newestFirst.map((entry) => ({ ...entry, current: entry.session === sessionId })),
      }
    },
  }
  return {
    area: { contract, resources: {}, routes },
    /** Records a finished request if its user is known. A visitor of a public address is not the user whose rights it has. */
    note(ended: Ended): void {
      const { caller, routeOptions } = ended.request
      if (!caller || routeOptions.url === contract.base || routeOptions.config.access === 'public') return
      const key = `${caller.userId} ${caller.sessionId ?? ''}`
      const entries = bySession.get(key) ?? []
      if (entries.push(toEntry(caller, ended)) > perSession) entries.shift()
      bySession.delete(key)
      bySession.set(key, entries)
      if (bySession.size > sessions) bySession.delete(bySession.keys().next().value!)
    },
  }
}

function toEntry(caller: Caller, { request: { id, method, url, ip }, status, ms }: Ended): Entry {
  return {
    at: new Date(Date.now() - ms).toISOString(),
    method,
    path: url.split('?', 1)[0]!.slice(0, longestPath),
    status: String(status),
    milliseconds: Math.round(ms),
    ...(caller.clientId !== undefined && { client: caller.clientId }),
    ...(caller.sessionId !== undefined && { session: caller.sessionId }),
    address: ip,
    supportId: id,
  }
}
