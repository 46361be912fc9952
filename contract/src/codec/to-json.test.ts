/** Writing JSON, whole and in pieces. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Pim } from '../schema/envelope.ts'
import type { Type } from '../schema/describe.ts'
import { streamedField, type Writer } from './codec.ts'
import { compactReader } from './from-compact.ts'
import { encode, formats } from './formats.ts'
import { jsonReader } from './from-json.ts'
import { arbitraryOf } from './message.arbitrary.ts'
import { Sample } from './sample.arbitrary.ts'
import { ShortHead, ShortVal, type ShortValue } from './short-val.ts'
import { compactWriter } from './to-compact.ts'
import { jsonWriter, toJson } from './to-json.ts'

describe('a whole message', () => {
  // prettier-ignore
  test.each([
    ['child elements come first, attributes after them',
      { version: '1', parts: { part: [{ tid: 'a', kind: 'big', title: 'b', note: { lang: 'en', value: 'c' } }] } },
      '{"parts":{"part":[{"title":"b","note":{"value":"c","lang":"en"},"tid":"a","kind":"big"}]},"version":"1"}'],
    ['what is empty or undefined is left out, an empty object is not',
      { version: '1', count: undefined, meta: { itm: [] }, parts: { part: [{ tid: '', tags: [], note: { value: '' }, title: '' }] } },
      '{"meta":{},"parts":{"part":[{"title":"","note":{},"tid":""}]},"version":"1"}'],
    ['there is no null, except where anything goes',
      { version: '1', meta: null, parts: { part: [{ tid: 'a', title: null, free: null }] } },
      '{"parts":{"part":[{"free":null,"tid":"a"}]},"version":"1"}'],
    ['a long has all its digits',
      { version: '1', count: 9007199254740993n, parts: { part: [{ tid: 'a', ids: [1, -(2n ** 63n)] }] } },
      '{"parts":{"part":[{"ids":[1,-9223372036854775808],"tid":"a"}]},"version":"1","count":9007199254740993}'],
    ['what is not described is not written',
      { version: '1', secret: 'x', parts: { part: [{ tid: 'a', secret: 'x' }] } },
      '{"parts":{"part":[{"tid":"a"}]},"version":"1"}'],
  ])('%s', (_rule, value, text) => {
    expect(toJson(Sample, value)).toBe(text)
  })

  test('an error in a value is not mistaken for a long', () => {
    const free = {
      get broken() {
        throw new TypeError('broken')
      },
    }
    expect(() => toJson(Sample, { version: '1', parts: { part: [{ tid: 'a', free }] } })).toThrow('broken')
  })
})

describe('a message in pieces', () => {
  const write = (writer: Writer, shell: object, ...items: [string, object][]) =>
    [writer.start(shell), ...items.map(([container, item]) => writer.item(container, item)), writer.end()].join('|')

  test('the shell is written first, and each container with its first item', () => {
    const shell = { version: '1', parts: { meta: { itm: [{ key: 'a' }] } }, notes: { mode: 'x' } }
    expect(write(jsonWriter(Sample), shell, ['parts', { tid: 'a' }], ['parts', { tid: 'b' }], ['notes', {}])).toBe(
      '{"version":"1"|,"parts":{"meta":{"itm":[{"key":"a"}]},"part":[{"tid":"a"}|,{"tid":"b"}|]},"notes":{"mode":"x","note":[{}|]}}',
    )
    expect(write(compactWriter(Sample), shell, ['parts', { tid: 'a' }], ['parts', { tid: 'b' }], ['notes', {}])).toBe(
      '{"version":"1"|,"parts":{"meta":{"a":""},"part":[{"tid":"a"}|,{"tid":"b"}|]},"notes":{"mode":"x","note":[{}|]}}',
    )
  })

  test('a container can be opened even if the shell does not contain it', () => {
    expect(write(jsonWriter(Sample), {}, ['parts', { tid: 'a' }])).toBe('{|"parts":{"part":[{"tid":"a"}|]}}')
    expect(write(compactWriter(Sample), {}, ['parts', { tid: 'a' }])).toBe('{|"parts":[{"tid":"a"}|]}')
  })

  test('a container without items is written at the end', () => {
    expect(write(jsonWriter(Sample), { parts: {}, notes: { mode: 'x' } })).toBe('{|"parts":{},"notes":{"mode":"x"}}')
    expect(write(compactWriter(Sample), { parts: {}, version: '1' })).toBe('{"version":"1"|,"parts":[]}')
  })

  test('items in the shell are written first', () => {
    expect(write(jsonWriter(Sample), { parts: { part: [{ tid: 'a' }] } }, ['parts', { tid: 'b' }])).toBe(
      '{|"parts":{"part":[{"tid":"a"},{"tid":"b"}|]}}',
    )
  })

  test('items of a container must be consecutive', () => {
    expect(() => write(jsonWriter(Sample), {}, ['parts', {}], ['notes', {}], ['parts', {}])).toThrow(
      "cannot write items of 'parts'",
    )
    expect(() => write(jsonWriter(Sample), {}, ['meta', {}])).toThrow("cannot write items of 'meta'")
  })

  test.each([
    ['JSON', jsonWriter, jsonReader],
    ['compact JSON', compactWriter, compactReader],
  ])('is read like the whole one in %s', (_name, writerOf, readerOf) => {
    fc.assert(
      fc.property(arbitraryOf(Pim), (message) => {
        const writer = writerOf(Pim)
        const reader = readerOf(Pim)
        const { shell, items } = taken(Pim, message)
        const bytes = (text: string) => new TextEncoder().encode(text)
        reader.write(bytes(writer.start(shell)))
        for (const [container, item] of items) reader.write(bytes(writer.item(container, item)))
        reader.write(bytes(writer.end()))
        expect(reader.end()).toEqual(message)
      }),
      { numRuns: 200 },
    )
  })
})

/** Removes the items from a message. */
function taken(root: Type, message: object): { shell: object; items: [string, object][] } {
  const items: [string, object][] = []
  const shell = Object.entries(message).map(([name, value]) => {
    const list = root.fields[name]!.kind === 'child' ? streamedField(root.fields[name]!.type!())?.[0] : undefined
    if (!list || !value[list]) return [name, value]
    const { [list]: own, ...others } = value
    items.push(...own.map((item: object) => [name, item]))
    return [name, others]
  })
  return { shell: Object.fromEntries(shell), items }
}

