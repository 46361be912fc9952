/** Documents of an index in a process of its own, which has its own connections to the database. */
import { connect, type ConnectionConfig } from '../../adapters/postgres/db.ts'
import type { DocumentSource, IndexName, SourceDocument } from '../../core/outbox/documents.ts'
import type { ReadDocuments } from '@kontor/search-engine'
import { documentMaker, type Making } from './catalogue.ts'

/** What such a process is told. */
export interface Told {
  readonly connection: ConnectionConfig
  readonly index: IndexName
  readonly making: Making
}

/** One page is built while the next is read. */
const connections = 2
/** Milliseconds to wait for one of them: whoever writes a large segment looks at nothing else meanwhile. */
const patience = 60_000

export function readFrom(sources: readonly DocumentSource[], { connection, index, making }: Told): ReadDocuments {
  const source = sources.find((each) => each.index === index)
  if (!source) throw new Error(`no area has documents of index ${index}`)
  const database = connect({ ...connection, max: connections, connectionTimeoutMillis: patience })
  const toDocument = documentMaker(making)
  function* documentsOf(found: Iterable<SourceDocument>) {
    for (const document of found) yield toDocument(document)
  }
  return async (ids) => documentsOf(await source.read(database, ids))
}
