/** Renditions of real files: sizes, crops, formats, colours, watermarks, public addresses, IIIF. */
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { blobsOf, bytesOf, dam, makeDirs, picture, recordOf, storedFiles, upload } from '../../../test/files.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { collect } from '../storage/collect.ts'
import { tidyRenditions } from './maker.ts'

const api = withServer()
const at = '/renditions'

/** Left half red, right half blue; the top left corner is white. */
const halves = (width = 800, height = 400) =>
  sharp({ create: { width, height, channels: 3, background: '#d00000' } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: '#0000d0' } }, gravity: 'east' },
    { input: { create: { width: 20, height: 20, channels: 3, background: '#ffffff' } }, gravity: 'northwest' },
  ])

const take = async (path: string, bytes: Buffer, tid: string) => {
  const reply = await upload(api, { path: `/MAM/boats/${path}`, tid, doPreviewsAsync: false }, bytes)
  expect(recordOf(reply).status, reply.text).toBe('SUCCESS')
  return tid
}
const rendition = (query: string) => bytesOf(api, `${at}/bin?${query}`)
const facts = async (query: string) => {
  const { bytes, status } = await rendition(query)
  expect(status, bytes.toString('utf8', 0, 300)).toBe(200)
  return sharp(bytes).metadata()
}
/** The colour at a place of the picture, each channel rounded to red, blue, white, gray or so. */
const colourAt = async (bytes: Buffer, x: number, y: number) => {
  const raw = await sharp(bytes).toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = raw.info
  const from = (Math.floor(y * (height - 1)) * width + Math.floor(x * (width - 1))) * channels
  const [r = 0, g = 0, b = 0] = raw.data.subarray(from, from + 3)
  if (Math.abs(r - g) < 30 && Math.abs(g - b) < 30) return r > 220 ? 'white' : 'gray'
  return r > b ? 'red' : 'blue'
}
const put = (tid: string, profile: object, token = api.adminToken) =>
  api.post(`${dam}${at}/profiles/${tid}`, profile, { method: 'PUT', token })
const urls = (request: object, token = api.token) => api.post(`${dam}${at}/urls`, request, { token })
const urlOf = async (request: object) => {
  const reply = await urls(request)
  expect(reply.status, reply.text).toBe(200)
  return new URL(reply.json.urls[0].url as string)
}
const open = async (url: URL | string, headers: Record<string, string> = {}) => {
  const { pathname, search } = new URL(String(url), 'http://kontor')
  return api.app.http.inject({ url: pathname + search, headers })
}

beforeAll(async () => {
  await makeDirs(api, '/MAM/boats', '/MAM/other')
  await take('halves.jpg', await halves().jpeg().toBuffer(), 'halves')
})

