/** Reading and writing messages in the three formats, against the bare parsers: saxes, JSON.parse, JSON.stringify. */
import { decode, encode, formats, Pim } from '@kontor/contract'
import { SaxesParser } from 'saxes'
import { compareCpu, type Table } from './measure.ts'

/** Products with thirty values each: simple, localized and listed ones, with some signs that need escaping. */
export function sampleProducts(count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `Sailing jacket ${i}`,
    vals: { val: Array.from({ length: 30 }, (_, v) => sampleValue(i, v)) },
    tid: `P-${String(i).padStart(8, '0')}`,
    node: '/Standard/Clothing/Jackets',
  }))
}

function sampleValue(i: number, v: number): object {
  const attr = `attribute_${v}`
  if (v % 3 === 1) {
    return {
      itm: ['en_GB', 'de_DE', 'fr_FR'].map((loc) => ({ value: `Weather & wind ${i} ${v}`, loc })),
      attr,
      type: 'localized',
    }
  }
  if (v % 10 === 2) return { itm: [0, 1, 2].map((pos) => ({ value: `size ${pos + i}`, pos })), attr, type: 'multiple' }
  return { itm: [{ value: `value ${(i * 31 + v * 17) % 1000}` }], attr }
}

export async function codecs(megabytes = 8): Promise<Table[]> {
  const one = encode(formats.xml, Pim, { products: { product: sampleProducts(1) } }).length
  const message = { schemaVersion: '5.6.0', products: { product: sampleProducts(Math.ceil((megabytes * 1e6) / one)) } }
  const text = {
    xml: encode(formats.xml, Pim, message),
    json: encode(formats.json, Pim, message),
    compact: encode(formats.compact, Pim, message),
  }
  const bytes = { xml: Buffer.from(text.xml), json: Buffer.from(text.json), compact: Buffer.from(text.compact) }
  const read = (name: keyof typeof formats) => ({
    what: `Kontor reads ${name} whole: parsed, judged, typed`,
    run: () => (decode(formats[name], Pim, bytes[name]), bytes[name].length),
  })
  const stream = (name: keyof typeof formats) => ({
    what: `Kontor reads ${name} in pieces of 64 KiB, object by object`,
    run() {
      const reader = formats[name].codec.reader(Pim, { sink: () => {} })
      for (let at = 0; at < bytes[name].length; at += 65536) reader.write(bytes[name].subarray(at, at + 65536))
      reader.end()
      return bytes[name].length
    },
  })
  const write = (name: keyof typeof formats) => ({
    what: `Kontor writes ${name}`,
    run: () => Buffer.byteLength(encode(formats[name], Pim, message)),
  })
  return [
    await compareCpu('Reading XML', 'MB', 1e6, [
      {
        what: 'saxes, bare, no handlers',
        run: () => (new SaxesParser({ xmlns: true }).write(text.xml).close(), bytes.xml.length),
      },
      read('xml'),
      stream('xml'),
    ]),
    await compareCpu('Reading JSON', 'MB', 1e6, [
      { what: 'JSON.parse', run: () => (JSON.parse(bytes.json.toString()), bytes.json.length) },
      read('json'),
      stream('json'),
    ]),
    await compareCpu('Reading compact JSON', 'MB', 1e6, [
      { what: 'JSON.parse', run: () => (JSON.parse(bytes.compact.toString()), bytes.compact.length) },
      read('compact'),
      stream('compact'),
    ]),
    await compareCpu('Writing', 'MB', 1e6, [
      { what: 'JSON.stringify', run: () => Buffer.byteLength(JSON.stringify(message)) },
      write('json'),
      write('compact'),
      write('xml'),
    ]),
  ]
}
