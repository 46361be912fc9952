/** What names a file and tells its kind: the hash of its bytes, how many they are, and the first of them. */
import { createHash } from 'node:crypto'

export interface Digest {
  readonly sha256: string
  readonly size: number
  /** The first bytes, enough to tell the kind of the file. */
  readonly head: Buffer
}

const headLength = 8192

/** To be told of every piece in its order; pieces are not kept. */
export function createDigest() {
  const hash = createHash('sha256')
  let size = 0
  let head: Buffer = Buffer.alloc(0)
  return {
    add(piece: Buffer): void {
      if (head.length < headLength) head = Buffer.concat([head, piece.subarray(0, headLength - head.length)])
      hash.update(piece)
      size += piece.length
    },
    /** To be asked once. */
    result: (): Digest => ({ sha256: hash.digest('hex'), size, head }),
  }
}

interface Numbered {
  readonly number: number
  readonly place: string
}

/**
 * The digest of a file whose chunks come in any order. A chunk is read again as soon as all before it are there, while
 * others are still coming; at the end there is little left to read.
 */
export function runningDigest<C extends Numbered>(read: (chunk: C) => AsyncIterable<Buffer>) {
  const digest = createDigest()
  const waiting = new Map<number, C>()
  const taken: string[] = []
  let running: Promise<void> = Promise.resolve()
  const take = async (chunk: C) => {
    for await (const piece of read(chunk)) digest.add(piece)
    taken.push(chunk.place)
  }
  const advance = async () => {
    for (let next = waiting.get(taken.length); next; next = waiting.get(taken.length)) await take(next)
  }
  return {
    add(chunk: C): void {
      waiting.set(chunk.number, chunk)
      running = running.then(advance)
      running.catch(() => {}) // told at the end
    },
    /** Of all chunks, in their order. To be asked once, when no more are added. */
    async finish(chunks: readonly C[]): Promise<Digest> {
      await running
      const isBegun = taken.every((place, i) => place === chunks[i]?.place)
      if (!isBegun) return runningDigest(read).finish(chunks)
      for (const chunk of chunks.slice(taken.length)) await take(chunk)
      return digest.result()
    },
  }
}