describe('a rendition', () => {
  test.each([
    ['width=200', { format: 'jpeg', width: 200, height: 100 }],
    ['height=50&format=png', { format: 'png', width: 100, height: 50 }],
    ['width=100&height=100&fit=cover&format=webp', { format: 'webp', width: 100, height: 100 }],
    ['width=100&height=100&fit=contain', { format: 'jpeg', width: 100, height: 100 }],
    ['width=100&height=100&fit=fill&format=tiff', { format: 'tiff', width: 100, height: 100 }],
    ['width=100&format=avif', { format: 'heif', compression: 'av1', width: 100 }],
    ['width=5000', { width: 800, height: 400 }],
    ['width=1600&enlarge=true', { width: 1600, height: 800 }],
    ['width=1600&height=1600&fit=cover', { width: 400, height: 400 }],
    ['', { format: 'jpeg', width: 800, height: 400 }],
    ['width=100&dpi=300', { density: 300 }],
    ['width=100&colourSpace=cmyk', { space: 'cmyk', hasProfile: true }],
    ['width=100&colourSpace=p3', { space: 'srgb', hasProfile: true }],
    ['width=100&colourSpace=gray', { space: 'b-w' }],
  ])('of %s is %j', async (query, expected) => {
    expect(await facts(`assetTid=halves&${query}`)).toMatchObject(expected)
  })

  test.each([
    ['width=0', 'expected a whole number from 1 to 10000'],
    ['width=10000&height=10000', 'pixels are the most'],
    ['fit=cover&width=10', 'cover needs both width and height'],
    ['format=bmp', 'format'],
    ['colourSpace=cmyk&format=png', 'cmyk needs the format jpeg or tiff'],
    ['background=red', 'background'],
    ['profile=none', 'no rendition profile has the tid none'],
    ['watermarkTid=halves', 'watermarkTid'],
    ['width=10000&enlarge=true', 'more than 40000000 pixels'],
  ])('of %s is refused: %s', async (query, reason) => {
    const { status, bytes } = await rendition(`assetTid=halves&${query}`)
    expect([400, 404]).toContain(status)
    expect(bytes.toString()).toContain(reason)
  })

  test('is cropped around the focal point of the file', async () => {
    const crop = async () => (await rendition('assetTid=halves&width=100&height=100&fit=cover')).bytes
    const focus = async (value: string) =>
      api.post(`${dam}/assets/persist`, {
        schemaVersion: '5.6.0',
        assets: { asset: [{ tid: 'halves', meta: { itm: [{ key: 'focalPoint', value }] } }] },
      })
    expect(await colourAt(await crop(), 0.1, 0.9)).toBe('red')
    expect(recordOf(await focus('0.9,0.5')).status).toBe('SUCCESS')
    expect(await colourAt(await crop(), 0.1, 0.9)).toBe('blue')
    await focus('0,0')
    expect(await colourAt(await crop(), 0.9, 0.9)).toBe('red')
    for (const wrong of ['2,0', '0.5', 'left', '0,5,0,5']) {
      const refused = recordOf(await focus(wrong))
      expect(refused.status, wrong).toBe('ERROR')
      expect(JSON.stringify(refused)).toContain('focalPoint')
    }
    await focus('0.5,0.5')
  })

  test('follows the orientation of the camera, and keeps metadata only on request', async () => {
    const turned = await halves().jpeg().withMetadata({ orientation: 6, exif: { IFD0: { Artist: 'Kim' } } }).toBuffer() // prettier-ignore
    await take('turned.jpg', turned, 'turned')
    expect(await facts('assetTid=turned&width=200&height=200')).toMatchObject({ width: 100, height: 200 })
    const plain = await facts('assetTid=turned&width=100')
    expect(plain.exif).toBeUndefined()
    const kept = await facts('assetTid=turned&width=100&keepMetadata=true')
    expect(kept.exif?.toString('latin1')).toContain('Kim')
    expect(kept.orientation ?? 1).toBe(1)
  })

  test('is made once for many requests at the same time, and kept', async () => {
    await take('once.jpg', await picture(1500, 1000), 'once')
    const many = await Promise.all(Array.from({ length: 12 }, () => rendition('assetTid=once&width=333')))
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]))
    const rows = await api.db.rows<{ sha256: string }>(sql`
      select r.sha256 from rendition r join dam_entry e on e.sha256 = r.source where e.tid = 'once'`)
    expect(rows).toHaveLength(1)
    const again = await bytesOf(api, `${at}/bin?assetTid=once&width=333`, { 'if-none-match': `"${rows[0]!.sha256}"` })
    expect(again.status).toBe(304)
    const part = await bytesOf(api, `${at}/bin?assetTid=once&width=333`, { range: 'bytes=0-9' })
    expect([part.status, part.bytes.length]).toEqual([206, 10])
  })

  test('of a claim whose process died is made by the next request', async () => {
    await take('left.jpg', await picture(300, 300), 'left')
    await rendition('assetTid=left&width=77')
    await api.db.run(sql`
      update rendition set sha256 = null, size = null, mime = null, width = null, height = null, made_until = now() - interval '1 second'
      where source = (select sha256 from dam_entry where tid = 'left')`)
    expect(await facts('assetTid=left&width=77')).toMatchObject({ width: 77 })
  })

  test('of a file that is not a picture, or is broken, is refused with the reason, and leaves nothing', async () => {
    await take('text.txt', Buffer.from('no picture'), 'text')
    await take('broken.jpg', Buffer.concat([(await picture(300, 300)).subarray(0, 300)]), 'broken')
    for (const tid of ['text', 'broken']) {
      const { status, bytes } = await rendition(`assetTid=${tid}&width=50`)
      expect(status).toBe(400)
      expect(bytes.toString()).toContain('no rendition of this file')
    }
    expect(await api.db.rows(sql`select from rendition where sha256 is null`)).toEqual([])
  })

  test('of a line that would have to be enlarged a thousand times is refused before it is drawn', async () => {
    await take('line.png', await picture(3000, 2, 'png'), 'line')
    for (const crop of ['attention', 'centre', 'focus']) {
      const { status, bytes } = await rendition(`assetTid=line&width=2&height=9000&fit=cover&enlarge=true&crop=${crop}`)
      expect([status, bytes.toString()]).toEqual([400, expect.stringContaining('the picture from which it is cut')])
    }
  })

  test('is not for those who may not see the file', async () => {
    const grants = [{ kind: 'asset', actions: ['read'], scopes: { dir: ['/MAM/other'] } }]
    await api.post('/api/v1/identity/roles/elsewhere', { grants }, { method: 'PUT', token: api.adminToken })
    const token = await api.tokenFor({ name: 'elsewhere', roles: ['elsewhere'] })
    const hidden = await api.get(`${dam}${at}/bin?assetTid=halves&width=9`, { token })
    const unknown = await api.get(`${dam}${at}/bin?assetTid=nothing&width=9`, { token })
    expect([hidden.status, unknown.status]).toEqual([404, 404])
    expect((await urls({ tids: ['halves'], width: 9 }, token)).status).toBe(404)
    expect((await api.post(`${dam}${at}/urls/revoke`, { tids: ['halves'] }, { token })).status).toBeGreaterThanOrEqual(
      401,
    )
  })
})