describe('a value in its short form is written like the same value in full', () => {
  const heads = fc.record(
    {
      attr: fc.string({ minLength: 1 }).filter((text) => /^[ -~]+$/.test(text)),
      type: fc.constantFrom('multiple', 'localized', 'domain'),
      parent: fc.constant('sizes'),
      dataType: fc.constant('number'),
    },
    { requiredKeys: ['attr'] },
  ) as fc.Arbitrary<ShortHead['fields']>
  const text = fc.oneof(
    fc.constantFrom('"', '\\', 'ä', '<&>', '😀', 'x'.repeat(200), '\t'),
    fc.stringMatching(/^[ -~]+$/),
  )
  const values: fc.Arbitrary<ShortValue> = fc.oneof(
    text,
    fc.array(text, { minLength: 1, maxLength: 3 }),
    fc.dictionary(fc.constantFrom('en_GB', 'de_DE', 'xx'), text, { minKeys: 1 }),
  )
  const vals = fc.array(
    fc.tuple(heads, values).map(([head, value]) => new ShortVal(new ShortHead(head), value)),
    { minLength: 1, maxLength: 4 },
  )
  test.each(Object.entries(formats))('%s', (_name, format) => {
    fc.assert(
      fc.property(vals, (short) => {
        const product = (val: object[]) => ({ name: 'a', vals: { val }, tid: 't' })
        const written = (val: object[]) => {
          const writer = format.codec.writer(Pim)
          return [writer.start({}), writer.item('products', product(val)), writer.end()].join('')
        }
        const long = short.map((val) => val.inLong())
        expect(written(short)).toBe(written(long))
        const whole = (val: object[]) => encode(format, Pim, { products: { product: [product(val)] } })
        expect(whole(short)).toBe(whole(long))
      }),
    )
  })
})
