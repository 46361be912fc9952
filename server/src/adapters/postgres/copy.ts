/**
 * COPY as streams: moves a table out of the database or into it in PostgreSQL's text format, with constant memory.
 *
 * pg-copy-streams talks to the driver. It takes over the socket while a COPY runs, so a COPY needs a connection of its own
 * without pipelining; pooled connections pipeline.
 */
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client, Pool, type PoolConfig } from 'pg'
import { from, to } from 'pg-copy-streams'

/** A connection outside of the pool that runs one statement at a time. The caller ends it. */
export type Session = Client

export async function openSession({ pool: { options } }: { readonly pool: Pool }): Promise<Session> {
  // `password` is not enumerable: a spread alone would drop it.
  const client = new Client({ ...options, password: options.password, pipeline: false })
  client.on('error', () => {}) // the next statement reports it too
  await client.connect()
  return client
}

export interface Copied {
  /** The text in chunks of arbitrary size, not row by row. */
  readonly stream: Readable
  /** The number of rows; call it when the stream has ended. */
  countRows(): Promise<number>
}

/** `COPY … TO STDOUT`. The session runs no other statement until the stream has ended. */
export function copyOut(client: Session, statement: string): Copied {
  const stream = client.query(to(statement, { highWaterMark: 256 * 1024 }))
  return {
    stream,
    async countRows() {
      // The server sends the count after the last row, and the stream may end before it arrives. The reply to the next
      // statement comes after it.
      await client.query('select')
      return stream.rowCount
    },
  }
}

/** `COPY … FROM STDIN`. Returns the number of rows. An error of the source aborts the COPY. */
export async function copyIn(
  client: Session,
  statement: string,
  source: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<number> {
  const stream = client.query(from(statement))
  await pipeline(source, stream)
  return stream.rowCount
}

/** Reads large values as raw bytes. */
export interface ByteReader {
  /** Runs `COPY (select …) TO STDOUT (FORMAT binary)` with one column and at most one row; undefined without a row. */
  read(statement: string): Promise<Buffer | undefined>
  close(): Promise<void>
}

/** The driver receives values as text: a bytea as a string of twice its length, of which megabytes become garbage. */
export function createByteReader(options: PoolConfig): ByteReader {
  // `password` is not enumerable: a spread alone would drop it.
  const pool = new Pool({ ...options, password: options.password, pipeline: false, max: 2 })
  pool.on('error', () => {}) // the next statement reports it too
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    async read(statement) {
      const client = await pool.connect()
      try {
        const pieces: Buffer[] = []
        for await (const piece of client.query(to(statement, { highWaterMark: 256 * 1024 })))
          pieces.push(piece as Buffer)
        client.release()
        return onlyField(Buffer.concat(pieces))
      } catch (error) {
        client.release(error as Error)
        throw error
      }
    },
    close: () => pool.end(),
  }
}

const headerLength = 19

/** After the header a row has the number of its columns (2 bytes), and a column its length (4 bytes); -1 is the end. */
function onlyField(copied: Buffer): Buffer | undefined {
  if (copied.readInt16BE(headerLength) < 0) return undefined
  const begin = headerLength + 6
  return copied.subarray(begin, begin + copied.readInt32BE(headerLength + 2))
}