describe('a profile', () => {
  test('gives a rendition under a name, with a watermark and a file name', async () => {
    const mark = await sharp({ create: { width: 50, height: 50, channels: 4, background: '#ffffff' } })
      .png()
      .toBuffer()
    await take('mark.png', mark, 'mark')
    const web = {
      name: 'Web shop', width: 400, height: 400, fit: 'cover', format: 'webp', fileName: '{name}_{profile}_{width}',
      watermarkTid: 'mark', watermarkPosition: 'southeast', watermarkOpacity: 100, watermarkPercent: 20,
    } // prettier-ignore
    expect((await put('web', web)).json).toEqual({ tid: 'web', ...web })
    const { bytes, headers } = await rendition('assetTid=halves&profile=web')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 400, height: 400 })
    expect(headers['content-disposition']).toContain('halves_web_400.webp')
    expect(await colourAt(bytes, 0.95, 0.95)).toBe('white')
    expect(await colourAt(bytes, 0.95, 0.5)).toBe('blue')
    const listed = async (token = api.token) => (await api.get(`${dam}${at}/profiles`, { token })).json.profiles
    expect(await listed(api.adminToken)).toContainEqual({ tid: 'web', ...web })
    const { watermarkTid: _watermark, ...seen } = web
    expect(await listed()).toContainEqual({ tid: 'web', ...seen })
    expect((await rendition('assetTid=halves&profile=web&width=3')).status).toBe(400)
  })

  test.each([
    ['two words', {}, 'tid'],
    ['big', { width: 20_000 }, '/width'],
    ['name', { fileName: '{size}' }, '{size}'],
    ['path', { fileName: '../{name}' }, 'no slash'],
    ['mark', { watermarkTid: 'nothing' }, 'no asset has the tid nothing'],
    ['icc', { iccTid: 'halves' }, 'not a colour profile'],
  ])('%s with %j is refused: %s', async (tid, profile, reason) => {
    const { status, text } = await put(encodeURIComponent(tid), profile)
    expect(status).toBe(400)
    expect(text).toContain(reason)
  })

  test('is changed and deleted by administrators only', async () => {
    expect((await put('mine', {}, api.token)).status).toBe(403)
    await put('mine', { width: 5 })
    const gone = (method: 'DELETE' | 'POST', path: string, token: string) => api.post(`${dam}${at}/profiles/${path}`, undefined, { method, token }) // prettier-ignore
    expect((await gone('DELETE', 'mine', api.token)).status).toBe(403)
    expect((await gone('POST', 'mine/revoke', api.token)).status).toBe(403)
    expect((await gone('DELETE', 'mine', api.adminToken)).status).toBe(200)
    expect((await gone('DELETE', 'mine', api.adminToken)).status).toBe(404)
    expect((await gone('POST', 'mine/revoke', api.adminToken)).status).toBe(404)
  })
})

