/** Calls of the transfers interface, for tests that import files. */
import { expect, vi } from 'vitest'
import type { TestServer } from './server.ts'

export function transferCalls(api: TestServer) {
  const at = '/api/v1/transfers'
  const send = (bytes: Buffer | string, query: string) =>
    api.post(`${at}/imports?${query}`, bytes, { type: 'application/octet-stream' })
  const ended = (id: string) =>
    vi.waitFor(
      async () => {
        const { json } = await api.get(`${at}/${id}`)
        expect(['finished', 'failed']).toContain(json.state)
        return json
      },
      { timeout: 60_000, interval: 50 },
    )
  return {
    send,
    /** Imports a file and returns the transfer at its end, finished or failed. */
    async run(bytes: Buffer | string, query = 'name=x.csv') {
      const { status, text, json } = await send(bytes, query)
      expect(status, text).toBe(200)
      expect((await api.post(`${at}/${json.id}/start`)).status).toBe(200)
      return ended(json.id)
    },
    rowsOf: async (id: string) => (await api.get(`${at}/${id}/rows`)).json.rows,
    resultOf: async (id: string) => (await api.get(`${at}/${id}/result`)).text,
    previewOf: async (id: string) => (await api.get(`${at}/${id}/preview`)).json,
    /** The file of an export, or of its failure the reason. */
    async exported(body: object): Promise<Buffer> {
      const { json, text } = await api.post(`${at}/exports`, body)
      const { state, problem } = await ended(json.id ?? text)
      expect(state, problem).toBe('finished')
      const headers = { authorization: `Bearer ${api.token}` }
      return (await api.app.http.inject({ url: `${at}/${json.id}/file`, headers })).rawPayload
    },
  }
}
