/** Renditions of several files: zips of a selection, and pictures in exports. */
import sharp from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createModel, jacket, productCalls } from '../../../test/catalogue.ts'
import { dam, makeDirs, picture, recordOf, unzip, upload } from '../../../test/files.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { persist } = productCalls(api)

beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
  await makeDirs(api, '/MAM/boats')
  for (const [path, bytes, tid] of [
    ['bow.jpg', await picture(300, 200), 'bow'],
    ['bow.png', await sharp(await picture(310, 200)).png().toBuffer(), 'bow2'], // prettier-ignore
    ['note.txt', Buffer.from('a note'), 'note'],
    ['broken.jpg', Buffer.concat([(await picture(200, 200)).subarray(0, 300), Buffer.alloc(100)]), 'broken'],
  ] as const)
    expect(recordOf(await upload(api, { path: `/MAM/boats/${path}`, tid }, bytes)).status).toBe('SUCCESS')
  const profile = { width: 100, format: 'webp', fileName: 'shop-{name}' }
  await api.post(`${dam}/renditions/profiles/web`, profile, { method: 'PUT', token: api.adminToken })
  const links = (...tids: string[]) => ({
    links: { itms: [{ type: 'assetToProduct', itms: [{ itm: tids.map((value) => ({ key: 'assetTid', value })) }] }] },
  })
  await persist(jacket('P1', links('bow', 'bow2', 'note')), jacket('P2', links('broken')))
})

describe('a download', () => {
  const retrieve = (body: object) =>
    api.app.http.inject({
      method: 'POST',
      url: `${dam}/assets/bin/retrieve`,
      headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })

  test('of several files by a profile is a zip with the names of the profile, and says what it lacks', async () => {
    const reply = await retrieve({ tids: ['bow', 'bow2', 'note'], profile: 'web' })
    expect(reply.headers['content-disposition']).toContain('web.zip')
    const files = await unzip(reply.rawPayload)
    expect(Object.keys(files)).toEqual(['shop-bow.webp', 'shop-bow-2.webp', 'not-included.txt'])
    expect(await sharp(files['shop-bow-2.webp']!).metadata()).toMatchObject({ format: 'webp', width: 100 })
    expect(files['not-included.txt']!.toString()).toMatch(/^\/MAM\/boats\/note\.txt: no rendition of this file/)
  })

  test('of one file by a profile is the rendition itself', async () => {
    const reply = await retrieve({ tids: ['bow'], profile: 'web' })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(reply.headers['content-disposition']).toContain('shop-bow.webp')
  })

  test.each([
    [{ tids: ['bow', 'bow2'], profile: 'none' }, 404, 'no rendition profile has the tid none'],
    [{ tids: ['no', 'none'], profile: 'web' }, 404, 'no asset'],
    [{ tids: ['bow'], profile: 'web', formats: ['preview'] }, 400, '/assetRequest/formats'],
    [{ tids: ['note'], profile: 'web' }, 400, 'no rendition of this file'],
  ])('of %j is refused with %s', async (body, status, reason) => {
    const reply = await retrieve(body)
    expect([reply.statusCode, reply.body]).toEqual([status, expect.stringContaining(reason)])
  })

  test('by a signed URL follows the rights of its creator', async () => {
    const signed = await api.post(`${dam}/assets/presigned-url`, { tids: ['bow', 'bow2'], profile: 'web' })
    const url = new URL(signed.text)
    const reply = await api.app.http.inject({ url: url.pathname + url.search })
    expect(Object.keys(await unzip(reply.rawPayload))).toEqual(['shop-bow.webp', 'shop-bow-2.webp'])
    const lone = await api.post(`${dam}/assets/presigned-url`, { tid: 'bow', profile: 'web' })
    expect([lone.status, lone.text]).toEqual([400, expect.stringContaining('tids or ids')])
  })
})