describe('a public address', () => {
  test.each([
    [{ 'if-match': '"x"' }, 412],
    [{ range: 'bytes=99999999-' }, 416],
  ])('with %j is refused for this visitor only: no cache keeps %i for others', async (headers, status) => {
    const reply = await open(await urlOf({ tids: ['halves'], width: 121 }), headers as Record<string, string>)
    expect([reply.statusCode, reply.headers['cache-control'], reply.headers.etag]).toEqual([status, 'no-store', undefined]) // prettier-ignore
  })

  test('needs no token, can be cached by anybody, and is the same all month', async () => {
    const url = await urlOf({ tids: ['halves'], width: 120, format: 'webp' })
    expect(url.pathname).toBe(`${dam}${at}/files/halves.webp`)
    const reply = await open(url)
    expect(reply.statusCode, reply.payload.slice(0, 300)).toBe(200)
    expect(reply.headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-type': 'image/webp',
    })
    expect((await open(url, { 'if-none-match': String(reply.headers.etag) })).statusCode).toBe(304)
    expect(String(await urlOf({ tids: ['halves'], width: 120, format: 'webp' }))).toBe(String(url))
  })

  test('that was changed is refused', async () => {
    const url = await urlOf({ tids: ['halves'], width: 120 })
    const changes = { asset: '1', width: '121', until: String(Number(url.searchParams.get('until')) + 1), key: 'x', quality: '5' } // prettier-ignore
    for (const [name, value] of Object.entries(changes)) {
      const changed = new URL(url)
      changed.searchParams.set(name, value)
      expect((await open(changed)).statusCode, name).toBe(403)
    }
    url.searchParams.set('profile', 'unknown')
    expect([400, 403]).toContain((await open(url)).statusCode)
  })

  test('ends with its time, its asset, a revocation of the asset and of the profile', async () => {
    await take('brief.jpg', await picture(200, 200), 'brief')
    await put('small', { width: 60 })
    const [free, named] = [
      await urlOf({ tids: ['brief'], width: 60 }),
      await urlOf({ tids: ['brief'], profile: 'small' }),
    ]
    expect((await open(free)).statusCode).toBe(200)
    expect((await open(named)).statusCode).toBe(200)
    await api.post(`${dam}${at}/profiles/small/revoke`, undefined, { token: api.adminToken })
    expect((await open(named)).statusCode).toBe(403)
    expect((await open(free)).statusCode).toBe(200)
    const next = await urlOf({ tids: ['brief'], profile: 'small' })
    expect((await api.post(`${dam}${at}/urls/revoke`, { tids: ['brief'] })).json).toEqual({ assets: 1 })
    for (const old of [free, next]) expect((await open(old)).statusCode).toBe(403)
    const last = await urlOf({ tids: ['brief'], profile: 'small' })
    await api.post(`${dam}${at}/profiles/small`, undefined, { method: 'DELETE', token: api.adminToken })
    await put('small', { width: 60 })
    expect((await open(last)).statusCode, 'a new profile with the old name').toBe(403)
    const alive = await urlOf({ tids: ['brief'], width: 60 })
    await api.post(`${dam}/assets/perform`, { schemaVersion: '5.6.0', actions: { action: [{ dataType: 'asset', type: 'delete', tid: 'brief' }] } }) // prettier-ignore
    expect((await open(alive)).statusCode).toBe(404)
  })

  test.each([
    [{ width: 5 }, 'names no asset'],
    [{ tids: ['halves'], days: 5000 }, 'days'],
    [{ tids: ['halves'], profile: 'web', width: 3 }, 'not several of them'],
    [{ tids: ['halves'], iiif: true, width: 3 }, 'not several of them'],
    [{ tids: ['halves', 'nothing'] }, 'no asset has the tid nothing'],
  ])('for %j is refused: %s', async (request, reason) => {
    const { status, text } = await urls(request)
    expect([400, 404]).toContain(status)
    expect(text).toContain(reason)
  })
})

