/** The embedded search engine as the rest of the server sees it: indexes by name, in files, searched by threads. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocalCrew } from './crew/crew.ts'
import { createThreadCrew } from './crew/threads.ts'
import { isDamage } from './segment/container.ts'
import { createServedIndex, type SearchIndex } from './store/served-index.ts'
import type { CommonQuery, IndexSchema, SearchHits } from './port.ts'

export type * from './port.ts'
export { SearchBusy, TaskFailed } from './crew/pool.ts'
export { isDamage }
export { allowedComparators } from './comparators.ts'
export { resolveLocale } from './values.ts'
export { RebuildRunning, type IndexStatus, type SearchIndex } from './store/served-index.ts'
export type { ReadDocuments, ReaderPlace } from './crew/reader.ts'
export type { Rebuild } from './store/rebuild.ts'
export type { Highlighter } from './suggest/highlight.ts'

export interface EngineOptions {
  /** A folder in it for each index. */
  readonly folder: string
  /** How many threads search; 0 does all work in the calling thread. */
  readonly threads: number
  /** Told what failed in the background. Nothing is lost by it: it is tried again, or read again from the source. */
  readonly onFailure?: (error: unknown) => void
}

export interface Indexes {
  /** Reads an index from its files, once. One that is missing or damaged finds nothing until it is rebuilt. */
  open(name: string, schema: IndexSchema): Promise<SearchIndex>
  /** One search over several indexes that are open. */
  search(query: CommonQuery): Promise<SearchHits>
  close(): Promise<void>
}

export async function openIndexes({ folder, threads, onFailure = () => {} }: EngineOptions): Promise<Indexes> {
  await mkdir(folder, { recursive: true })
  let isClosed = false
  /** What closing breaks off is read again from the source at the next start. */
  const report = (error: unknown) => {
    if (!isClosed) onFailure(error)
  }
  const crew = threads > 0 ? createThreadCrew(threads, report) : createLocalCrew()
  const opened = new Map<string, Promise<SearchIndex>>()
  return {
    open(name, schema) {
      const index =
        opened.get(name) ?? createServedIndex({ name, schema, crew, folder: join(folder, name), onFailure: report })
      opened.set(name, index)
      return index
    },
    search: (query) =>
      crew.ask('searcher', 'searchCommon', query).catch((error: unknown) => {
        // It does not say in which of them.
        if (isDamage(error))
          for (const { index } of query.members) void opened.get(index)?.then((each) => each.inspect())
        throw error
      }),
    close() {
      isClosed = true
      return crew.close()
    },
  }
}
