/**
 * COPY as streams: a table out of the database and into it again, row by row in PostgreSQL's own text form, in flat memory.
 *
 * The driver knows nothing of COPY but hands its messages to whoever is being answered; only this file speaks with it.
 */
import { once } from 'node:events'
import { Readable, type Duplex } from 'node:stream'
import { Client } from 'pg'
import type { Database } from './db.ts'

/** A connection of one's own, which answers one thing after the other; to be ended. */
export type Session = Client

export async function openSession({ pool: { options } }: Database): Promise<Session> {
  // A copy of the options leaves out the password.
  const client = new Client({ ...options, password: options.password, pipeline: false })
  client.on('error', () => {}) // reported by the next statement too
  await client.connect()
  return client
}

/** The part of the driver's connection that we use. */
interface Connection {
  readonly stream: Duplex
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  sendCopyFail(reason: string): void
  endCopyFrom(): void
}
interface CommandComplete {
  /** `COPY 42` */
  readonly text: string
}

const submit = (client: Session, query: object) => void client.query(query as never)
const rowsIn = ({ text }: CommandComplete) => Number(text.split(' ').at(-1))

export interface Copied {
  /** In pieces of some size, not row by row. */
  readonly stream: Readable
  /** How many rows there were; known when the stream has ended. */
  readonly rows: Promise<number>
}

/** `COPY … TO STDOUT`. The client answers nothing else until the stream has ended. */
export function copyOut(client: Session, statement: string): Copied {
  const count = Promise.withResolvers<number>()
  count.promise.catch(() => {}) // told by the stream too
  let connection: Connection | undefined
  let rows = 0
  const stream = new Readable({ read: () => void connection?.stream.resume(), highWaterMark: 256 * 1024 })
  submit(client, {
    submit(to: Connection) {
      connection = to
      to.query(statement)
    },
    // the bytes lie in a buffer that the driver uses again
    handleCopyData({ chunk }: { chunk: Buffer }) {
      if (!stream.push(Buffer.from(chunk))) connection!.stream.pause()
    },
    handleCommandComplete: (message: CommandComplete) => void (rows = rowsIn(message)),
    handleReadyForQuery() {
      count.resolve(rows)
      stream.push(null)
    },
    handleError(error: Error) {
      count.reject(error)
      stream.destroy(error)
    },
  })
  return { stream, rows: count.promise }
}

/** `COPY … FROM STDIN` with the bytes of the source. Returns how many rows came in; an error of the source ends the COPY. */
export function copyIn(client: Session, statement: string, source: AsyncIterable<Buffer>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let rows = 0
  let fault: Error | undefined
  const send = async (to: Connection) => {
    try {
      for await (const chunk of source) {
        to.sendCopyFromChunk(chunk)
        if (to.stream.writableNeedDrain) await once(to.stream, 'drain')
      }
      to.endCopyFrom()
    } catch (error) {
      fault = error as Error
      to.sendCopyFail(fault.message)
    }
  }
  submit(client, {
    submit: (to: Connection) => to.query(statement),
    handleCopyInResponse: (to: Connection) => void send(to),
    handleCommandComplete: (message: CommandComplete) => void (rows = rowsIn(message)),
    handleReadyForQuery: () => resolve(rows),
    handleError: (error: Error) => reject(fault ?? error),
  })
  return promise
}
