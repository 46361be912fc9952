/** Downloads with metadata through HTTP: values, rights, addresses, zips, renditions, and the way back. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { damCalls } from '../../../test/dam.ts'
import { blobsOf, bytesOf, damage, dam, makeDirs, picture, recordOf, upload } from '../../../test/files.ts'
import { onS3 } from '../../../test/s3.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { readEmbedded } from '../assets/previews/embedded.ts'

const api = withServer()
const { call, persistAssets, meta } = damCalls(api)
const folder = '/MAM/meta'
const name = { itm: [{ loc: 'en_GB', value: 'Name' }] }

const take = async (file: string, tid: string, bytes: Buffer) => {
  const reply = await upload(api, { path: `${folder}/${file}`, tid, doPreviewsAsync: false }, bytes)
  expect(recordOf(reply).status, reply.text).toBe('SUCCESS')
  return tid
}
const text = (attr: string, ...value: string[]) => ({ attr, itm: value.map((one) => ({ value: one })) })
const texts = (attr: string, byLocale: Record<string, string>) => ({
  attr,
  itm: Object.entries(byLocale).map(([loc, value]) => ({ loc, value })),
})
const tags = (loc: string, ...value: string[]) => ({
  attr: 'TAGS',
  i18N: [{ loc, itm: value.map((one) => ({ value: one })) }],
})
const edit = async (tid: string, ...val: object[]) => {
  const [record] = await persistAssets({ tid, vals: { val } })
  expect(record.status, JSON.stringify(record)).toBe('SUCCESS')
}
const get = (query: string, headers: Record<string, string> = {}) => bytesOf(api, `/assets/bin?${query}`, headers)
const file = async (query: string) => {
  const { status, bytes } = await get(query)
  expect(status, bytes.toString('utf8', 0, 300)).toBe(200)
  return bytes
}
/** Reads a file as the import of another installation does. */
async function readBack(bytes: Buffer, format = 'jpeg') {
  const at = mkdtempSync(join(tmpdir(), 'kontor-back-'))
  try {
    writeFileSync(join(at, 'file'), bytes)
    return await readEmbedded(join(at, 'file'), `image/${format}`)
  } finally {
    rmSync(at, { recursive: true })
  }
}
const valsOf = async (tid: string, token = api.token) =>
  (await api.post(`${dam}/assets/retrieve`, { tids: [tid] }, { token })).json.assets.asset[0].vals?.val ?? []
const entriesOf = async (tid: string, token = api.token) =>
  (await api.get(`${dam}/assets/embedded?assetTid=${tid}`, { token })).json
const putRole = async (role: string, grants: object[]) => {
  const reply = await api.post(`/api/v1/identity/roles/${role}`, { grants }, { method: 'PUT', token: api.adminToken })
  expect(reply.status, reply.text).toBe(200)
  return api.tokenFor({ roles: [role] })
}
const unzip = (bytes: Buffer): Record<string, string> => {
  const at = mkdtempSync(join(tmpdir(), 'kontor-zip-'))
  writeFileSync(join(at, 'a.zip'), bytes)
  const script = `import sys,zipfile,json; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(json.dumps({n: z.read(n).decode('latin1') for n in z.namelist()}))`
  const out = execFileSync('python3', ['-c', script, join(at, 'a.zip')], { encoding: 'utf8' })
  rmSync(at, { recursive: true })
  return JSON.parse(out) as Record<string, string>
}
const many = (body: object) =>
  api.app.http.inject({
    method: 'POST',
    url: `${dam}/assets/bin/retrieve`,
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  })
const open = (url: string) => {
  const { pathname, search } = new URL(url, 'http://kontor')
  return api.app.http.inject({ url: pathname + search })
}

let address = ''
beforeAll(async () => {
  address = await api.listen()
  await makeDirs(api, folder, '/MAM/other')
  await take('boat.jpg', 'boat', await picture(60, 40))
  await edit('boat', texts('TITLE', { en_GB: 'Boat', de_DE: 'Boot' }), text('AUTHOR', 'Ann', 'Bob'), tags('en_GB', 'sea, calm', 'wind'), text('CITY', 'Oslo')) // prettier-ignore
})

