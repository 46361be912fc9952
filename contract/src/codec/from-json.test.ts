/** Reading JSON from bytes: accepted messages, chunks of any size, and the position of faults. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BadMessage, defaultLimits, type ReadOptions } from './codec.ts'
import { compactReader } from './from-compact.ts'
import { jsonReader } from './from-json.ts'
import { arbitraryOf } from './message.arbitrary.ts'
import { Sample } from './sample.arbitrary.ts'
import { toJson } from './to-json.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

function read(message: string | Uint8Array, options: ReadOptions = {}, size = Infinity, reader = jsonReader): object {
  const bytes = typeof message === 'string' ? bytesOf(message) : message
  const one = reader(Sample, options)
  for (let at = 0; at < bytes.length; at += size) one.write(bytes.subarray(at, at + size))
  return one.end()
}

function faultOf(
  message: string | Uint8Array,
  options: ReadOptions = {},
  size = Infinity,
  reader = jsonReader,
): string {
  try {
    read(message, options, size, reader)
  } catch (error) {
    if (error instanceof BadMessage) return error.message
    throw error
  }
  return 'no fault'
}

const whole = `\ufeff {"count": 12345678901234567,
  "parts": {"part": [ {"tid":"a \\"b\\\\","title":"é€😀\\u00e9\\n"} , {"tid":"c","part":[{"tid":"]}{[","ids":[9007199254740993,1]}]}],
    "meta": {"itm":[{"key":"k","value":"v"}]}},
  "links":{"itms":[],"itm":[{}]},"version":"1"} `
const value = {
  count: 12345678901234567n,
  parts: {
    part: [
      { tid: 'a "b\\', title: 'é€😀é\n' },
      { tid: 'c', part: [{ tid: ']}{[', ids: [9007199254740993n, 1] }] },
    ],
    meta: { itm: [{ key: 'k', value: 'v' }] },
  },
  links: { itm: [{}] },
  version: '1',
}

describe('a message in pieces', () => {
  test('gives the same result as a whole message', () => {
    expect(read(whole)).toEqual(value)
  })

  test('gives the same result when it is cut at any byte', () => {
    const bytes = bytesOf(whole)
    for (let at = 0; at <= bytes.length; at++) {
      const reader = jsonReader(Sample)
      reader.write(bytes.subarray(0, at))
      reader.write(bytes.subarray(at))
      expect(reader.end(), `cut at ${at}`).toEqual(value)
    }
  })

  test.each([1, 2, 3, 7, 64])('gives the same result in pieces of %i bytes', (size) => {
    expect(read(whole, {}, size)).toEqual(value)
  })

  test('may arrive in a buffer that is reused', () => {
    const reader = jsonReader(Sample)
    const buffer = new Uint8Array(5)
    const bytes = bytesOf(whole)
    for (let at = 0; at < bytes.length; at += 5) {
      const piece = bytes.subarray(at, at + 5)
      buffer.set(piece)
      reader.write(buffer.subarray(0, piece.length))
    }
    expect(reader.end()).toEqual(value)
  })

  test('is refused with the same fault wherever it is cut', () => {
    const bad = whole.replace('"c"', '7').replace('"k"', 'k').replace('"title"', '"titel"')
    const expected = faultOf(bad)
    expect(expected).toMatch(/titel: unknown.*part\[2\].*meta: this is not well-formed JSON/)
    for (let size = 1; size < 100; size++) expect(faultOf(bad, {}, size)).toBe(expected)
  })

  test('random messages survive random cuts', () => {
    fc.assert(
      fc.property(arbitraryOf(Sample), fc.integer({ min: 1, max: 200 }), (message, size) => {
        const text = toJson(Sample, message)
        expect(read(text, {}, size)).toEqual(message)
        expect(read(text, {}, size, compactReader)).toEqual(message)
      }),
      { numRuns: 200 },
    )
  })
})

describe('items', () => {
  const message =
    '{"version":"1","parts":{"part":[{"tid":"a"},{"tid":"b"}],"meta":{}},"notes":{"mode":"x","note":[{"value":"n"}]}}'
  const received = (text: string, reader = jsonReader) => {
    const items: unknown[] = []
    const shell = read(text, { sink: (container, item) => items.push([container, item]) }, Infinity, reader)
    return { items, shell }
  }
  const items = [
    ['parts', { tid: 'a' }],
    ['parts', { tid: 'b' }],
    ['notes', { value: 'n' }],
  ]

  test('go to the sink, and the rest is the shell', () => {
    expect(received(message)).toEqual({ items, shell: { version: '1', parts: { meta: {} }, notes: { mode: 'x' } } })
  })

  test('go to the sink under the name of the container, whatever name was sent', () => {
    const { items } = received('{"version":"1","remarks":{"remark":[{"value":"n"}]}}')
    expect(items).toEqual([['notes', { value: 'n' }]])
  })

  test('go to the sink from a compact container', () => {
    const compact = '{"version":"1","parts":[{"tid":"a"},{"tid":"b"}],"notes":[{"value":"n"}]}'
    expect(received(compact, compactReader)).toEqual({ items, shell: { version: '1', parts: {}, notes: {} } })
  })

  test('arrive as soon as they are complete', () => {
    let count = 0
    const reader = jsonReader(Sample, { sink: () => count++ })
    reader.write(bytesOf('{"parts":{"part":[{"tid":"a"},{"tid":"b"'))
    expect(count).toBe(1)
    reader.write(bytesOf('}'))
    expect(count).toBe(2)
  })

  test('with faults do not arrive, but the other items do', () => {
    const tids: string[] = []
    const text = '{"version":"1","parts":{"part":[{"tid":"a"},{"tid":1},{"tid":"c"}]}}'
    expect(faultOf(text, { sink: (_, item) => tids.push((item as { tid: string }).tid) })).toBe(
      '/sample/parts/part[2]/@tid: 1 is not a text',
    )
    expect(tids).toEqual(['a', 'c'])
  })

  test('count for a required list, which is missing without them', () => {
    expect(received('{"version":"1","notes":{"note":[{}]}}').items).toHaveLength(1)
    expect(faultOf('{"version":"1","notes":{"note":[]}}')).toBe('/sample/notes/note: this field is missing')
    expect(faultOf('{"version":"1","notes":[]}', {}, Infinity, compactReader)).toBe(
      '/sample/notes/note: this field is missing',
    )
  })
})

describe('long numbers', () => {
  // prettier-ignore
  test.each([
    ['9007199254740991',            9007199254740991],
    ['9007199254740993',            9007199254740993n],
    ['-9007199254740993',           -9007199254740993n],
    ['9223372036854775807',         2n ** 63n - 1n],
    ['-9223372036854775808',        -(2n ** 63n)],
    ['"9223372036854775807"',       2n ** 63n - 1n],
    ['0000000000000000000001',      undefined],
    ['9223372036854775808',         undefined],
    ['1e3',                         1000],
    ['9007199254740993.0',          undefined],
    ['1e30',                        undefined],
    ['1e999',                       undefined],
    [`1${'0'.repeat(100_000)}`,     undefined],
  ])('%s', (written, count) => {
    const message = `{"version":"1","count":${written}}`
    for (const size of [1, Infinity])
      if (count === undefined) expect(faultOf(message, {}, size)).toMatch(/^\/sample\/@count: /)
      else expect(read(message, {}, size)).toEqual({ version: '1', count })
  })
})

describe('malformed JSON', () => {
  // prettier-ignore
  test.each([
    ['',                                             '/sample: the message is empty'],
    ['  \n',                                         '/sample: the message is empty'],
    ['[]',                                           `/sample: expected '{' (byte 0)`],
    ['"a"',                                          `/sample: expected '{' (byte 0)`],
    ['{',                                            '/sample: the message ends before it is complete (byte 1)'],
    ['{"version":"1"',                               '/sample: the message ends before it is complete (byte 14)'],
    ['{"version":"1',                                '/sample/@version: the message ends before it is complete (byte 13)'],
    ['{"version":"1"} x',                            '/sample: unexpected content after the end of the message (byte 16)'],
    ['{"version":"1"}{}',                            '/sample: unexpected content after the end of the message (byte 15)'],
    ['{"version":"1",}',                             '/sample: expected the name of a field in quotes (byte 15)'],
    ['{,"version":"1"}',                             '/sample: expected the name of a field in quotes (byte 1)'],
    ['{version:"1"}',                                '/sample: expected the name of a field in quotes (byte 1)'],
    ['{"version" "1"}',                              `/sample/@version: expected ':' (byte 11)`],
    ['{"version":}',                                 '/sample/@version: expected a value (byte 11)'],
    ['{"version":"1" "count":1}',                    `/sample: expected ',' or '}' (byte 15)`],
    ['{"version":"1"]',                              `/sample: expected ',' or '}' (byte 14)`],
    ['{"version":tru}',                              '/sample/@version: this is not well-formed JSON (from byte 11)'],
    ['{"version":\'1\'}',                            '/sample/@version: this is not well-formed JSON (from byte 11)'],
    ['{"count":01}',                                 '/sample/@count: this is not well-formed JSON (from byte 9)'],
    ['{"version":"\\x"}',                            '/sample/@version: this is not well-formed JSON (from byte 11)'],
    ['{"ver\\sion":"1"}',                            '/sample: this is not well-formed JSON (from byte 1)'],
    ['{"version":"\u0001"}',                         '/sample/@version: this is not well-formed JSON (from byte 11)'],
    ['{"meta":{"itm":[}]}',                          '/sample/meta: this is not well-formed JSON (from byte 8)'],
    ['{"meta":{"itm":[}}}',                          '/sample/meta: this is not well-formed JSON (from byte 8)'],
    ['{"parts":{"part":[{"tid":"a"}{"tid":"b"}]}}',  `/sample/parts/part[2]: expected ',' or ']' (byte 29)`],
    ['{"parts":{"part":[{"tid":"a"},]}}',            '/sample/parts/part[2]: expected a value (byte 30)'],
    ['{"parts":{"part":[,{"tid":"a"}]}}',            '/sample/parts/part[1]: expected a value (byte 18)'],
    ['{"parts":{"part":[{"tid":"a"},{"tid":}]}}',    '/sample/parts/part[2]: this is not well-formed JSON (from byte 30)'],
    ['{"parts":{"part":[{"tid":"a"}}}',              `/sample/parts/part[2]: expected ',' or ']' (byte 29)`],
    ['{"parts":{"part":[{"tid":"a"}',                '/sample/parts/part[2]: the message ends before it is complete (byte 29)'],
    ['{"parts":{"meta":{}',                          '/sample/parts: the message ends before it is complete (byte 19)'],
    ['{"parts":{"part":[]],"version":"1"}',          `/sample/parts: expected ',' or '}' (byte 19)`],
  ])('%s', (message, fault) => {
    expect(faultOf(message)).toBe(fault)
    expect(faultOf(message, {}, 1)).toBe(fault)
  })

  test('random texts are refused where JSON.parse refuses them', () => {
    const isJson = (text: string) => {
      try {
        return typeof JSON.parse(text) === 'object'
      } catch {
        return false
      }
    }
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      ' ',
      '1',
      'null',
      '"part"',
      '"parts"',
      '{}',
      '"parts":{"part":[{}',
    ]
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => `{"version":"1"${all.join('')}}`)
    const syntax = /expected|well-formed|before it is complete|after the end/
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (message, size) => {
        const fault = faultOf(message, {}, size)
        if (isJson(message)) expect(fault).not.toMatch(syntax)
        else expect(fault).toMatch(/expected|well-formed|before it is complete|after the end|given twice/)
      }),
      { numRuns: 5000 },
    )
  })
})

describe('invalid encodings', () => {
  const invalid = (at: string, ...bytes: number[]) => {
    const [before = '', after = ''] = at.split('?')
    return Uint8Array.from([...bytesOf(before), ...bytes, ...bytesOf(after)])
  }
  // prettier-ignore
  test.each([
    ['half a character',    '{"version":"?"}',                                       [0xc3],             '/sample/@version: this is not UTF-8 (from byte 11)'],
    ['an overlong one',     '{"version":"?"}',                                       [0xc0, 0x80],       '/sample/@version: this is not UTF-8 (from byte 11)'],
    ['a surrogate',         '{"parts":{"part":[{"tid":"a"},{"tid":"?"}]}}',          [0xed, 0xa0, 0x80], '/sample/parts/part[2]: this is not UTF-8 (from byte 30)'],
    ['Latin-1 in a name',   '{"?":"1"}',                                             [0xe9],             '/sample: this is not UTF-8 (from byte 1)'],
    ['part of a mark',      '?{"version":"1"}',                                      [0xef, 0xbb],       `/sample: expected '{' (byte 2)`],
    ['a mark inside',       '{"version":"1"?}',                                      [0xef, 0xbb, 0xbf], `/sample: expected ',' or '}' (byte 14)`],
    ['UTF-16',              '?',                                                     [0xff, 0xfe, 0x7b, 0x00], `/sample: expected '{' (byte 0)`],
  ])('%s', (_what, around, bytes, fault) => {
    expect(faultOf(invalid(around, ...bytes))).toBe(fault)
    expect(faultOf(invalid(around, ...bytes), {}, 1)).toBe(fault)
  })

  test.each(['latin1', 'utf-16', 'ISO-8859-1'])('the charset %s is refused', (charset) => {
    expect(() => jsonReader(Sample, { charset })).toThrow(`/sample: JSON must be in UTF-8, not in ${charset}`)
  })

  test.each(['utf-8', 'UTF-8', 'utf8'])('the charset %s is accepted', (charset) => {
    expect(read('{"version":"1"}', { charset })).toEqual({ version: '1' })
  })
})

describe('hostile messages', () => {
  test('a million levels are refused quickly', () => {
    for (const [open, close] of ['[]', '{}'])
      for (const [before, path] of [
        ['{"meta":', '/sample/meta'],
        ['{"version":"1","parts":{"part":[', '/sample/parts/part[1]'],
        ['{"unknown":', '/sample/unknown'],
      ] as const) {
        const message = before + open!.repeat(1_000_000) + close!.repeat(1_000_000)
        expect(faultOf(message)).toBe(`${path}: objects are nested more than 128 levels deep`)
      }
  })

  test('the depth of a recursive type is limited as in XML', () => {
    const nested = (levels: number): string =>
      levels === 0 ? '{"tid":"a"}' : `{"tid":"a","part":[${nested(levels - 1)}]}`
    const message = (levels: number) => `{"version":"1","parts":{"part":[${nested(levels - 3)}]}}`
    expect(faultOf(message(128))).toBe('no fault')
    expect(faultOf(message(129))).toMatch(/part\[1\]: objects are nested more than 128 levels deep$/)
  })

  test.each(['__proto__', 'constructor', 'prototype'])('%s is an unknown field everywhere', (name) => {
    const bad = (text: string, reader = jsonReader) =>
      faultOf(text.replace('?', `"${name}":{"version":"2"}`), {}, Infinity, reader)
    expect(bad('{"version":"1",?}')).toMatch(`/sample/${name}: unknown field`)
    expect(bad('{"version":"1","parts":{?}}')).toMatch(`/sample/parts/${name}: unknown field`)
    expect(bad('{"version":"1","parts":{"part":[{"tid":"a",?}]}}')).toMatch(
      `/sample/parts/part[1]/${name}: unknown field`,
    )
    expect(bad('{"version":"1","parts":[{"tid":"a",?}]}', compactReader)).toMatch(
      `/sample/parts/part[1]/${name}: unknown field`,
    )
    expect(({} as { version?: string }).version).toBeUndefined()
  })

  test.each([
    ['{"version":"1","version":"2"}', '/sample/@version: this field is given twice'],
    ['{"version":"1","parts":{},"parts":{}}', '/sample/parts: this field is given twice'],
    [
      '{"version":"1","notes":{"note":[{}]},"remarks":{"note":[{}]}}',
      '/sample/notes: this field is given twice, once as remarks',
    ],
    ['{"version":"1","parts":{"part":[],"part":[]}}', '/sample/parts/part: this field is given twice'],
    ['{"version":"1","parts":{"meta":{},"meta":{}}}', '/sample/parts/meta: this field is given twice'],
    ['{"version":"1","pa\\u0072ts":{},"parts":{}}', '/sample/parts: this field is given twice'],
  ])('%s', (message, fault) => {
    expect(faultOf(message)).toBe(fault)
  })

  // prettier-ignore
  test.each([
    ['a control character',   '\\u0001', 'U+0001'],
    ['a backspace',           '\\b',     'U+0008'],
    ['a form feed',           '\\f',     'U+000C'],
    ['a null',                '\\u0000', 'U+0000'],
    ['half a pair',           '\\ud83d', 'U+D83D'],
    ['the other half',        '\\ude00', 'U+DE00'],
    ['a non-character',       '\uffff',  'U+FFFF'],
  ])('%s, which is illegal in XML, is refused', (_what, written, name) => {
    const sentence = `the character ${name} cannot be part of a message; leave it out`
    for (const size of [1, Infinity]) {
      expect(faultOf(`{"version":"${written}"}`, {}, size)).toBe(`/sample/@version: ${sentence}`)
      expect(faultOf(`{"version":"1","parts":{"part":[{"tid":"a"},{"tid":"${written}"}]}}`, {}, size)).toBe(`/sample/parts/part[2]/@tid: ${sentence}`)
      expect(faultOf(`{"version":"1","meta":{"${written}":"a"}}`, {}, size, compactReader)).toBe(`/sample/meta/itm[1]/@key: ${sentence}`)
      expect(faultOf(`{"version":"1","links":{"${written}":"a"}}`, {}, size, compactReader)).toBe(`/sample/links/itm[1]/@key: ${sentence}`)
    }
  })

  test('a complete surrogate pair written as escapes is a character', () => {
    expect(read('{"version":"\\ud83d\\ude00\\u0041"}')).toEqual({ version: '😀A' })
  })
})

test.each([
  ['JSON', jsonReader],
  ['compact JSON', compactReader],
])('damaged %s is either read or refused with faults', (_name, reader) => {
  const damage = fc.record({
    at: fc.nat(),
    cut: fc.nat({ max: 3 }),
    put: fc.oneof(
      fc.uint8Array({ maxLength: 3 }),
      fc.constantFrom('"', '{}', '[', ',', '\\', '__proto__').map(bytesOf),
    ),
  })
  fc.assert(
    fc.property(arbitraryOf(Sample), damage, fc.integer({ min: 1, max: 99 }), (message, { at, cut, put }, size) => {
      const bytes = bytesOf(toJson(Sample, message))
      const place = at % bytes.length
      const damaged = Uint8Array.from([...bytes.subarray(0, place), ...put, ...bytes.subarray(place + cut)])
      expect(faultOf(damaged, {}, size, reader)).toBe(faultOf(damaged, {}, Infinity, reader))
    }),
    { numRuns: 500 },
  )
})

describe('sizes', () => {
  const limits = { ...defaultLimits, item: 100 }
  const item = (size: number) => `{"tid":"${'a'.repeat(size - 10)}"}`

  test.each([1, 10, Infinity])('an item may be as large as allowed, in pieces of %d', (size) => {
    const message = (bytes: number) => `{"version":"1","parts":{"part":[${item(100)},${item(bytes)}]}}`
    expect(faultOf(message(100), { limits }, size)).toBe('no fault')
    expect(faultOf(message(101), { limits }, size)).toBe('/sample/parts/part[2]: an item is larger than 100 bytes')
  })

  test.each([1, 10, Infinity])('the rest of the message may be as large as allowed, in pieces of %d', (size) => {
    const message = (bytes: number) => `{"version":"${'1'.repeat(bytes - 11)}"}`
    expect(faultOf(message(100), { limits }, size)).toBe('no fault')
    expect(faultOf(message(101), { limits }, size)).toBe(
      '/sample/@version: the message without its items is larger than 100 bytes',
    )
  })

  test('an endless item is refused as soon as it is too large', () => {
    const reader = jsonReader(Sample, { limits })
    reader.write(bytesOf('{"parts":{"part":[{"tid":"'))
    expect(() => {
      for (let i = 0; i < 20; i++) reader.write(bytesOf('aaaaaaaaaa'))
    }).toThrow('/sample/parts/part[1]: an item is larger than 100 bytes')
  })

  test('a message with too many faults is refused before its end', () => {
    const reader = jsonReader(Sample)
    reader.write(bytesOf('{"parts":{"part":['))
    expect(() => {
      for (let i = 0; i < 100; i++) reader.write(bytesOf('{},'))
    }).toThrow(BadMessage)
  })
})
