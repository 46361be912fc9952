/** Identifies a file and its type: the hash of its bytes, their number, and the first of them. */
import { createHash } from 'node:crypto'

export interface Digest {
  readonly sha256: string
  readonly size: number
  /** The first bytes, enough to detect the file type. */
  readonly head: Buffer
}

const headLength = 8192

/** Call it with every piece in order; pieces are not kept. */
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
    /** Call it once. */
    result: (): Digest => ({ sha256: hash.digest('hex'), size, head }),
  }
}

interface Numbered {
  readonly number: number
  readonly place: string
}

/**
 * The digest of a file whose chunks arrive in any order. A chunk is read again as soon as all chunks before it are there,
 * while others are still arriving, so that little is left to read at the end.
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
      running.catch(() => {}) // reported at the end
    },
    /** The digest of all chunks in order. Call it once, when no more are added. */
    async finish(chunks: readonly C[]): Promise<Digest> {
      await running
      const isBegun = taken.every((place, i) => place === chunks[i]?.place)
      if (!isBegun) return runningDigest(read).finish(chunks)
      for (const chunk of chunks.slice(taken.length)) await take(chunk)
      return digest.result()
    },
  }
}
