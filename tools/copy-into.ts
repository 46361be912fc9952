/** COPY … FROM STDIN: the fastest way into a table, and so the measure of all others. Not used by the server itself. */
import { copyIn, type Session } from '../server/src/adapters/postgres/copy.ts'

const chunkLength = 64 * 1024

/** Runs the COPY statement with the lines that `lines` yields. */
export async function copyInto(client: Session, statement: string, lines: () => Iterable<string>): Promise<void> {
  await copyIn(client, statement, piecesOf(lines()))
}

function* piecesOf(lines: Iterable<string>): Generator<Buffer> {
  let piece = ''
  for (const line of lines) {
    piece += line
    if (piece.length < chunkLength) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}