describe('a download with metadata', () => {
  test('contains the values of now; the stored file stays as it is', async () => {
    const original = await file('assetTid=boat')
    const digest = createHash('sha256').update(original).digest('hex')
    const read = await readBack(await file('assetTid=boat&metadata=embed'))
    expect(read).toMatchObject({
      xmp: { title: 'Boat', City: 'Oslo' },
      iptc: { 'Object Name': 'Boat', City: 'Oslo' },
      exif: { XPTitle: 'Boat' },
      languages: { 'xmp:title': { 'en-GB': 'Boat', 'de-DE': 'Boot' } },
      lists: { 'xmp:creator': ['Ann', 'Bob'], 'xmp:subject': ['sea, calm', 'wind'], 'iptc:Keywords': ['sea, calm', 'wind'] }, // prettier-ignore
    })
    await edit('boat', texts('TITLE', { en_GB: 'Ship', de_DE: 'Schiff' }))
    expect(await readBack(await file('assetTid=boat&metadata=embed'))).toMatchObject({ xmp: { title: 'Ship' } })
    expect((await file('assetTid=boat')).equals(original)).toBe(true)
    const [row] = await api.db.rows<{ sha256: string }>(sql`select sha256 from dam_entry where tid = 'boat'`)
    expect(row!.sha256).toBe(digest)
    const stored: Buffer[] = []
    for await (const piece of await blobsOf(api).open(digest)) stored.push(piece as Buffer)
    expect(Buffer.concat(stored).equals(original)).toBe(true)
  })

  test('has its own ETag, length and ranges, and changes with the values', async () => {
    const plain = await get('assetTid=boat')
    const { headers, bytes } = await get('assetTid=boat&metadata=embed')
    expect(headers.etag).not.toBe(plain.headers.etag)
    expect(headers['content-length']).toBe(String(bytes.length))
    expect(headers['last-modified'], 'keywords and definitions change the file too').toBeUndefined()
    const again = await get('assetTid=boat&metadata=embed', { 'if-none-match': String(headers.etag) })
    expect(again.status).toBe(304)
    const since = new Date(Date.now() + 60_000).toUTCString()
    expect((await get('assetTid=boat&metadata=embed', { 'if-modified-since': since })).status).toBe(200)
    const part = await get('assetTid=boat&metadata=embed', { range: 'bytes=10-500', 'if-range': String(headers.etag) })
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 10-500/${bytes.length}`])
    expect(part.bytes.equals(bytes.subarray(10, 501))).toBe(true)
    await edit('boat', text('CITY', 'Bergen'))
    const changed = await get('assetTid=boat&metadata=embed', { 'if-none-match': String(headers.etag) })
    expect([changed.status, changed.headers.etag === headers.etag]).toEqual([200, false])
    const url = `${address}${dam}/assets/bin?assetTid=boat&metadata=embed`
    const head = await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${api.token}` } })
    expect(head.headers.get('content-length')).toBe(String(changed.bytes.length))
  })

  test('contains keywords and usage rights in their standard fields', async () => {
    await api.post('/api/core/v1/common/keywords/persist', {
      schemaVersion: '5.6.0',
      kwds: {
        kwd: [
          { name: { itm: [{ value: 'Coast' }] } },
          { parentPath: '/Coast', name: { itm: [{ value: 'Pier' }, { loc: 'en_GB', value: 'Pier (en)' }] } },
        ],
      },
    })
    await take('rights.jpg', 'rights', await picture(30, 20))
    await edit('rights', tags('en_GB', 'mine'), texts('USAGE_TERMS', { en_GB: 'Ask first' }))
    const [record] = await persistAssets({
      tid: 'rights',
      links: { itms: [{ type: 'kwds', itm: [{ value: '/Coast/Pier' }] }] },
      usageRights: { licence: 'https://example.com/l', holder: 'Fjord', creditLine: 'Fjord/Ann', validUntil: '2099-01-31', territories: ['DE', 'FR'] }, // prettier-ignore
    })
    expect(record.status, JSON.stringify(record)).toBe('SUCCESS')
    expect(await readBack(await file('assetTid=rights&metadata=embed'))).toMatchObject({
      xmp: { Owner: 'Fjord', Credit: 'Fjord/Ann', WebStatement: 'https://example.com/l', UsageTerms: 'Ask first', LicenseEndDate: '2099-01-31T00:00:00+00:00', RegionConstraints: 'DE, FR', hierarchicalSubject: 'Coast|Pier' }, // prettier-ignore
      iptc: { Credit: 'Fjord/Ann', 'Expiration Date': '20990131' },
      lists: { 'xmp:subject': ['mine', 'Pier (en)'] },
    })
  })

  test('keeps what the camera wrote, and loses what somebody removed', async () => {
    const rich = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#123456' } })
      .withExif({ IFD0: { Make: 'Canon', Model: 'R5', ImageDescription: 'From the camera', Copyright: 'Old' } })
      .jpeg()
      .toBuffer()
    await take('camera.jpg', 'camera', rich)
    await edit('camera', { attr: 'DESCRIPTION' }, text('COPYRIGHT', 'New'))
    const read = await readBack(await file('assetTid=camera&metadata=embed'))
    expect(read['exif']).toMatchObject({ Make: 'Canon', Model: 'R5', Copyright: 'New' })
    expect(read['exif']).not.toHaveProperty('ImageDescription')
    expect((await entriesOf('camera')).entries).toContainEqual({
      tag: 'exif:ImageDescription',
      attribute: 'DESCRIPTION',
    })
  })

  test('keeps what nobody has edited: time zones, languages that Kontor does not have, and long texts', async () => {
    const long = 'Größe '.repeat(600)
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreateDate="2020-01-02T03:04:05+09:00"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Hafen</rdf:li><rdf:li xml:lang="ja">港</rdf:li></rdf:Alt></dc:title><dc:description><rdf:Alt><rdf:li xml:lang="x-default">${long}</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta>` // prettier-ignore
    const blank = () => sharp({ create: { width: 30, height: 20, channels: 3, background: '#123456' } })
    await take('foreign.jpg', 'foreign', await blank().withXmp(xmp).jpeg().toBuffer())
    const read = async (query = '&metadata=embed') => readBack(await file(`assetTid=foreign${query}`))
    const dates = (original: string, zone: string, rest = original.slice(0, 10).replaceAll(':', '-')) => ({
      exif: { DateTimeOriginal: original, OffsetTimeOriginal: zone },
      xmp: { CreateDate: `${rest}T${original.slice(11)}${zone}` },
      iptc: { 'Date Created': rest, 'Time Created': `${original.slice(11)}${zone}` },
    })
    expect(await read()).toMatchObject({
      ...dates('2020:01:02 03:04:05', '+09:00'),
      languages: { 'xmp:title': { ja: '港' } },
      iptc: { 'Object Name': 'Hafen' },
    })
    expect((await file('assetTid=foreign&metadata=embed')).toString()).toContain(long)
    await edit('foreign', text('TAKEN_AT', '2021-06-01T10:00:00.000Z'))
    expect(await read()).toMatchObject(dates('2021:06:01 10:00:00', '+00:00'))
    await take('camera2.jpg', 'no-zone', await blank().withExif({ IFD2: { DateTimeOriginal: '2020:01:02 03:04:05' } }).jpeg().toBuffer()) // prettier-ignore
    expect(await readBack(await file('assetTid=no-zone&metadata=embed'))).toMatchObject({
      exif: { DateTimeOriginal: '2020:01:02 03:04:05' },
      xmp: { CreateDate: '2020-01-02T03:04:05' },
    })
  })

  test.each(['jpeg', 'png', 'webp', 'tiff'] as const)(
    'of a %s gives the same values when it is uploaded elsewhere',
    async (format) => {
      await take(`trip.${format}`, `trip-${format}`, await picture(30, 20, format))
      await edit(`trip-${format}`, texts('TITLE', { en_GB: 'A', de_DE: 'B' }), texts('DESCRIPTION', { de_DE: 'Nur <Deutsch>' }), text('AUTHOR', 'Ann', 'Bob'), text('CREDIT', 'C'), text('COPYRIGHT', '© Ö'), tags('en_GB', 'x, y', 'z'), text('TAKEN_AT', '2024-05-01T12:30:00.000Z'), text('CITY', 'Oslo'), text('LATITUDE', '-33.8568')) // prettier-ignore
      await take(`back.${format}`, `back-${format}`, await file(`assetTid=trip-${format}&metadata=embed`))
      const plain = (vals: { attr: string }[]) => vals.toSorted((a, b) => a.attr.localeCompare(b.attr))
      expect(plain(await valsOf(`back-${format}`))).toEqual(plain(await valsOf(`trip-${format}`)))
    },
  )

  test('of a type that cannot carry it is refused with the remedy; its sidecar is not', async () => {
    await upload(api, { path: `${folder}/a.txt`, tid: 'words' }, 'words')
    await edit('words', texts('TITLE', { en_GB: 'Words & more' }))
    const refused = await get('assetTid=words&metadata=embed')
    expect([refused.status, refused.bytes.toString()]).toEqual([400, expect.stringMatching(/text\/plain cannot carry metadata.*metadata=sidecar/)]) // prettier-ignore
    const { headers, bytes } = await get('assetTid=words&metadata=sidecar')
    expect(headers['content-type']).toBe('application/rdf+xml')
    expect(headers['content-disposition']).toContain('attachment; filename="a.xmp"')
    expect(bytes.toString()).toContain('Words &amp; more')
    expect((await entriesOf('words')).carries).toBe(false)
  })

  test('of previews works too; of earlier versions and by unknown words it is refused', async () => {
    expect(await readBack(await file('assetTid=boat&format=preview&metadata=embed'), 'webp')).toMatchObject({ xmp: { title: 'Ship' } }) // prettier-ignore
    expect((await get('assetTid=boat&metadata=all')).status).toBe(400)
    expect((await get('versionTid=x&metadata=embed')).bytes.toString()).toMatch(/an earlier version has no values/)
  })

  test.skipIf(onS3)('of a file that is damaged on the disk is aborted', async () => {
    const bytes = await sharp(Buffer.alloc(3 * 400 * 400, 7), { raw: { width: 400, height: 400, channels: 3 } }).png({ compressionLevel: 0 }).toBuffer() // prettier-ignore
    await take('broken.png', 'broken', bytes)
    const broken = Buffer.from(bytes)
    broken[bytes.length - 30]! ^= 1
    await damage(api, createHash('sha256').update(bytes).digest('hex'), broken)
    const url = `${address}${dam}/assets/bin?assetTid=broken&metadata=embed`
    const reply = await fetch(url, { headers: { authorization: `Bearer ${api.token}` } })
    await expect(reply.arrayBuffer()).rejects.toThrow()
  })
})

describe('rights', () => {
  test('values and languages that the caller may not read are not written; the file keeps its own', async () => {
    const rich = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#123456' } }).withExif({ IFD0: { Copyright: 'In the file' } }).jpeg().toBuffer() // prettier-ignore
    await take('secret.jpg', 'secret', rich)
    await edit('secret', texts('TITLE', { en_GB: 'Open', de_DE: 'Verborgen' }), text('COPYRIGHT', 'Hidden'), text('CITY', 'Hidden city')) // prettier-ignore
    const token = await putRole('half', [
      { kind: 'asset', actions: ['read'], visibleAttributes: { except: ['COPYRIGHT', 'CITY'] }, visibleLocales: { only: ['en_GB'] } }, // prettier-ignore
    ])
    const { bytes } = await bytesOf(api, '/assets/bin?assetTid=secret&metadata=embed', { authorization: `Bearer ${token}` }) // prettier-ignore
    expect(bytes.toString('latin1')).toContain('Open')
    expect(bytes.toString('latin1')).toContain('In the file')
    expect(bytes.toString('latin1')).not.toMatch(/Hidden|Verborgen/)
    expect(JSON.stringify(await entriesOf('secret', token))).not.toMatch(/Hidden|Verborgen|COPYRIGHT/)
  })

  test('keywords that the caller may not read are not written', async () => {
    const token = await putRole('wordless', [{ kind: 'asset', actions: ['read'] }])
    expect(JSON.stringify(await entriesOf('rights', token))).not.toContain('Pier')
    expect(JSON.stringify(await entriesOf('rights'))).toContain('Pier')
  })

  test('an asset that the caller may not read does not exist', async () => {
    const token = await putRole('elsewhere', [{ kind: 'asset', actions: ['read'], scopes: { dir: ['/MAM/other'] } }])
    expect((await api.get(`${dam}/assets/embedded?assetTid=boat`, { token })).status).toBe(404)
    expect((await api.get(`${dam}/assets/embedded`, { token })).status).toBe(400)
  })

  test('a public address is made only by who may read everything that it would contain', async () => {
    const urls = (token: string) => api.post(`${dam}/renditions/urls`, { tids: ['boat'], width: 20, metadata: 'embed' }, { token }) // prettier-ignore
    const refused = await urls(await putRole('half', [{ kind: 'asset', actions: ['read'], visibleAttributes: { except: ['CITY'] } }])) // prettier-ignore
    expect([refused.status, refused.text]).toEqual([403, expect.stringMatching(/would contain CITY, which you may not read/)]) // prettier-ignore
    expect((await urls(await putRole('wordless', [{ kind: 'asset', actions: ['read'] }]))).text).toMatch(/would contain keywords/) // prettier-ignore
    const { url } = (await urls(api.token)).json.urls[0]
    const reply = await open(url)
    expect(await readBack(reply.rawPayload)).toMatchObject({ xmp: { title: 'Ship' } })
    expect((await open(url.replace('&metadata=embed', ''))).statusCode).toBe(403)
  })
})

describe('addresses', () => {
  const sign = async (body: object) => (await api.post(`${dam}/assets/presigned-url`, body)).text.replaceAll('"', '')

  test('a signed address has the values of who made it, at the time of the download', async () => {
    const url = await sign({ tid: 'boat', metadata: 'embed', attachment: true })
    await edit('boat', texts('TITLE', { en_GB: 'Later' }))
    const reply = await open(url)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-disposition']).toMatch(/^attachment/)
    expect(await readBack(reply.rawPayload)).toMatchObject({ xmp: { title: 'Later' } })
    expect((await api.post(`${dam}/assets/presigned-url`, { tid: 'words', metadata: 'embed' })).status).toBe(400)
    expect((await api.post(`${dam}/assets/presigned-url`, { tid: 'boat', method: 'PUT', metadata: 'embed' })).status).toBe(400) // prettier-ignore
  })

  test.each(['embed', 'sidecar'])('a zip with %s has sidecars where they are needed', async (metadata) => {
    const bodies = [
      (await many({ tids: ['boat', 'words'], metadata })).rawPayload,
      (await open(await sign({ tids: ['boat', 'words'], metadata }))).rawPayload,
    ]
    for (const body of bodies) {
      const files = unzip(body)
      expect(Object.keys(files).sort()).toEqual(['boat/boat_original.jpg', ...(metadata === 'sidecar' ? ['boat/boat_original.xmp'] : []), 'words/a_original.txt', 'words/a_original.xmp']) // prettier-ignore
      const read = await readBack(Buffer.from(files['boat/boat_original.jpg']!, 'latin1'))
      expect(read['xmp']).toEqual(metadata === 'embed' ? expect.objectContaining({ title: 'Later' }) : undefined)
      expect(files['words/a_original.txt']).toBe('words')
    }
    expect((await many({ tids: ['boat'], profile: 'x', metadata })).statusCode).toBe(400)
  })

  test('a rendition without location has no coordinates, neither kept nor written', async () => {
    const image = sharp({ create: { width: 40, height: 30, channels: 3, background: '#123456' } })
    const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="59,54.6N" exif:GPSAreaInformation="Oslo fjord" exif:UserComment="kept"/></rdf:RDF></x:xmpmeta>' // prettier-ignore
    const bytes = await image.withExif({ IFD0: { Make: 'Canon' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '59/1 54/1 36/1', GPSLongitudeRef: 'E', GPSLongitude: '10/1 45/1 0/1', GPSMapDatum: 'Secret datum' } }).withXmp(xmp).jpeg().toBuffer() // prettier-ignore
    await take('place.jpg', 'place', bytes)
    const make = async (format: string, more: string) => {
      const { status, bytes: made } = await bytesOf(api, `/renditions/bin?assetTid=place&width=20&keepMetadata=true&format=${format}${more}`) // prettier-ignore
      expect(status, made.toString('utf8', 0, 300)).toBe(200)
      return { text: made.toString('latin1'), read: await readBack(made, format) }
    }
    expect((await make('jpeg', '')).text).toMatch(/Secret datum[^]*Oslo fjord|Oslo fjord[^]*Secret datum/)
    for (const format of ['jpeg', 'png', 'webp', 'tiff'])
      for (const more of ['&removeLocation=true', '&removeLocation=true&metadata=embed']) {
        const { text: made, read } = await make(format, more)
        expect(made).not.toMatch(/Secret datum|Oslo fjord|GPSLatitude/)
        expect(read['gps'] ?? {}, format).toEqual({})
        expect(JSON.stringify(read['exif'] ?? {})).not.toContain('GPS')
        expect(read).toMatchObject({ xmp: { UserComment: 'kept' } })
      }
    expect((await bytesOf(api, '/renditions/bin?assetTid=place&keepMetadata=true&removeLocation=true&format=avif')).status).toBe(400) // prettier-ignore
  })

  test('a rendition contains the values; each reader gets their own from one stored picture', async () => {
    const rendition = (more: string, token = api.token) =>
      bytesOf(api, `/renditions/bin?assetTid=secret&width=20&${more}`, { authorization: `Bearer ${token}` })
    const count = async () => (await api.db.rows<{ n: number }>(sql`select count(*)::int as n from rendition`))[0]!.n
    await rendition('')
    const before = await count()
    for (const format of ['jpeg', 'png', 'webp', 'tiff']) {
      const { status, bytes } = await rendition(`format=${format}&metadata=embed`)
      expect(status, bytes.toString()).toBe(200)
      expect(await readBack(bytes, format)).toMatchObject({ xmp: { City: 'Hidden city' } })
    }
    expect(await count()).toBe(before + 3)
    const token = await putRole('half', [{ kind: 'asset', actions: ['read'], visibleAttributes: { except: ['CITY'] } }])
    expect((await rendition('metadata=embed', token)).bytes.toString('latin1')).not.toContain('Hidden city')
    expect((await rendition('format=avif&metadata=embed')).bytes.toString()).toMatch(/avif files cannot carry it/)
    const put = (profile: object) => api.post(`${dam}/renditions/profiles/described`, profile, { method: 'PUT', token: api.adminToken }) // prettier-ignore
    expect((await put({ format: 'avif', metadata: 'embed' })).status).toBe(400)
    expect((await put({ width: 20, metadata: 'embed' })).status).toBe(200)
    const byProfile = await bytesOf(api, '/renditions/bin?assetTid=boat&profile=described')
    expect(await readBack(byProfile.bytes)).toMatchObject({ xmp: { title: 'Later' } })
    const zip = unzip((await many({ tids: ['boat', 'secret'], profile: 'described' })).rawPayload)
    expect(await readBack(Buffer.from(zip['boat.jpg']!, 'latin1'))).toMatchObject({ xmp: { title: 'Later' } })
  })
})

describe('the mapping of an attribute', () => {
  const define = (tid: string, items: Record<string, string>) =>
    call('admin/attribute-definitions/persist', { attrDefs: { attrDef: [{ tid, type: 'text', name, ...meta(items) }] } }, { token: api.adminToken }) // prettier-ignore

  test.each([
    [{ embedded: 'xmp:titel' }, /meta embedded: there is no tag xmp:titel; the nearest is xmp:title/],
    [{ embeddedOut: 'iptc:Headlin, xmp:title' }, /meta embeddedOut: there is no tag iptc:Headlin; the nearest is iptc:Headline/], // prettier-ignore
    [{ embeddedOut: 'exif:FNumber' }, /exif:FNumber is only read/],
  ])('%j is refused', async (items, expected) => {
    expect((await define('BAD', items as Record<string, string>))[0]).toMatchObject({ status: 'ERROR', description: expect.stringMatching(expected) }) // prettier-ignore
  })

  test('is the same in both directions unless it says otherwise', async () => {
    await define('EVENT', { embedded: 'xmp:Event' })
    await define('JOB', { embedded: 'none', embeddedOut: 'xmp:TransmissionReference, iptc:Original Transmission Reference' }) // prettier-ignore
    await define('SHUTTER', { embedded: 'exif:ExposureTime' })
    await take('mapped.jpg', 'mapped', await picture(30, 20))
    await edit('mapped', text('EVENT', 'Regatta'), text('JOB', 'J-1'), text('SHUTTER', '1/100'))
    const { entries } = await entriesOf('mapped')
    expect(entries.map(({ tag }: { tag: string }) => tag)).toEqual(['xmp:Event', 'xmp:TransmissionReference', 'iptc:Original Transmission Reference']) // prettier-ignore
    await take('unmapped.jpg', 'unmapped', await file('assetTid=mapped&metadata=embed'))
    expect(await valsOf('unmapped')).toMatchObject([{ attr: 'EVENT', itm: [{ value: 'Regatta' }] }])
  })

  test('that was stored before tags were checked may stay', async () => {
    await define('OLD', {})
    await api.db.run(sql`update dam_attr_def set definition = jsonb_set(definition, '{meta}', '{"itm":[{"key":"embedded","value":"xmp:Custom"}]}') where tid = 'OLD'`) // prettier-ignore
    expect((await define('OLD', { embedded: 'xmp:Custom' }))[0].status).toBe('SUCCESS')
    expect((await define('OLD', { embedded: 'xmp:Custom2' }))[0].status).toBe('ERROR')
  })
})
