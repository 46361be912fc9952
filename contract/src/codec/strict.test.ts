/** Faults that every reader refuses in the same way: values that occur twice, lists where one value belongs, other encodings. */
import { describe, expect, test } from 'vitest'
import { Pim } from '../schema/envelope.ts'
import { AttributesQueryRequest, ProductQuery, ProductRequest } from '../schema/pim.ts'
import { Search } from '../schema/search.ts'
import { AssetQuery } from '../schema/dam.ts'
import type { Type } from '../schema/describe.ts'
import { BadMessage, defaultLimits, type Fault, type Limits } from './codec.ts'
import { decode, encode, formats } from './formats.ts'

type FormatName = keyof typeof formats

function faultsOf(format: FormatName, root: Type, message: string | Uint8Array, charset?: string): readonly Fault[] {
  const bytes = typeof message === 'string' ? new TextEncoder().encode(message) : message
  const refusals = [
    () => decode(formats[format], root, bytes, { charset }),
    () => inPieces(format, root, bytes, charset),
  ].map((read) => {
    try {
      read()
      return []
    } catch (error) {
      if (error instanceof BadMessage) return error.faults
      throw error
    }
  })
  expect(refusals[1], 'read in pieces').toEqual(refusals[0])
  return refusals[0]!
}

function inPieces(format: FormatName, root: Type, bytes: Uint8Array, charset?: string): void {
  const reader = formats[format].codec.reader(root, { charset, sink: () => {} })
  for (let at = 0; at < bytes.length; at += 3) reader.write(bytes.subarray(at, at + 3))
  reader.end()
}

const products = (product: string) => `{"schemaVersion":"5.6.0","products":{"product":[{"tid":"1"},${product}]}}`
const twice = 'this field is given twice'

describe('a name that occurs twice in an object is refused', () => {
  // prettier-ignore
  test.each<[what: string, format: FormatName, message: string, path: string]>([
    ['at the root',              'json',    '{"schemaVersion":"1","schemaVersion":"1"}',                 '/pim/@schemaVersion'],
    ['in an item',               'json',    products('{"tid":"2","tid":"3"}'),                           '/pim/products/product[2]/tid'],
    ['with the same value',      'json',    products('{"tid":"2","tid":"2"}'),                           '/pim/products/product[2]/tid'],
    ['written with an escape',   'json',    products('{"tid":"2","t\\u0069d":"3"}'),                     '/pim/products/product[2]/tid'],
    ['deep in an item',          'json',    products('{"vals":{"val":[{},{"itm":[{"pos":0,"pos":1}]}]}}'), '/pim/products/product[2]/vals/val[2]/itm[1]/pos'],
    ['in the shell',             'json',    '{"meta":{"itm":[{"key":"a","key":"b"}]},"schemaVersion":"1"}', '/pim/meta/itm[1]/key'],
    ['of an unknown field',      'json',    products('{"a":1,"a":2}'),                                   '/pim/products/product[2]/a'],
    ['a long before it',         'json',    products('{"name":"9007199254740993","tid":"2","tid":"3"}'), '/pim/products/product[2]/tid'],
    ['a key of a folded map',    'compact', '{"meta":{"a":"1","a":"2"},"schemaVersion":"1"}',            '/pim/meta/a'],
    ['an attribute of a product','compact', '{"schemaVersion":"1","products":[{"vals":{"a":"1","a":"2"}}]}', '/pim/products/product[1]/vals/a'],
    ['a locale',                 'compact', '{"schemaVersion":"1","products":[{"vals":{"a":{"en_GB":"1","en_GB":"2"}}}]}', '/pim/products/product[1]/vals/a/en_GB'],
  ])('%s (%s)', (_, format, message, path) => {
    expect(faultsOf(format, Pim, message)).toEqual([{ path, message: twice }])
  })

  test.each([
    ['an attribute', '<product tid="1" tid="2"/>'],
    ['an element', '<product><name>a</name><name>b</name></product>'],
  ])('%s (xml)', (_, product) => {
    const message = `<pim xmlns="http://www.apollon.de/omn" schemaVersion="1"><products>${product}</products></pim>`
    expect(faultsOf('xml', Pim, message)).toHaveLength(1)
  })

  test('the same name in different objects is accepted, also in texts that look like a name', () => {
    const message = products(
      '{"name":"a\\":b","tid":"2","vals":{"val":[{"attr":"x:y"},{"attr":"{\\"a\\":1,\\"a\\":2}"}]}}',
    )
    expect(faultsOf('json', Pim, message)).toEqual([])
  })
})

describe('a list where one value belongs is refused', () => {
  // prettier-ignore
  test.each<[what: string, format: FormatName, root: Type, message: string, path: string]>([
    ['a text',            'json',    ProductQuery, '{"searchStrategy":["x"]}',                              '/productQuery/searchStrategy'],
    ['a date',            'json',    ProductQuery, '{"modifiedFrom":["2024-02-25"]}',                       '/productQuery/modifiedFrom'],
    ['an object',         'json',    AssetQuery,   '{"directory":[{"path":"/MAM"}]}',                       '/assetQuery/directory'],
    ['a container',       'json',    Pim,          '{"schemaVersion":"1","products":[{"product":[]}]}',     '/pim/products'],
    ['an attribute',      'json',    Pim,          products('{"tid":["2"]}'),                               '/pim/products/product[2]/@tid'],
    ['the text of an item', 'json',  Pim,          products('{"meta":{"itm":[{"value":["2"]}]}}'),          '/pim/products/product[2]/meta/itm[1]'],
    ['a tid',             'compact', Pim,          '{"schemaVersion":"1","products":[{"tid":["2"]}]}',      '/pim/products/product[1]/@tid'],
    ['two values',        'json',    AttributesQueryRequest, '{"productId":[12,13]}',                       '/attributesQueryRequest/productId'],
    ['an empty list',     'json',    AttributesQueryRequest, '{"productId":[]}',                            '/attributesQueryRequest/productId'],
  ])('%s (%s)', (_, format, root, message, path) => {
    expect(faultsOf(format, root, message)).toEqual([{ path, message: expect.stringContaining('a list is not') }])
  })

  test('except in the query for attributes, whose documented samples send it', () => {
    expect(decode(formats.json, AttributesQueryRequest, new TextEncoder().encode('{"productId":[12]}'))).toEqual({
      productId: 12,
    })
  })
})

