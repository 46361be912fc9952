/** Metadata in files of every type: what stays, what changes, and files that are damaged or hostile. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { embeddedTags } from '@kontor/contract'
import { type Edits, type Text } from './edits.ts'
import { embedIn, sidecarOf } from './embed.ts'
import { lendSplice } from './splice.ts'

const formats = ['jpeg', 'png', 'webp', 'tiff'] as const
type Format = (typeof formats)[number]

let hasExiftool = true
try {
  execFileSync('exiftool', ['-ver'])
} catch {
  hasExiftool = false
  console.warn('SKIPPED: exiftool is not installed (Debian: libimage-exiftool-perl), so no second tool reads the files')
}
const folder = mkdtempSync(join(tmpdir(), 'kontor-metadata-'))
afterAll(() => rmSync(folder, { recursive: true }))

let number = 0
function exiftool(bytes: Buffer, ...options: string[]): Record<string, unknown> {
  const file = join(folder, String(++number))
  writeFileSync(file, bytes)
  const out = execFileSync('exiftool', ['-json', '-G1', '-struct', ...options, file], { encoding: 'utf8' })
  return (JSON.parse(out) as Record<string, unknown>[])[0]!
}
/** The warnings of exiftool; those of sharp's TIFF, whose compression it does not know, are left out. */
const warningsOf = (bytes: Buffer) => {
  const found = exiftool(bytes, '-validate', '-warning', '-error', '-a')
  const lines = ['ExifTool:Warning', 'ExifTool:Error'].flatMap((key) => found[key] ?? [])
  return lines.filter((line) => !/0x0103 Compression|0x0106 Photometric/.test(String(line)))
}

/** A store of one file, which hands out pieces of odd sizes. */
const storeOf = (bytes: Buffer) => ({
  async lend(_sha256: string, range?: { first: number; last: number }) {
    const wanted = range ? bytes.subarray(range.first, range.last + 1) : bytes
    return (async function* () {
      for (let at = 0; at < wanted.length; at += 997) yield wanted.subarray(at, at + 997)
    })()
  },
})
async function embed(bytes: Buffer, format: string, edits: Edits, range?: { first: number; last: number }) {
  const file = { sha256: 'x', size: bytes.length, mime: `image/${format}`, name: `a.${format}` }
  const composed = await embedIn(storeOf(bytes), file, edits)
  const pieces: Buffer[] = []
  for await (const piece of await lendSplice(storeOf(bytes), { sha256: 'x', parts: composed.parts }, range))
    pieces.push(Buffer.from(piece))
  return { bytes: Buffer.concat(pieces), size: composed.size, etag: composed.etag }
}
const edited = async (bytes: Buffer, format: string, edits: Edits) => (await embed(bytes, format, edits)).bytes
const refusal = (bytes: Buffer, format: string, edits: Edits = some) =>
  embed(bytes, format, edits).then(
    () => 'no refusal',
    (error: Error) => error.message,
  )

