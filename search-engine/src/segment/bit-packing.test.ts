/** Bit packing with every width. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNumbers, finishNumbers, push } from './bytes.ts'
import { bitsFor, blockSize, pack, packedLength, unpack, unpackOne } from './bit-packing.ts'

test('a block is unpacked as it was packed, as a whole or one by one, and neighbouring words are untouched', () => {
  const widths = Array.from({ length: 33 }, (_, bits) => bits)
  for (const bits of widths) {
    const largest = 2 ** bits - 1
    const numbers = fc.array(fc.oneof(fc.constantFrom(0, largest), fc.nat(Math.min(largest, 0x7fffffff))), {
      minLength: blockSize,
      maxLength: blockSize,
    })
    fc.assert(
      fc.property(numbers, (values) => {
        const packed = createNumbers()
        push(packed, 0xabcdef)
        pack(packed, Uint32Array.from(values), bits)
        push(packed, 0xfedcba)
        const data = finishNumbers(packed)
        expect(data.length).toBe(packedLength(bits) + 2)
        const read = new Uint32Array(blockSize)
        unpack(data, 1, bits, read)
        expect([...read]).toEqual(values)
        expect(values.map((_, i) => unpackOne(data, 1, bits, i))).toEqual(values)
        expect([data[0], data.at(-1)]).toEqual([0xabcdef, 0xfedcba])
      }),
      { numRuns: 5 },
    )
  }
})

test('the width is that of the largest number', () => {
  expect([0, 1, 2, 3, 4, 255, 256, 0xffffffff].map(bitsFor)).toEqual([0, 1, 2, 2, 3, 8, 9, 32])
})