describe('a list in a request is limited', () => {
  const lists: { limits: Limits } = { limits: { ...defaultLimits, lists: true } }
  const encoder = new TextEncoder()
  const read = (format: FormatName, root: Type, value: object, options = lists) =>
    decode(formats[format], root, encoder.encode(encode(formats[format], root, value)), options)
  const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
  const itm = (count: number) => many(count, (pos) => ({ value: 'a', pos }))
  const envelope = (product: object) => ({ schemaVersion: '1', products: { product: [{ tid: '1' }, product] } })
  const values = (count: number) => envelope({ vals: { val: [{ attr: 'a', type: 'multiple', itm: itm(count) }] } })
  const articles = (count: number) => envelope({ articles: { article: many(count, (i) => ({ tid: String(i) })) } })

  test.each<[what: string, root: Type, max: number, make: (count: number) => object, path: RegExp]>([
    ['values of an attribute', Pim, 10_000, values, /^\/pim\/products\/product\[2\]\/vals\/val\[1\]\/itm/],
    ['articles of a product', Pim, 5000, articles, /^\/pim\/products\/product\[2\]\/articles\/article/],
    ['ids', ProductRequest, 10_000, (count) => ({ ids: many(count, (i) => i + 1) }), /^\/productRequest\/ids/],
    ['tids', ProductRequest, 10_000, (count) => ({ tids: many(count, String) }), /^\/productRequest\/tids/],
  ])('%s', (_, root, max, make, path) => {
    for (const format of ['json', 'compact', 'xml'] as const) {
      expect(() => read(format, root, make(max))).not.toThrow()
      expect(() => read(format, root, make(max + 1), { limits: defaultLimits }), 'a reply').not.toThrow()
      const refused = (error: unknown) =>
        error instanceof BadMessage &&
        error.faults.length === 1 &&
        path.test(error.faults[0]!.path) &&
        error.faults[0]!.message.includes(`the list has more than ${max} values; send fewer`)
      expect(() => read(format, root, make(max + 1)), format).toThrow(expect.toSatisfy(refused))
    }
  })

  test('also in a field of any value', () => {
    const value = many(10_001, String)
    const search = { query: { queryType: 'FIELD', name: 'tid', comparator: 'IN', value } }
    expect(() => read('json', Search, search)).toThrow('/search/query/value: the list has more than 10000 values')
  })
})

describe('XML in another encoding than UTF-8 and UTF-16 is refused', () => {
  const pim = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><pim xmlns="http://www.apollon.de/omn" schemaVersion="1"/>`
  const message = (encoding: string) =>
    expect.stringContaining(`the encoding ${encoding} is not supported; send UTF-8 or UTF-16`)

  test.each(['ISO-8859-1', 'windows-1252', 'US-ASCII', 'UTF-7', 'UTF-32', 'UCS-4', 'EBCDIC-CP-US', 'shift_jis'])(
    '%s, whether the message or the transport declares it',
    (encoding) => {
      expect(faultsOf('xml', Pim, pim(encoding))).toEqual([{ path: '/', message: message(encoding) }])
      expect(faultsOf('xml', Pim, pim(encoding), 'utf-8')).toEqual([{ path: '/', message: message(encoding) }])
      expect(faultsOf('xml', Pim, pim('UTF-8'), encoding)).toEqual([
        { path: '/', message: message(encoding.toLowerCase()) },
      ])
    },
  )

  const bytesOf = (text: string, width: number, littleEndian: boolean) => {
    const bytes = new Uint8Array(text.length * width)
    for (let i = 0; i < text.length; i++) bytes[i * width + (littleEndian ? 0 : width - 1)] = text.charCodeAt(i)
    return bytes
  }
  const plain = '<pim xmlns="http://www.apollon.de/omn" schemaVersion="1"/>'

  test.each<[string, Uint8Array, number]>([
    ['UTF-32 in little-endian order', bytesOf(plain, 4, true), 1],
    ['UTF-32 in big-endian order', bytesOf(plain, 4, false), 1],
    ['UTF-32 with a byte order mark', Uint8Array.from([0xff, 0xfe, 0, 0, ...bytesOf(plain, 4, true)]), 1],
    ['EBCDIC', Uint8Array.from([0x4c, 0x6f, 0xa7, 0x94, 0x93]), 1],
    ['Latin-1', Uint8Array.from([...bytesOf('<pim schemaVersion="', 1, true), 0xe4, ...bytesOf('"/>', 1, true)]), 1],
    ['UTF-16 in little-endian order', bytesOf(plain, 2, true), 0],
    ['UTF-16 in big-endian order', bytesOf(plain, 2, false), 0],
    ['UTF-8 with a byte order mark', Uint8Array.from([0xef, 0xbb, 0xbf, ...bytesOf(plain, 1, true)]), 0],
  ])('by its bytes: %s', (_, bytes, faults) => {
    expect(faultsOf('xml', Pim, bytes)).toHaveLength(faults)
  })
})