describe('an export', () => {
  const at = '/api/v1/transfers'
  const run = async (body: object) => {
    const reply = await api.post(`${at}/exports`, { columns: ['tid', 'asset'], ...body })
    expect(reply.status, reply.text).toBe(200)
    const done = await vi.waitFor(
      async () => {
        const { json } = await api.get(`${at}/${reply.json.id}`)
        expect(['finished', 'failed']).toContain(json.state)
        return json as { id: string; state: string; problem?: string }
      },
      { timeout: 40_000, interval: 20 },
    )
    const url = `${at}/${done.id}/file`
    const file = await api.app.http.inject({ url, headers: { authorization: `Bearer ${api.token}` } })
    return { ...done, bytes: file.rawPayload }
  }

  test('as a zip has pictures as renditions, under the names in its cells', async () => {
    const files = await unzip((await run({ format: 'zip', pictures: 'web', tids: ['P1'] })).bytes)
    expect(files['products.csv']!.toString()).toContain(
      'P1,/MAM/boats/shop-bow.webp|/MAM/boats/shop-bow-2.webp|/MAM/boats/note.txt',
    )
    expect(Object.keys(files).toSorted()).toEqual([
      'assets/MAM/boats/note.txt',
      'assets/MAM/boats/shop-bow-2.webp',
      'assets/MAM/boats/shop-bow.webp',
      'products.csv',
    ])
    expect(await sharp(files['assets/MAM/boats/shop-bow.webp']!).metadata()).toMatchObject({ width: 100 })
    expect(files['assets/MAM/boats/note.txt']!.toString()).toBe('a note')
  })

  test('leaves out a picture that cannot be drawn, and says so', async () => {
    const files = await unzip((await run({ format: 'zip', pictures: 'web', tids: ['P2'] })).bytes)
    expect(Object.keys(files)).toEqual(['products.csv', 'not-included.txt'])
    expect(files['not-included.txt']!.toString()).toContain('/MAM/boats/shop-broken.webp: no rendition')
  })

  test('as a table has public addresses of pictures, which anybody can open', async () => {
    const { bytes } = await run({ format: 'csv', pictures: 'web', tids: ['P1'] })
    const [, cells] = bytes.toString().trim().split('\r\n')
    const [first, , last] = cells!.slice('P1,'.length).split('|')
    expect(last).toBe('/MAM/boats/note.txt')
    const url = new URL(first!)
    expect(url.pathname).toContain('/renditions/files/shop-bow.webp')
    const reply = await api.app.http.inject({ url: url.pathname + url.search })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'image/webp'])
  })

  test('for Google has the addresses of linked pictures, also in constants', async () => {
    const put = (constants: object) =>
      api.post(`${at}/profiles/google`, { layout: 'google', constants: { description: 'd', link: 'https://a.example', availability: 'in stock', price: '9 EUR', ...constants } }, { method: 'PUT' }) // prettier-ignore
    const linked = async () => {
      const { bytes, problem } = await run({ format: 'xml', profile: 'google', pictures: 'web', tids: ['P1'], columns: undefined }) // prettier-ignore
      expect(problem).toBeUndefined()
      return [...bytes.toString().matchAll(/<g:(\w*image_link)>(\S+?)<\/g:/g)].map(([, field, url]) => [field, new URL(url!.replaceAll('&amp;', '&')).pathname.split('/').at(-1)]) // prettier-ignore
    }
    const more = ['additional_image_link', 'shop-bow.webp']
    await put({})
    expect(await linked()).toEqual([['image_link', 'shop-bow.webp'], more])
    await put({ image_link: '{path}' })
    expect(await linked()).toEqual([['image_link', 'shop-bow.webp'], more])
  })

  test('with an unknown profile fails with the reason; formats without pictures refuse one', async () => {
    expect(await run({ format: 'csv', pictures: 'none', tids: ['P1'] })).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('no rendition profile has the tid none') as string,
    })
    const reply = await api.post(`${at}/exports`, { format: 'jsonl', pictures: 'web' })
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('pictures: jsonl')])
  })
})
