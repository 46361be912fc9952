/** Preview URLs, for pages that show many previews. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { blobsOf, dam, makeDirs, picture, recordOf, upload } from '../../../../test/files.ts'
import { withServer } from '../../../../test/server.ts'
import { createMasterKey } from '../../../identity/module.ts'
import { previewUrls } from './urls.ts'

const api = withServer()
beforeAll(() => makeDirs(api, '/MAM/boats'))

type Item = { key: string; value: string }
interface Shown {
  tid: string
  previews: { preview: { type: string; meta: { itm: Item[] } }[] }
}
const urlsIn = ({ previews }: Shown) =>
  Object.fromEntries(previews.preview.map(({ type, meta }) => [type, meta.itm.find(({ key }) => key === 'url')!.value]))
const get = (url: string, headers: Record<string, string> = {}) => api.app.http.inject({ url, headers })

async function urlsOf(name: string, width = 900) {
  const path = `/MAM/boats/${name}`
  const reply = await upload(api, { path, doPreviewsAsync: false }, await picture(width, 700))
  const tids = [recordOf(reply).tid as string]
  const asset = (await api.post(`${dam}/assets/retrieve`, { tids, retrievePreviews: true })).json.assets.asset[0]
  const again = (await api.post(`${dam}/assets/previews/retrieve`, { tids })).json.assets.asset[0]
  expect(urlsIn(again)).toEqual(urlsIn(asset))
  return urlsIn(asset)
}

describe('a preview URL', () => {
  test('returns cacheable bytes without a token and without a database query', async () => {
    const { thumbnail, fullsize } = await urlsOf('kept.jpg')
    const before = api.statements.length
    const reply = await get(thumbnail!)
    expect(api.statements.length).toBe(before)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(reply.rawPayload.length),
      'cache-control': expect.stringMatching(/^private, max-age=\d{5,6}, immutable$/) as string,
      'content-security-policy': expect.stringContaining('sandbox') as string,
      'x-content-type-options': 'nosniff',
    })
    const etag = String(reply.headers.etag)
    expect((await get(thumbnail!, { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await get(fullsize!)).rawPayload.length).toBeGreaterThan(reply.rawPayload.length)
  })

  test('is the same all day', () => {
    const addressOf = previewUrls(createMasterKey('of a test, which need not be secret'), '/base')
    const at = (now: string) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })
      const url = addressOf({ sha256: 'a'.repeat(64), size: 5, mime: 'image/webp' })
      vi.useRealTimers()
      return url
    }
    expect(at('2030-01-01T00:00:00Z')).toBe(at('2030-01-01T23:59:59Z'))
    expect(at('2030-01-01T00:00:00Z')).not.toBe(at('2030-01-02T00:00:00Z'))
  })

  test('cannot be forged, changed or used after it has expired', async () => {
    const { thumbnail, preview } = await urlsOf('safe.jpg', 902)
    const [file, other] = [thumbnail!, preview!].map((url) => /bin\/(.*)\?/.exec(url)![1]!)
    const until = /until=(\d+)/.exec(thumbnail!)![1]!
    const altered = [
      thumbnail!.replace(file!, other!),
      thumbnail!.replace(until, String(Number(until) + 86_400)),
      thumbnail!.replace(/key=.*/, 'key=AAAAAAAAAAAAAAAAAAAAAA'),
      thumbnail!.replace(/&key=.*/, ''),
      thumbnail!.replace(/\?.*/, ''),
      thumbnail!.replace(file!, '..%2F..%2Fmaster-key'),
    ]
    for (const url of altered) expect((await get(url)).statusCode, url).toBe(403)
    vi.useFakeTimers({ toFake: ['Date'], now: Number(until) * 1000 + 1000 })
    try {
      const late = await get(thumbnail!)
      expect([late.statusCode, late.body]).toEqual([403, expect.stringContaining('has expired; retrieve the asset')])
    } finally {
      vi.useRealTimers()
    }
  })

  test('of deleted bytes is 404 and says what to do', async () => {
    const { thumbnail } = await urlsOf('gone.jpg', 903)
    const sha256 = /bin\/([0-9a-f]{64})/.exec(thumbnail!)![1]!
    await blobsOf(api).remove(sha256)
    const reply = await get(thumbnail!)
    expect([reply.statusCode, reply.body]).toEqual([404, expect.stringContaining('retrieve it again')])
  })
})
