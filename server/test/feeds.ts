/** Calls of the feeds interface. */
import { expect, vi } from 'vitest'
import type { CallOptions, TestServer } from './server.ts'

export const feedsAt = '/api/v1/feeds'

export interface Run {
  readonly id: number
  readonly state: string
  readonly problem?: string
  readonly file?: string
  readonly items?: number
  readonly [name: string]: unknown
}

export function feedCalls(api: TestServer) {
  const put = (name: string, feed: object, options: CallOptions = {}) =>
    api.post(`${feedsAt}/${name}`, feed, { method: 'PUT', ...options })
  const get = async (name: string, options: CallOptions = {}) => (await api.get(`${feedsAt}/${name}`, options)).json
  const runsOf = async (name: string, options: CallOptions = {}): Promise<Run[]> =>
    (await api.get(`${feedsAt}/${name}/runs`, options)).json.runs ?? []
  /** Waits until a run is in one of the states. */
  const until = (name: string, id: number, states: readonly string[], options: CallOptions = {}): Promise<Run> =>
    vi.waitFor(
      async () => {
        const run = (await runsOf(name, options)).find((one) => one.id === id)
        expect(states, JSON.stringify(run)).toContain(run?.state)
        return run!
      },
      { timeout: 60_000, interval: 50 },
    )
  return {
    put,
    get,
    runsOf,
    until,
    /** Creates or replaces a feed that has to be accepted. */
    async store(name: string, feed: object, options: CallOptions = {}) {
      const reply = await put(name, feed, options)
      expect(reply.status, reply.text).toBe(200)
      return reply.json
    },
    /** Runs a feed and waits for the end of the run. */
    async run(name: string, options: CallOptions = {}): Promise<Run> {
      const reply = await api.post(`${feedsAt}/${name}/run`, undefined, options)
      expect(reply.status, reply.text).toBe(200)
      return until(name, reply.json.id, ['finished', 'failed', 'held'], options)
    },
    decide: (name: string, run: number, decision: string, options: CallOptions = {}) =>
      api.post(`${feedsAt}/${name}/runs/${run}/${decision}`, undefined, options),
  }
}
