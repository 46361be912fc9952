import { describe, expect, test } from 'vitest'
import { Pim } from '../schema/envelope.ts'
import { defaultLimits } from './codec.ts'
import { decode, encode, formats } from './formats.ts'

const value = { schemaVersion: '5.6.0', meta: { itm: [{ key: 'messageType', value: 'request' }] } }
// prettier-ignore
const texts = {
  xml:     '<?xml version="1.0" encoding="UTF-8"?>\n<pim xmlns="http://www.apollon.de/omn" schemaVersion="5.6.0"><meta><itm key="messageType">request</itm></meta></pim>',
  json:    '{"meta":{"itm":[{"value":"request","key":"messageType"}]},"schemaVersion":"5.6.0"}',
  compact: '{"meta":{"messageType":"request"},"schemaVersion":"5.6.0"}',
}

// prettier-ignore
describe.each([
  ['xml',     'application/xml'],
  ['json',    'application/json'],
  ['compact', 'application/json+compact'],
] as const)('%s', (name, mediaType) => {
  const format = formats[name]
  const bytes = new TextEncoder().encode(texts[name])

  test('has its media type', () => {
    expect(format).toMatchObject({ name, mediaType, contentType: `${mediaType};charset=UTF-8` })
  })
  test('writes a message', () => expect(encode(format, Pim, value)).toBe(texts[name]))
  test('reads a message', () => expect(decode(format, Pim, bytes)).toEqual(value))
  test('reads within limits', () => {
    expect(() => decode(format, Pim, bytes, { limits: { ...defaultLimits, item: 20 } })).toThrow('larger than 20 bytes')
  })
})