const plain = (tag: string, ...values: string[]): [string, Text[]] => [tag, values.map((value) => ({ value }))]
const title = (value: string): Edits => new Map([plain('xmp:title', value)])
const some = title('Harbour')
const blank = () => sharp({ create: { width: 61, height: 41, channels: 3, background: '#804020' } })
const others = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about="u" xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:q="urn:others/" q:keep="me &amp; &quot;you&quot;" d:format="image/x"><q:list><r:Bag><r:li>1</r:li></r:Bag></q:list><d:title><r:Alt><r:li xml:lang="x-default">Old</r:li></r:Alt></d:title></r:Description></r:RDF></x:xmpmeta>`
const pictureOf = (format: Format, isRich = false) =>
  (isRich ? blank().withExif({ IFD0: { Make: 'Canon', Artist: 'Old' }, IFD3: { GPSLatitudeRef: 'N' } }).withXmp(others) : blank()) // prettier-ignore
    .toFormat(format)
    .toBuffer()

const all: Edits = new Map<string, Text[]>([
  ['xmp:title', [{ value: 'Hafen <&> "Süd"', loc: 'de_DE' }, { value: 'Harbour ☀', loc: 'en_GB' }]], // prettier-ignore
  ['iptc:Object Name', [{ value: 'Hafen', loc: 'de_DE' }, { value: 'Harbour ☀', loc: 'en_GB' }]], // prettier-ignore
  plain('exif:XPTitle', 'Harbour ☀'),
  plain('exif:ImageDescription', 'Boats in the süd'),
  plain('exif:Artist', 'Ann', 'Bob'),
  plain('xmp:creator', 'Ann', 'Bob'),
  plain('iptc:By-line', 'Ann', 'Bob'),
  plain('xmp:subject', 'sea, calm', 'boats'),
  plain('iptc:Keywords', 'sea, calm', 'boats'),
  plain('xmp:CopyrightOwner', 'Fjord Ltd'),
  plain('xmp:LicenseEndDate', '2027-01-31T00:00:00.000Z'),
  plain('iptc:Expiration Date', '2027-01-31T00:00:00.000Z'),
  plain('exif:DateTimeOriginal', '2024-05-01T12:30:00.000Z'),
  plain('xmp:CreateDate', '2024-05-01T12:30:00.000Z'),
  plain('iptc:Time Created', '2024-05-01T12:30:00.000Z'),
  plain('gps:Latitude', '-33.8568'),
  plain('gps:Longitude', '151.2153'),
])

describe.each(formats)('a %s', (format) => {
  test.each([false, true])(
    'keeps its pixels, and any range of it is right (with metadata before: %s)',
    async (isRich) => {
      const before = await pictureOf(format, isRich)
      const { bytes, size } = await embed(before, format, all)
      expect(bytes.length).toBe(size)
      const pixels = (file: Buffer) => sharp(file).raw().toBuffer()
      expect((await pixels(bytes)).equals(await pixels(before))).toBe(true)
      for (const [first, last] of [
        [0, 0],
        [5, 900],
        [size - 100, size - 1],
        [1, size - 2],
      ] as const)
        // prettier-ignore
        expect((await embed(before, format, all, { first, last })).bytes.equals(bytes.subarray(first, last + 1))).toBe(true)
    },
  )

  test.runIf(hasExiftool).each([false, true])(
    'is valid for exiftool, which reads every value (before: %s)',
    async (isRich) => {
      const bytes = await edited(await pictureOf(format, isRich), format, all)
      expect(warningsOf(bytes)).toEqual([])
      const found = exiftool(bytes, '-n')
      expect(found).toMatchObject({
        'XMP-dc:Title': 'Harbour ☀',
        'XMP-dc:Title-de-DE': 'Hafen <&> "Süd"',
        'XMP-dc:Title-en-GB': 'Harbour ☀',
        'XMP-dc:Creator': ['Ann', 'Bob'],
        'XMP-dc:Subject': ['sea, calm', 'boats'],
        'XMP-plus:CopyrightOwner': [{ CopyrightOwnerName: 'Fjord Ltd' }],
        'XMP-plus:LicenseEndDate': '2027:01:31 00:00:00+00:00',
        'XMP-xmp:CreateDate': '2024:05:01 12:30:00+00:00',
        'IFD0:XPTitle': 'Harbour ☀',
        'IFD0:ImageDescription': 'Boats in the süd',
        'IFD0:Artist': 'Ann; Bob',
        'ExifIFD:DateTimeOriginal': '2024:05:01 12:30:00',
        'GPS:GPSLatitudeRef': 'S',
        'GPS:GPSLongitudeRef': 'E',
      })
      expect(found['Composite:GPSLatitude']).toBeCloseTo(-33.8568, 6)
      expect(found['Composite:GPSLongitude']).toBeCloseTo(151.2153, 6)
      if (format === 'jpeg' || format === 'tiff')
        expect(found).toMatchObject({
          'IPTC:CodedCharacterSet': '\u001b%G',
          'IPTC:ObjectName': 'Harbour ☀',
          'IPTC:By-line': ['Ann', 'Bob'],
          'IPTC:Keywords': ['sea, calm', 'boats'],
          'IPTC:ExpirationDate': '2027:01:31',
          'IPTC:TimeCreated': '12:30:00+00:00',
        })
      if (isRich)
      expect(found).toMatchObject({ ...(format !== 'tiff' && { 'IFD0:Make': 'Canon' }), 'XMP-q:Keep': 'me & "you"', 'XMP-q:List': [1], 'XMP-dc:Format': 'image/x' }) // prettier-ignore
    },
  )

  test.runIf(hasExiftool)('can be edited again and again; a tag without a value is removed', async () => {
    let bytes = await edited(await pictureOf(format, true), format, all)
    for (let i = 0; i < 3; i++) bytes = await edited(bytes, format, all)
    bytes = await edited(bytes, format, new Map([plain('xmp:title'), plain('exif:Artist'), plain('gps:Latitude'), plain('gps:Longitude')])) // prettier-ignore
    const found = exiftool(bytes)
    expect(warningsOf(bytes)).toEqual([])
    expect(Object.keys(found).filter((key) => /Title$|Title-|Artist|GPSLatitude$/.test(key) && !/XPTitle/.test(key))).toEqual([]) // prettier-ignore
    expect(found).toMatchObject({ 'XMP-dc:Creator': ['Ann', 'Bob'], 'XMP-q:Keep': 'me & "you"' })
    if (format !== 'tiff') expect(found['IFD0:Make']).toBe('Canon')
  })

  test.runIf(format !== 'tiff')('does not contain a removed value any more', async () => {
    const secret = 'a secret place'
    const before = await edited(await pictureOf(format), format, new Map([plain('exif:ImageDescription', secret)]))
    expect(before.includes(secret)).toBe(true)
    const after = await edited(before, format, new Map([plain('exif:ImageDescription'), plain('exif:Artist', 'Ann')]))
    expect(after.includes(secret)).toBe(false)
  })

  test('that is cut off anywhere is refused or sent as it is, never an error', async () => {
    const whole = await edited(await pictureOf(format, true), format, all)
    for (let length = 8; length < whole.length; length += 37)
      expect(await refusal(whole.subarray(0, length), format)).toMatch(/^no refusal$|cannot be merged|do not fit/)
  })

  test('with random changed bytes is refused or sent, never an error', async () => {
    const whole = await edited(await pictureOf(format, true), format, all)
    for (let seed = 1; seed < 400; seed++) {
      const broken = Buffer.from(whole)
      for (let i = 0; i < 3; i++) broken[8 + ((seed * 7919 + i * 104729) % (whole.length - 8))] = (seed * 31 + i) % 256
      for (const edits of [some, all])
        expect(await refusal(broken, format, edits), `seed ${seed}`).toMatch(/^no refusal$|cannot be merged|do not fit/)
    }
  })

  test('cannot be broken by values', async () => {
    const hostile = `</rdf:li></rdf:RDF><!-- ]]> <?x?> &amp; &#0; "' \u0000\u0001\ud800 \r\n ${'é'.repeat(50)}`
    const edits = new Map(embeddedTags.flatMap(({ name, target }) => (target ? [plain(name, hostile, hostile)] : [])))
    const before = await pictureOf(format)
    const bytes = await edited(before, format, edits)
    expect((await sharp(bytes).metadata()).width).toBe(61)
    if (!hasExiftool) return
    const found = exiftool(bytes)
    const readable = hostile.replaceAll(/[\u0000\u0001]/g, '').replace('\ud800', '\ufffd') // oxlint-disable-line no-control-regex
    expect(found['XMP-photoshop:City']).toBe(`${readable}, ${readable}`)
    expect(found['ExifTool:Error']).toBeUndefined()
  })
})

