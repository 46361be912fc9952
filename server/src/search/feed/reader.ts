/** Reads the documents of an index in a separate process, which has its own database connections. */
import { connect, type ConnectionConfig } from '../../adapters/postgres/db.ts'
import type { DocumentSource, IndexName, SourceDocument } from '../../core/outbox/documents.ts'
import type { ReadDocuments } from '@kontor/search-engine'
import { documentMaker, type Making } from './catalogue.ts'

/** Options of the reader process. */
export interface ReaderOptions {
  readonly connection: ConnectionConfig
  readonly index: IndexName
  readonly making: Making
}

/** Two, so that one page is built while the next is read. */
const connections = 2
/** Milliseconds to wait for a connection. A process that writes a large segment does not answer in the meantime. */
const timeoutMs = 60_000

export function readFrom(
  sources: readonly DocumentSource[],
  { connection, index, making }: ReaderOptions,
): ReadDocuments {
  const source = sources.find((each) => each.index === index)
  if (!source) throw new Error(`no area has documents of index ${index}`)
  const database = connect({ ...connection, max: connections, connectionTimeoutMillis: timeoutMs })
  const toDocument = documentMaker(making)
  function* documentsOf(found: Iterable<SourceDocument>) {
    for (const document of found) yield toDocument(document)
  }
  return async (ids) => documentsOf(await source.read(database, ids))
}
