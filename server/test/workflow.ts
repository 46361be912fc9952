/** Calls of workflows for tests, and a definition with a configuration of its own. */
import { expect, vi } from 'vitest'
import { sql } from '../src/adapters/postgres/sql.ts'
import type { CallOptions, TestServer } from './server.ts'

export const base = '/api/v1/workflow'

export interface Started {
  tid?: string
  status: 'success' | 'error'
  dataType: 'workflow'
  issues?: { code: string; description: string; content: string }[]
}
export interface Task {
  id: number
  processId: number
  name: string
  element: string
  item?: string
  state: string
  assignee?: string
  candidateRoles?: string[]
  form?: { key: string }[]
  [field: string]: unknown
}

export function workflowCalls(api: TestServer) {
  const post = async (path: string, body: object, options?: CallOptions) => {
    const reply = await api.post(`${base}/${path}`, body, options)
    expect(reply.status, reply.text).toBe(200)
    return reply.json
  }
  const get = async (path: string, options?: CallOptions) => {
    const reply = await api.get(`${base}/${path}`, options)
    expect(reply.status, reply.text).toBe(200)
    return reply.json
  }
  const admin = () => ({ token: api.adminToken })
  const start = (configIdentifier: string, requests: object[] = [{}], options?: CallOptions): Promise<Started[]> =>
    post('start', { configIdentifier, processStartRequests: requests }, options)
  const processOf = async (tid: string) =>
    (await api.db.row<{ id: number }>(sql`select id from workflow_process where tid = ${tid}`))!.id
  return {
    post,
    get,
    start,
    processOf,
    /** Starts a process and returns its id. */
    async startOne(configIdentifier: string, request: object = {}, options?: CallOptions): Promise<number> {
      const [reply] = await start(configIdentifier, [request], options)
      expect(reply).toEqual({ tid: expect.any(String), status: 'success', dataType: 'workflow' })
      return processOf(reply!.tid!)
    },
    deploy: (xml: string) => post('definitions/deploy', { xml }, admin()),
    configure: (configuration: object) => post('configurations/persist', configuration, admin()),
    /** Deploys a file and creates a configuration for it. */
    async define(identifier: string, xml: string, more: object = {}): Promise<string> {
      const { key } = await post('definitions/deploy', { xml }, admin())
      await post('configurations/persist', { identifier, definitionKey: key, ...more }, admin())
      return identifier
    },
    tasks: async (query: object = {}, options: CallOptions = admin()): Promise<Task[]> =>
      (await post('tasks/query', { scope: 'all', count: 1000, ...query }, options)).tasks ?? [],
    complete: (id: number, values: object = {}, options: CallOptions = admin()) =>
      post('tasks/complete', { tasks: [{ id, values }] }, options),
    details: (id: number) => get(`processes/${id}`, admin()),
    /** Waits for the open task of a process by the name of its element. */
    async task(processId: number, element: string, item?: string): Promise<Task> {
      let found: Task | undefined
      await vi.waitUntil(
        async () => {
          const open: Task[] =
            (await post('tasks/query', { scope: 'all', processIds: [processId] }, admin())).tasks ?? []
          found = open.find((task) => task.element === element && (item === undefined || task.item === item))
          return found
        },
        { timeout: 20_000, interval: 50 },
      )
      return found!
    },
    async ended(processId: number): Promise<{ state: string; doneElements: string[]; [field: string]: unknown }> {
      // oxlint-disable-next-line typescript/no-explicit-any
      let details: any
      await vi.waitUntil(
        async () => {
          details = await get(`processes/${processId}`, admin())
          return details.process.state !== 'running'
        },
        { timeout: 20_000, interval: 50 },
      )
      return { state: details.process.state, ...details }
    },
    inbox: async (token: string) =>
      (await api.get('/api/core/v1/common/messages?count=100', { token })).json.messages ?? [],
  }
}