describe('the image service', () => {
  const base = async () => String(await urlOf({ tids: ['halves'], iiif: true }))

  test('describes the image', async () => {
    const image = await base()
    const moved = await open(image)
    expect([moved.statusCode, moved.headers.location]).toEqual([303, `${new URL(image).pathname}/info.json`])
    const info = await open(`${image}/info.json`)
    expect(info.json()).toMatchObject({ id: image, type: 'ImageService3', profile: 'level2', width: 800, height: 400 })
    expect(info.headers).toMatchObject({ 'access-control-allow-origin': '*', vary: 'accept' })
    const linked = await open(`${image}/info.json`, { accept: 'application/ld+json' })
    expect(linked.headers['content-type']).toContain('application/ld+json')
  })

  test.each([
    ['full/max/0/default.jpg', 800, 400],
    ['full/200,/0/default.jpg', 200, 100],
    ['full/,100/0/color.png', 200, 100],
    ['full/pct:50/0/gray.jpg', 400, 200],
    ['full/100,100/0/bitonal.png', 100, 100],
    ['full/!100,100/0/default.webp', 100, 50],
    ['full/^1600,/0/default.jpg', 1600, 800],
    ['0,0,100,1/^!30000,3000000/0/default.jpg', 10_000, 100],
    ['square/max/0/default.jpg', 400, 400],
    ['600,0,400,100/max/0/default.jpg', 200, 100],
    ['pct:50,0,50,100/max/90/default.jpg', 400, 400],
    ['full/200,/90/default.jpg', 100, 200],
    ['full/200,/!180/default.jpg', 200, 100],
  ])('returns %s with %i × %i pixels', async (path, width, height) => {
    const reply = await open(`${await base()}/${path}`)
    expect(reply.statusCode, reply.payload.slice(0, 300)).toBe(200)
    expect(await sharp(reply.rawPayload).metadata()).toMatchObject({ width, height })
  })

  test('cuts, turns and mirrors the right part', async () => {
    const at = async (path: string, x: number, y: number) =>
      colourAt((await open(`${await base()}/${path}`)).rawPayload, x, y)
    expect(await at('600,0,100,100/max/0/default.png', 0.5, 0.5)).toBe('blue')
    expect(await at('0,0,20,20/max/0/default.png', 0.5, 0.5)).toBe('white')
    expect(await at('full/max/0/default.png', 0.05, 0.9)).toBe('red')
    expect(await at('full/max/!0/default.png', 0.05, 0.9)).toBe('blue')
    expect(await at('full/max/90/default.png', 0.5, 0.05), 'the left is on top').toBe('red')
    expect(await at('full/max/0/gray.png', 0.9, 0.9)).toBe('gray')
  })

  test.each([
    'part/max/0/default.jpg', '900,0,10,10/max/0/default.jpg', '0,0,0,10/max/0/default.jpg', 'full/900,/0/default.jpg',
    'full/pct:120/0/default.jpg', 'full/pct:0/0/default.jpg', 'full/0,/0/default.jpg', 'full/max/45/default.jpg', 'full/max/0/sepia.jpg',
    'full/max/0/default.gif', 'full/^99999,/0/default.jpg',
  ])('refuses %s', async (path) => {
    expect((await open(`${await base()}/${path}`)).statusCode).toBe(400)
  }) // prettier-ignore

  test('refuses addresses that it did not issue, and files that are not pictures', async () => {
    const image = await base()
    expect((await open(`${image}x/info.json`)).statusCode).toBe(403)
    expect((await open(`${dam}${at}/iiif/1.2.3/full/max/0/default.jpg`)).statusCode).toBe(403)
    expect((await open(`${await urlOf({ tids: ['text'], iiif: true })}/info.json`)).statusCode).toBe(404)
  })
})

