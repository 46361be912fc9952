/** A valid message survives the conversion from any format to any other and back. */
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ErrorResponse, Pim } from '../schema/envelope.ts'
import type { Type } from '../schema/describe.ts'
import { requestTypes, types, typesWithin } from '../schema/types.ts'
import { decode, encode, formats } from './formats.ts'
import { arbitraryOf } from './message.arbitrary.ts'
import { Sample } from './sample.arbitrary.ts'
import { check } from './validate.ts'

type FormatName = keyof typeof formats
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Converts a message through a sequence of formats and returns all intermediate texts. */
function travel(type: Type, value: object, ...names: FormatName[]): { value: object; texts: string[] } {
  const texts: string[] = []
  for (const name of names) {
    const text = encode(formats[name], type, value)
    texts.push(text)
    value = decode(formats[name], type, bytesOf(text))
  }
  return { value, texts }
}

/** Compares without regard to the prototypes of maps. Calls `expect`, which is slow, only to report a difference. */
function expectSame(value: object, expected: object) {
  const [left, right] = [structuredClone(value), structuredClone(expected)]
  if (!isDeepStrictEqual(left, right)) expect(left).toEqual(right)
}

const hasJsonOnly = (type: Type) =>
  typesWithin([type]).some(({ fields }) =>
    Object.values(fields).some(({ kind }) => kind === 'map' || kind === 'anything'),
  )
const inXml = typesWithin([Pim, ErrorResponse, ...requestTypes]).filter((type) => !hasJsonOnly(type))

function expectIdentity(type: Type, names: FormatName[], numRuns: number) {
  fc.assert(
    fc.property(arbitraryOf(type), (message) => {
      const { value, texts } = travel(type, structuredClone(message), ...names)
      expectSame(value, message)
      expect(texts.at(-1)).toBe(texts[0])
    }),
    { numRuns },
  )
}

describe('XML to JSON to compact to XML is identity', () => {
  test('for envelopes', () => expectIdentity(Pim, ['xml', 'json', 'compact', 'xml'], 300))
  test.each(inXml.map((type) => [type.name, type] as const))('for %s', (_name, type) => {
    expectIdentity(type, ['xml', 'json', 'compact', 'xml'], 20)
  })
})

describe('JSON to compact to JSON is identity', () => {
  test('for every kind of field', () => expectIdentity(Sample, ['json', 'compact', 'json'], 300))
  test.each(types.map((type) => [type.name, type] as const))('for %s', (_name, type) => {
    expectIdentity(type, ['json', 'compact', 'json'], 20)
  })
})

test('a message in the JSON form is the same message in compact JSON', () => {
  fc.assert(
    fc.property(arbitraryOf(Pim), (message) => {
      const json = bytesOf(encode(formats.json, Pim, message))
      expectSame(decode(formats.compact, Pim, json), message)
    }),
    { numRuns: 200 },
  )
})

test('validating a validated value changes nothing', () => {
  fc.assert(
    fc.property(arbitraryOf(Pim), (message) => {
      expectSame(check(Pim, structuredClone(message)), { value: message, faults: [] })
    }),
    { numRuns: 200 },
  )
})
