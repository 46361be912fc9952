/** COPY … FROM STDIN: the fastest way into a table, and so the measure of all others. Not used by the server itself. */
import type { Session } from '../server/src/adapters/postgres/copy.ts'

/** What the driver calls back while a COPY runs. */
interface CopyConnection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

const pieceLength = 64 * 1024

/** Runs the COPY statement with the lines that `lines` yields. */
export function copyInto(client: Session, statement: string, lines: () => Iterable<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const copy = {
      submit: (connection: CopyConnection) => connection.query(statement),
      handleCopyInResponse(connection: CopyConnection) {
        let piece = ''
        const send = () => connection.sendCopyFromChunk(Buffer.from(piece))
        for (const line of lines()) {
          piece += line
          if (piece.length < pieceLength) continue
          send()
          piece = ''
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
