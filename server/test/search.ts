/** Calls of the Search API for tests. */
import { expect, vi } from 'vitest'
import type { CallOptions, TestServer } from './server.ts'

export const search = '/api/v1/search'

type Json = Record<string, unknown>

export interface Item {
  id: number
  attributes?: { name: string; label: string; type: string; value: unknown }[]
  highlights?: { name: string; value: string[] }[]
}

export function searchCalls(api: TestServer) {
  const call = async (path: string, body: object, options?: CallOptions) => {
    const reply = await api.post(`${search}${path}`, body, options)
    expect(reply.status, reply.text).toBe(200)
    return reply.json
  }
  const find = (index: string, query?: object, more: Json = {}, options?: CallOptions) =>
    call('', { context: { searchType: 'INDEX', index }, ...(query && { query }), ...more }, options)
  const command = (index: string, name: string) => call('/index', { index, command: name }, { token: api.adminToken })
  /** Waits until an index has been built. */
  const built = async (index: string) => {
    const state = async () => (await command(index, 'STATE')).event
    await vi.waitFor(async () => expect(await state()).toMatch(/^(END|ERROR)$/), 150_000)
    expect(await state()).toBe('END')
  }
  return {
    call,
    find,
    /** A field of every hit, in order. */
    async found(index: string, query?: object, more: Json = {}, options?: CallOptions, name = 'tid') {
      const { items = [] } = await find(index, query, { resultAttributes: [name], pageSize: 1000, ...more }, options)
      return (items as Item[]).map(({ attributes }) => attributes?.[0]?.value)
    },
    wait: (index: string, ...documents: number[]) => call('/documents/wait', { index, documents, maxWait: 120_000 }),
    built,
    /** Rebuilds an index from the database and waits for its end. */
    async rebuild(index: string) {
      await command(index, 'REBUILD')
      await built(index)
    },
    refused: async (body: object, options?: CallOptions) => {
      const reply = await api.post(search, body, options)
      return [reply.status, reply.json.message]
    },
  }
}

export const fullText = (value: string) => ({ queryType: 'FULLTEXT', value })
export const field = (name: string, comparator: string, value?: unknown, more: Json = {}) => ({
  queryType: 'FIELD',
  name,
  comparator,
  ...(value !== undefined && { value }),
  ...more,
})
export const all = (...queries: object[]) => ({ queryType: 'COMBINED', operator: 'AND', queries })
export const any = (...queries: object[]) => ({ queryType: 'COMBINED', operator: 'OR', queries })
