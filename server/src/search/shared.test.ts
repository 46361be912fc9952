/** Two processes that share the indexes of an OpenSearch node: one feeds, the other searches and takes over. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createModel, productCalls } from '../../test/catalogue.ts'
import { openSearchAddress, removeIndexes } from '../../test/opensearch.ts'
import { fullText, searchCalls } from '../../test/search.ts'
import { type CallOptions, type TestServer, withServer } from '../../test/server.ts'
import { connect } from '../adapters/postgres/db.ts'
import { createApp } from '../app.ts'

const address = openSearchAddress()
const KONTOR_SEARCH = `${address ?? 'http://localhost'}/test-${randomUUID()}`

describe.skipIf(!address)('two processes that share the indexes', () => {
  const api = withServer({ KONTOR_SEARCH })

  /** A second application with connections of its own. */
  async function startOther() {
    const db = connect({ ...api.db.pool.options, max: 5 })
    const app = await createApp(db, api.config, { log: { write: () => {} } })
    const post = async (url: string, body: unknown, { token = api.token }: CallOptions = {}) => {
      const payload = JSON.stringify(body)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const reply = await app.http.inject({ method: 'POST', url, headers, payload })
      return { status: reply.statusCode, text: reply.body, json: reply.body === '' ? undefined : reply.json() }
    }
    const stop = async () => {
      await app.http.close()
      await db.close()
    }
    return { server: { ...api, app, post } as unknown as TestServer, stop }
  }

  test('find the same, wait exactly, rebuild, and go on when the feeding one ends', async () => {
    await createModel(api)
    const product = (tid: string, name: string) => ({ tid, name, node: '/Standard/Jackets' })
    const [storm] = await productCalls(api).persist(product('P1', 'Storm jacket'))
    await searchCalls(api).wait('PRODUCT', storm!.id)

    const { server, stop } = await startOther()
    const other = searchCalls(server)
    expect(await other.found('PRODUCT', fullText('storm'))).toEqual(['P1'])
    for (const [i, name] of ['Rain', 'Snow', 'Wind', 'Hail'].entries()) {
      const [changed] = await productCalls(i % 2 ? api : server).persist(product(`Q${i}`, `${name} jacket`))
      await other.wait('PRODUCT', changed!.id)
      expect(await other.found('PRODUCT', fullText(name))).toEqual([`Q${i}`])
    }
    await other.rebuild('PRODUCT')
    expect(await other.found('PRODUCT', fullText('snow'))).toEqual(['Q1'])

    await api.app.http.close()
    const [late] = await productCalls(server).persist(product('P9', 'Fog jacket'))
    await other.wait('PRODUCT', late!.id)
    expect(await other.found('PRODUCT', fullText('fog'))).toEqual(['P9'])
    expect((await other.find('PRODUCT', fullText('jacket'))).totalHitCount).toBe(6)
    await stop()
    await removeIndexes(KONTOR_SEARCH)
  })
})
