import { expect, test } from 'vitest'
import { startLocalServer } from '../test/local-server.ts'
import { eventFeed } from './events.ts'
import { fixedToken } from './tokens.ts'
import { createTransport } from './transport.ts'

const feedOf = (baseUrl: string) =>
  eventFeed(createTransport({ baseUrl, tokens: fixedToken('a-token') }, () => Promise.resolve()))
const page = (position: string, ...ids: string[]) => ({ body: { position, events: ids.map((id) => ({ id })) } })
const queryOf = ({ path }: { path: string }) => Object.fromEntries(new URL(path, 'http://localhost').searchParams)

/** The ids of the first events. */
async function take(count: number, feed: AsyncIterable<{ id?: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of feed) if (ids.push(id!) === count) break
  return ids
}

test('events of several pages arrive in order, each request continuing at the position of the last page', async () => {
  const { url, requests } = await startLocalServer((_, count) => page(`p${count}`, `${count}a`, `${count}b`))
  expect(await take(5, feedOf(url).follow({ after: 'p0' }))).toEqual(['1a', '1b', '2a', '2b', '3a'])
  expect(requests.map((request) => queryOf(request).after)).toEqual(['p0', 'p1', 'p2'])
})

test('a page without events moves the position too', async () => {
  const { url, requests } = await startLocalServer((_, count) => (count === 1 ? page('p1') : page('p2', 'first')))
  expect(await take(1, feedOf(url).follow())).toEqual(['first'])
  expect(requests.map((request) => queryOf(request).after)).toEqual([undefined, 'p1'])
})

test('a broken connection is opened again at the same position: no event is lost or repeated', async () => {
  const { url, requests } = await startLocalServer((request, count) => {
    if (count === 2 || count === 3) return 'lost'
    return queryOf(request).after === 'p1' ? page('p2', 'second') : page('p1', 'first')
  })
  expect(await take(2, feedOf(url).follow())).toEqual(['first', 'second'])
  expect(requests.map((request) => queryOf(request).after)).toEqual([undefined, 'p1', 'p1', 'p1'])
})

test('only events of the requested types are asked for, by long polling', async () => {
  const { url, requests } = await startLocalServer(() => page('p1', 'first'))
  await take(1, feedOf(url).follow({ types: ['kontor.product.*', 'kontor.asset.created'] }))
  expect(queryOf(requests[0]!)).toEqual({ wait: '25', types: 'kontor.product.*,kontor.asset.created' })
})

test('an aborted feed ends after the page it has read', async () => {
  const { url, requests } = await startLocalServer((_, count) => page(`p${count}`, `${count}a`, `${count}b`))
  const abort = new AbortController()
  const ids: string[] = []
  for await (const { id } of feedOf(url).follow({ signal: abort.signal })) {
    ids.push(id!)
    abort.abort()
  }
  expect(ids).toEqual(['1a', '1b'])
  expect(requests).toHaveLength(1)
})