test('renditions that were not used for the longest time are deleted beyond the budget, with their bytes', async () => {
  await take('many.jpg', await picture(900, 900), 'many')
  for (const width of [700, 710, 720]) await rendition(`assetTid=many&width=${width}&format=png`)
  const kept = () =>
    api.db.rows<{ width: number }>(sql`
      select r.width from rendition r join dam_entry e on e.sha256 = r.source where e.tid = 'many' order by r.width`)
  expect(await kept()).toHaveLength(3)
  await api.db.run(sql`update rendition set used_at = now() - interval '3 days' where width <> 720`)
  await rendition('assetTid=many&width=710&format=png')
  const [{ bytes }] = (await api.db.rows<{ bytes: number }>(sql`
    select sum(size)::bigint as bytes from rendition where used_at > now() - interval '1 day'`)) as [{ bytes: number }]
  const files = (await storedFiles(api)).length
  await tidyRenditions(api.db, bytes / 1024 / 1024)
  expect((await kept()).map(({ width }) => width)).toEqual([710, 720])
  await api.db.run(sql`update blob set touched_at = now() - interval '9 days'`)
  await collect(api.db, blobsOf(api), 60)
  expect((await storedFiles(api)).length).toBeLessThan(files)
  expect(await facts('assetTid=many&width=700&format=png')).toMatchObject({ width: 700 })
})

describe('while the space for an hour is used up', () => {
  const full = withServer({ KONTOR_RENDITION_SPACE: '24' })
  test('what exists is returned, and nothing new is made; one asker does not use up what others need', async () => {
    await makeDirs(full, '/MAM/boats')
    const noise = await sharp(Buffer.from(Array.from({ length: 480_000 }, (_, i) => (i * i * 31) % 251)), { raw: { width: 400, height: 400, channels: 3 } }).png().toBuffer() // prettier-ignore
    await upload(full, { path: '/MAM/boats/noise.png', tid: 'noise', doPreviewsAsync: false }, noise)
    const ask = async (width: number, token = full.token) => {
      const url = `${dam}${at}/bin?assetTid=noise&format=tiff&enlarge=true&width=${width}`
      const { statusCode, headers } = await full.app.http.inject({ url, headers: { authorization: `Bearer ${token}` } })
      return [statusCode, headers['retry-after'] !== undefined]
    }
    const [made, refused] = [[200, false], [503, true]] // prettier-ignore
    expect(await ask(1100), 'more than half of the bytes').toEqual(made)
    expect(await ask(1101)).toEqual(refused)
    expect(await ask(1100)).toEqual(made)
    expect(await ask(1102, full.adminToken), 'for somebody else').toEqual(made)
    const third = await full.tokenFor({ name: 'third', roles: ['admin'] })
    expect(await ask(1103, third), 'now all are used up').toEqual(refused)
  })
})

describe('with one second for a rendition', () => {
  const hasty = withServer({ KONTOR_PREVIEW_SECONDS: '1' })
  test('one that takes longer is refused with the reason', async () => {
    await makeDirs(hasty, '/MAM/boats')
    await upload(hasty, { path: '/MAM/boats/wide.jpg', tid: 'wide' }, await picture(6000, 6000))
    const refused = await bytesOf(hasty, `${at}/bin?assetTid=wide&format=avif&quality=100`)
    expect([refused.status, refused.bytes.toString()]).toEqual([
      400,
      expect.stringContaining('not made within 1 second'),
    ])
  })
})

describe('behind a proxy that adds a path', () => {
  const proxied = withServer({ KONTOR_BASE_URL: 'https://kontor.example/pim' })
  test('the image service leads to the description under that path', async () => {
    await makeDirs(proxied, '/MAM/boats')
    await upload(proxied, { path: '/MAM/boats/a.jpg', tid: 'a', doPreviewsAsync: false }, await picture(30, 20))
    const { json } = await proxied.post(`${dam}${at}/urls`, { tids: ['a'], iiif: true })
    const address = new URL(json.urls[0].url as string)
    const moved = await proxied.app.http.inject({ url: address.pathname.replace('/pim', '') })
    expect([moved.statusCode, moved.headers.location]).toEqual([303, `${address.pathname}/info.json`])
  })
})
