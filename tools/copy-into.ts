/** COPY … FROM STDIN, the fastest way to fill a table. Only benchmarks and generated data use it, not the server. */
import type { Session } from '../server/src/adapters/postgres/copy.ts'

/** The part of the driver's connection that a COPY uses. */
interface CopyConnection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

const chunkLength = 64 * 1024

/** Runs a COPY statement and sends it the lines. */
export function copyInto(client: Session, statement: string, lines: () => Iterable<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const copy = {
      submit: (connection: CopyConnection) => connection.query(statement),
      handleCopyInResponse(connection: CopyConnection) {
        let chunk = ''
        const send = () => connection.sendCopyFromChunk(Buffer.from(chunk))
        for (const line of lines()) {
          chunk += line
          if (chunk.length < chunkLength) continue
          send()
          chunk = ''
        }
        send()
        connection.endCopyFrom()
      },
      handleCommandComplete() {},
      handleReadyForQuery: () => resolve(),
      handleError: (error: Error) => reject(error),
    }
    client.query(copy as never)
  })
}
