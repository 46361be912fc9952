/** The public interface of the search engine: opens indexes by name, stores them in files and searches them in threads. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocalWorkers } from './workers/workers.ts'
import { createThreadWorkers } from './workers/thread-workers.ts'
import { isDamage } from './segment/container.ts'
import { createSearchIndex, type EmbeddedSearchIndex } from './store/search-index.ts'
import type { Indexes, IndexSchema } from './port.ts'

export * from './port.ts'
export { SearchBusy, TaskFailed } from './workers/pool.ts'
export { isDamage }
export { allowedComparators } from './comparators.ts'
export { resolveLocale } from './values.ts'
export type { EmbeddedSearchIndex } from './store/search-index.ts'
export type { ReadDocuments } from './workers/document-reader.ts'

interface EngineOptions {
  /** Each index has its own subfolder. */
  readonly folder: string
  /** Number of search threads; 0 does all work in the calling thread. */
  readonly threads: number
  /** Receives errors of background work. No data is lost: the work is retried, or the documents are read again. */
  readonly onFailure?: (error: unknown) => void
}

/** The embedded engine: indexes in the files of a folder. */
export interface EmbeddedIndexes extends Indexes {
  open(name: string, schema: IndexSchema): Promise<EmbeddedSearchIndex>
}

export async function openIndexes({ folder, threads, onFailure = () => {} }: EngineOptions): Promise<EmbeddedIndexes> {
  await mkdir(folder, { recursive: true })
  let isClosed = false
  /** Work that closing interrupts is read again from the source at the next start. */
  const report = (error: unknown) => {
    if (!isClosed) onFailure(error)
  }
  const workers = threads > 0 ? createThreadWorkers(threads, report) : createLocalWorkers()
  const opened = new Map<string, Promise<EmbeddedSearchIndex>>()
  return {
    open(name, schema) {
      const index =
        opened.get(name) ?? createSearchIndex({ name, schema, workers, folder: join(folder, name), onFailure: report })
      opened.set(name, index)
      return index
    },
    search: (query) =>
      workers.run('searcher', 'searchCommon', query).catch((error: unknown) => {
        // The error does not name the damaged index, so inspect them all.
        if (isDamage(error))
          for (const { index } of query.members) void opened.get(index)?.then((each) => each.inspect())
        throw error
      }),
    close() {
      isClosed = true
      return workers.close()
    },
  }
}