test('an equal file with equal values has an equal ETag; other values have another', async () => {
  const before = await pictureOf('jpeg')
  const etags = await Promise.all([some, some, title('Other')].map(async (edits) => (await embed(before, 'jpeg', edits)).etag)) // prettier-ignore
  expect(etags[0]).toBe(etags[1])
  expect(etags[0]).not.toBe(etags[2])
})

test('types that cannot carry metadata are refused; a sidecar is possible for any', async () => {
  expect(await refusal(Buffer.from('%PDF-'), 'gif')).toMatch(/image\/gif cannot carry metadata.*sidecar/)
  expect(await refusal(Buffer.from('%PDF-'), 'constructor')).toMatch(/cannot carry metadata/)
  const { name, parts, mime } = sidecarOf({ sha256: 'x', size: 1, mime: 'video/mp4', name: 'a film.mp4' }, all)
  expect([name, mime]).toEqual(['a film.xmp', 'application/rdf+xml'])
  if (hasExiftool) expect(exiftool(parts[0] as Buffer)['XMP-dc:Title-de-DE']).toBe('Hafen <&> "Süd"')
})

describe('a hostile file', () => {
  const segmentOf = (marker: number, content: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(content.length + 2, 2)
    return Buffer.concat([head, content])
  }
  /** A JPEG with these bytes behind its beginning. */
  const jpegWith = async (...bytes: Buffer[]) => {
    const jpeg = await pictureOf('jpeg')
    return Buffer.concat([jpeg.subarray(0, 2), ...bytes, jpeg.subarray(2)])
  }
  const resource = (id: number, data: Buffer) => {
    const head = Buffer.from('8BIM\0\0\0\0\0\0\0\0', 'latin1')
    head.writeUInt16BE(id, 4)
    head.writeUInt32BE(data.length, 8)
    return Buffer.concat([head, data])
  }
  const resources = (data: Buffer) => segmentOf(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0'), data]))

  test.each(['jpeg', 'png', 'webp'] as const)('(%s) may place values outside of its EXIF', async (format) => {
    const bytes = await edited(
      await pictureOf(format),
      format,
      new Map([plain('exif:ImageDescription', 'description')]),
    )
    const entry = bytes.indexOf(Buffer.from([0x01, 0x0e, 0, 2, 0, 0, 0, 12]))
    for (const [at, value] of [
      [4, 0x7fff_ffff],
      [8, 0xffff_fff0],
      [8, 0x0fff_ffff],
    ] as const) {
      // prettier-ignore
      const broken = Buffer.from(bytes)
      broken.writeUInt32BE(value, entry + at)
      if (format === 'png') expect(await refusal(broken, format, all)).toBe('no refusal')
      else expect((await sharp(await edited(broken, format, all)).metadata()).width).toBe(61)
    }
  })

  test('cannot have more parts than a real one', async () => {
    const empty = Buffer.from([0x1c, 2, 25, 0, 0])
    const entries = Buffer.concat(Array.from({ length: 13_000 }, () => empty))
    const many = resource(0x0404, entries)
    expect(await refusal(await jpegWith(resources(many)), 'jpeg', all)).toBe('no refusal')
    const twice = resource(0x0404, Buffer.concat([entries, entries]))
    const cut = 65_000
    expect(await refusal(await jpegWith(resources(twice.subarray(0, cut)), resources(twice.subarray(cut))), 'jpeg', all)).toContain('20000 entries') // prettier-ignore
    const small = Buffer.concat(Array.from({ length: 5000 }, () => resource(1, Buffer.alloc(0))))
    expect(await refusal(await jpegWith(...Array.from({ length: 5 }, () => resources(small))), 'jpeg', all)).toContain('20000 image resources') // prettier-ignore
    const large = resources(resource(1, Buffer.alloc(65_000)))
    expect(await refusal(await jpegWith(...Array.from({ length: 300 }, () => large)), 'jpeg', all)).toContain('resources are too large') // prettier-ignore
    expect(await refusal(await jpegWith(Buffer.alloc(1_000_000, 0xff)), 'jpeg', all)).toContain('too many segments')
  })

  test('may be a WebP without width', async () => {
    const webp = await pictureOf('webp')
    webp.writeUInt16LE(0, 26)
    expect(await refusal(webp, 'webp', all)).toContain('no picture')
  })
})

describe('XMP of a JPEG', () => {
  const segment = (marker: number, ...content: (string | Buffer)[]) => {
    const body = Buffer.concat(content.map((one) => Buffer.from(one as string)))
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(body.length + 2, 2)
    return Buffer.concat([head, body])
  }
  const insert = async (...segments: Buffer[]) => {
    const bytes = await pictureOf('jpeg')
    return Buffer.concat([bytes.subarray(0, 2), ...segments, bytes.subarray(2)])
  }
  const xmp = (packet: string) => segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', packet)
  const filled = (bytes: number) => others.replace('<q:list>', `<q:fill>${'x'.repeat(bytes)}</q:fill><q:list>`)

  test('that grows beyond a segment is divided: the values first, the rest as extended XMP', async () => {
    const bytes = await edited(await insert(xmp(filled(63_500))), 'jpeg', new Map([...all, plain('xmp:description', 'y'.repeat(3000))])) // prettier-ignore
    expect(bytes.indexOf('http://ns.adobe.com/xmp/extension/')).toBeGreaterThan(0)
    if (!hasExiftool) return
    const found = exiftool(bytes)
    expect(found).toMatchObject({ 'XMP-dc:Title-de-DE': 'Hafen <&> "Süd"', 'XMP-q:Keep': 'me & "you"', 'XMP-q:Fill': 'x'.repeat(63_500) }) // prettier-ignore
    expect(warningsOf(bytes)).toEqual([])
  })

  test('that is extended keeps its extension', async () => {
    const divided = await edited(await insert(xmp(filled(64_000))), 'jpeg', new Map([...all, plain('xmp:description', 'y'.repeat(3000))])) // prettier-ignore
    const again = await edited(divided, 'jpeg', title('New'))
    if (hasExiftool)
      expect(exiftool(again)).toMatchObject({ 'XMP-dc:Title': 'New', 'XMP-q:Fill': 'x'.repeat(64_000), 'XMP-q:Keep': 'me & "you"' }) // prettier-ignore
    expect(await refusal(again, 'jpeg', new Map([plain('xmp:description', 'z'.repeat(70_000))]))).toMatch(/do not fit into the XMP/) // prettier-ignore
  })

  test.each([
    ['that is not well-formed', '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>', /not well-formed/],
    ['with an entity bomb', '<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>', /document type/],
    ['without RDF', '<a/>', /no rdf:RDF/],
    ['that is empty', '', /its XMP/],
    ['that is nested a thousand times', '<a>'.repeat(1000), /too many elements/],
  ])('%s is refused', async (_what, packet, expected) => {
    expect(await refusal(await insert(xmp(packet)), 'jpeg')).toMatch(expected)
  })

  test('that is not UTF-8 is refused', async () => {
    const packet = Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0<a>'), Buffer.from([0xff, 0xfe])])
    expect(await refusal(await insert(segment(0xe1, packet)), 'jpeg')).toMatch(/not UTF-8/)
  })

  test('further pictures behind the first one are still found', async () => {
    const [first, second] = [await pictureOf('jpeg', true), await pictureOf('jpeg')]
    const list = Buffer.alloc(50 + 32)
    list.write('II*\0', 'latin1')
    list.writeUInt32LE(8, 4)
    list.writeUInt16LE(3, 8)
    ;[
      [0xb000, 7, 4, 0x30303130],
      [0xb001, 4, 1, 2],
      [0xb002, 7, 32, 50],
    ].forEach(([tag, type, count, value], i) => {
      // prettier-ignore
      list.writeUInt16LE(tag!, 10 + i * 12)
      list.writeUInt16LE(type!, 12 + i * 12)
      list.writeUInt32LE(count!, 14 + i * 12)
      list.writeUInt32LE(value!, 18 + i * 12)
    })
    const mpf = segment(0xe2, 'MPF\0', list)
    const size = first.length + mpf.length
    // The list is the first segment, so that metadata which is replaced comes before and behind it.
    const start = 2 + 4 + 4
    mpf.writeUInt32LE(size, 8 + 50 + 4)
    mpf.writeUInt32LE(second.length, 8 + 66 + 4)
    mpf.writeUInt32LE(size - start, 8 + 66 + 8)
    const bytes = Buffer.concat([first.subarray(0, 2), mpf, first.subarray(2), second])
    const after = await edited(bytes, 'jpeg', all)
    const at = after.indexOf('MPF\0') + 4
    expect(at + after.readUInt32LE(at + 66 + 8)).toBe(after.length - second.length)
    expect(after.readUInt32LE(at + 54)).toBe(after.length - second.length)
    expect(after.subarray(-second.length).equals(second)).toBe(true)
  })

  test('IPTC of others stays and becomes UTF-8; long lists need several segments', async () => {
    const dataset = (number: number, data: Buffer) => Buffer.concat([Buffer.from([0x1c, 2, number, 0, data.length]), data]) // prettier-ignore
    const iptc = Buffer.concat([dataset(105, Buffer.from('Gr\xfc\xdfe', 'latin1')), dataset(5, Buffer.from('Old'))])
    const size = Buffer.alloc(4)
    size.writeUInt32BE(iptc.length)
    const resource = Buffer.concat([
      Buffer.from('8BIM\x04\x04\0\0', 'latin1'),
      size,
      iptc,
      Buffer.alloc(iptc.length % 2),
    ])
    const words = Array.from({ length: 1500 }, (_, i) => `${'keyword '.repeat(8)}${i}`.slice(-64))
    const bytes = await edited(await insert(segment(0xed, 'Photoshop 3.0\0', resource)), 'jpeg', new Map([plain('iptc:Keywords', ...words), plain('iptc:Object Name', 'ü'.repeat(40))])) // prettier-ignore
    if (!hasExiftool) return
    const found = exiftool(bytes)
    expect(found['IPTC:Headline']).toBe('Grüße')
    expect(found['IPTC:ObjectName']).toBe('ü'.repeat(32))
    expect(found['IPTC:Keywords']).toEqual(words.map((word) => word.trim()))
    expect(found['Photoshop:IPTCDigest']).toBe(found['File:CurrentIPTCDigest'])
  })

  test('EXIF that does not fit into its segment is refused', async () => {
    expect(await refusal(await pictureOf('jpeg'), 'jpeg', new Map([plain('exif:ImageDescription', 'x'.repeat(66_000))]))).toMatch(/do not fit into the EXIF/) // prettier-ignore
  })
})

describe('XMP of a PNG', () => {
  const insert = async (type: string, data: Buffer) => {
    const bytes = await pictureOf('png')
    const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)])
    chunk.writeUInt32BE(data.length)
    return Buffer.concat([bytes.subarray(0, 33), chunk, bytes.subarray(33)])
  }
  const compressed = (text: Buffer) => Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0'), deflateSync(text)])

  test('that is compressed is merged', async () => {
    const bytes = await edited(await insert('iTXt', compressed(Buffer.from(others))), 'png', some)
    expect(bytes.toString('latin1')).toContain('q:keep')
    expect(bytes.toString('latin1')).not.toContain('>Old<')
  })

  test('that grows to more than a mebibyte is refused', async () => {
    expect(await refusal(await insert('iTXt', compressed(Buffer.alloc(50 * 1024 * 1024))), 'png')).toMatch(/cannot be decompressed/) // prettier-ignore
    expect(await refusal(await insert('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), Buffer.alloc(1_100_000)])), 'png')).toMatch(/more than/) // prettier-ignore
  })
})
