import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'

/** A file that is opened when it is read. A stream that is open before somebody listens ends the process if it fails. */
export async function* piecesOf(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file) as AsyncIterable<Buffer>
}

export const streamOf = (file: string) => Readable.from(piecesOf(file), { objectMode: false })
