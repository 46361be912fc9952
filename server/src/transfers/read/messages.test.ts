import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { readJson } from './messages.ts'
import { maxCell } from './source.ts'

const read = (...pieces: (string | Buffer)[]) =>
  Readable.from(readJson(Readable.from(pieces.map((piece) => Buffer.from(piece)))).rows).toArray()
const found = (number: number, item: object) => ({ number, container: 'products', item })

describe('JSON lines', () => {
  test('are objects of the container, one per line', async () => {
    expect(await read('{"tid":"P1"}\n{"tid":"P2","name":"Jacket"}\n')).toEqual([
      found(1, { tid: 'P1' }),
      found(2, { tid: 'P2', name: 'Jacket' }),
    ])
  })

  test.each([
    ['is not JSON', '{"tid":', /the message ends before it is complete/],
    ['is a list', '[{"tid":"P2"}]', /^\/product: expected '{'/],
    ['is null', 'null', /^\/product: expected '{'/],
    ['is a text', '"P2"', /^\/product: expected '{'/],
    ['has a name twice', '{"tid":"P2","tid":"P4"}', /^\/product\/@tid: this field is given twice$/],
    ['breaks the contract', '{"tid":"P2","vals":"none"}', /vals.*: /],
  ])('with one that %s refuse only that line', async (_what, line, fault) => {
    expect(await read(`{"tid":"P1"}\n${line}\n{"tid":"P3"}\n`)).toEqual([
      found(1, { tid: 'P1' }),
      { number: 2, fault: expect.stringMatching(fault) },
      found(3, { tid: 'P3' }),
    ])
  })

  test('may have empty lines, which are not counted', async () => {
    expect(await read('\n{"tid":"P1"}\r\n  \r\n{"tid":"P2"}')).toEqual([
      found(1, { tid: 'P1' }),
      found(2, { tid: 'P2' }),
    ])
  })

  test('may begin with a byte order mark', async () => {
    expect(await read('\ufeff{"tid":"P1"}\n')).toEqual([found(1, { tid: 'P1' })])
  })

  test('may arrive in pieces that cut lines and letters', async () => {
    const whole = Buffer.from('{"tid":"P1","name":"Größe"}\n{"tid":"P2"}')
    const bytes = Array.from(whole, (_, i) => whole.subarray(i, i + 1))
    expect(await read(...bytes)).toEqual([found(1, { tid: 'P1', name: 'Größe' }), found(2, { tid: 'P2' })])
  })

  test('with a line without end are refused', async () => {
    await expect(read('x'.repeat(maxCell + 1))).rejects.toThrow(`a line is longer than ${maxCell} bytes`)
  })
})

describe('other JSON', () => {
  const two = [{ tid: 'P1' }, { tid: 'P2', name: 'Größe' }]
  const message = { schemaVersion: '5.6.0', products: { product: two } }
  test.each([
    ['a list', JSON.stringify(two)],
    ['a list for people', `\ufeff\n${JSON.stringify(two, null, 2)}`],
    ['a message', JSON.stringify(message)],
    ['a message for people', JSON.stringify(message, null, 2)],
    ['a reply', JSON.stringify({ meta: { itm: [{ key: 'messageType', value: 'reply' }] }, ...message })],
  ])('is read as its products: %s', async (_what, text) => {
    const bytes = Buffer.from(text)
    const expected = two.map((item, i) => found(i + 1, item))
    expect(await read(bytes)).toEqual(expected)
    expect(await read(...Array.from(bytes, (_, i) => bytes.subarray(i, i + 1)))).toEqual(expected)
  })

  test.each([
    ['an unknown field', '[{"tid":"P1"},{"tid":"P2","nme":"x"}]', /product\[2\]\/nme: unknown field; allowed here: /],
    ['no end', '[{"tid":"P1"}', /expected|ends before/],
    ['something that is not a product', '[1]', /product\[1\]/],
  ])('with %s is refused as a whole, with the place', async (_what, text, fault) => {
    await expect(read(text)).rejects.toThrow(fault)
  })

  test('that is an empty list has no products', async () => {
    expect(await read('[]')).toEqual([])
  })
})
