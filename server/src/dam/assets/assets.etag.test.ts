/** ETag and If-Match of single assets: a concurrent change is detected instead of overwritten. */
import { encode, formats, Pim } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { damCalls } from '../../../test/dam.ts'
import { dam, upload } from '../../../test/files.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { createPath, addAssets, call, performAssets, persistAssets } = damCalls(api)
beforeAll(() => createPath('/MAM/tags'))

let number = 0
const newTid = async () => (await addAssets('/MAM/tags', `${number++}.jpg`))[0]!.tid
const retrieve = (tids: string[], accept = 'application/json') =>
  api.post(`${dam}/assets/retrieve`, { tids }, { accept })
const etagOf = async (tid: string, accept?: string) => (await retrieve([tid], accept)).headers['etag'] as string

describe.each(Object.values(formats))('in $contentType', (format) => {
  const persist = (match: string, ...asset: object[]) => {
    const body = encode(format, Pim, { schemaVersion: '5.6.0', assets: { asset } })
    const { contentType: type } = format
    return api.post(`${dam}/assets/persist`, body, { type, accept: type, headers: { 'if-match': match } })
  }

  test('a concurrent change is not overwritten', async () => {
    const tid = await newTid()
    const seen = await etagOf(tid, format.contentType)
    expect(seen).toMatch(/^"\d+-[\w-]{22}"$/)
    expect((await persist(seen, { tid, name: `${tid} one.jpg` })).status).toBe(200)
    const refused = await persist(seen, { tid, name: `${tid} two.jpg` })
    expect(refused.status).toBe(412)
    expect(refused.text).toContain('retrieve it again')
    expect((await retrieve([tid])).json.assets.asset[0].name).toBe(`${tid} one.jpg`)
    const now = await etagOf(tid, format.contentType)
    expect((await persist(`"other", ${now}`, { tid, name: `${tid} two.jpg` })).status).toBe(200)
  })

  test('* matches any existing asset and no missing one; If-Match needs a single asset', async () => {
    const tid = await newTid()
    expect((await persist('*', { tid, name: `${tid}.jpg` })).status).toBe(200)
    expect((await persist('*', { tid: 'NONE', name: 'none.jpg' })).status).toBe(412)
    expect((await persist('*', { tid }, { tid: await newTid() })).status).toBe(400)
  })
})

test('the ETag is the same in every format and is returned only for a single asset', async () => {
  const tid = await newTid()
  const etags = await Promise.all(Object.values(formats).map(({ contentType }) => etagOf(tid, contentType)))
  expect(new Set(etags).size).toBe(1)
  expect((await retrieve([tid, await newTid()])).headers['etag']).toBeUndefined()
  expect((await retrieve([tid, 'NONE'])).headers['etag']).toBeUndefined()
})

describe('the ETag changes', () => {
  const changes: [string, (tid: string) => Promise<unknown>][] = [
    [
      'a value',
      (tid) => persistAssets({ tid, vals: { val: [{ attr: 'TAKEN_AT', itm: [{ value: '2024-03-05T08:00:00Z' }] }] } }),
    ],
    ['meta', (tid) => persistAssets({ tid, meta: { itm: [{ key: 'shelf', value: '7' }] } })],
    ['a keyword', (tid) => linkKeyword(tid)],
    ['another file', (tid) => upload(api, { tid }, 'other bytes', { to: '/assets/versions/bin/persist' })],
    ['another place', (tid) => performAssets({ type: 'move', tid, ...to('/MAM/tags/deeper') })],
  ]
  const to = (value: string) => ({ meta: { itm: [{ key: 'destinationDirPath', value }] } })
  const linkKeyword = async (tid: string) => {
    await api.post('/api/core/v1/common/keywords/persist', {
      schemaVersion: '5.6.0',
      kwds: { kwd: [{ name: { itm: [{ value: 'Sea' }] } }] },
    })
    const itms = [{ type: 'kwds', itm: [{ value: '/Sea' }] }]
    return persistAssets({ tid, links: { itms } })
  }

  test.each(changes)('with %s', async (_what, change) => {
    await createPath('/MAM/tags/deeper')
    const tid = await newTid()
    const before = await etagOf(tid)
    await change(tid)
    expect(await etagOf(tid)).not.toBe(before)
  })

  test('but not with a lock or a request that changes nothing', async () => {
    const tid = await newTid()
    const before = await etagOf(tid)
    await performAssets({ type: 'checkout', tid })
    await call('assets/persist', { assets: { asset: [{ tid }] } })
    expect(await etagOf(tid)).toBe(before)
  })
})

test('of many requests with the same ETag only one succeeds', async () => {
  const tid = await newTid()
  const match = await etagOf(tid)
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      api.post(
        `${dam}/assets/persist`,
        { schemaVersion: '5.6.0', assets: { asset: [{ tid, name: `${tid} ${i}.jpg` }] } },
        { headers: { 'if-match': match } },
      ),
    ),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412, 412, 412, 412])
})
