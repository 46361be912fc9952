/**
 * What each user asked lately, for themselves to read: GET /requests.
 *
 * Kept in the memory of the process, because nothing depends on it: the last hundred requests with each of the sign-ins
 * and tokens that were used last, so that a busy one does not push out what another did. Where several processes answer,
 * each knows its own.
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
  readonly client: string | undefined
  readonly session: string | undefined
  readonly address: string | undefined
  readonly supportId: string
}

export function createRequestLog() {
  /** By user and session; the one used last is last. */
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
    /** Takes down a request that is over, if it is known whose it was. */
    note(ended: Ended): void {
      const { caller, routeOptions } = ended.request
      if (!caller || routeOptions.url === contract.base) return
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
    client: caller.clientId,
    session: caller.sessionId,
    address: ip,
    supportId: id,
  }
}
