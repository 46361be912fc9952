/** Compares two streams byte by byte, in whatever chunks they arrive. */

/** The streams must have the same length. */
export async function haveSameBytes(one: AsyncIterable<Buffer>, other: AsyncIterable<Buffer>): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0)
  const others = other[Symbol.asyncIterator]()
  try {
    for await (const piece of one) {
      while (rest.length < piece.length) {
        const next = await others.next()
        if (next.done) return false
        rest = Buffer.concat([rest, next.value])
      }
      if (!piece.equals(rest.subarray(0, piece.length))) return false
      rest = rest.subarray(piece.length)
    }
    return rest.length === 0
  } finally {
    await others.return?.()
  }
}
