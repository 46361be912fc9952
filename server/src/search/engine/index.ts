/** The embedded search engine as the rest of the server sees it: indexes by name, in files, searched by threads. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocalCrew } from './crew/crew.ts'
import { createThreadCrew } from './crew/threads.ts'
import { createServedIndex, type SearchIndex } from './store/served-index.ts'
import type { IndexSchema } from './port.ts'

export type * from './port.ts'
export { SearchBusy, TaskFailed } from './crew/pool.ts'
export { allowedComparators } from './comparators.ts'
export type { IndexStatus, SearchIndex } from './store/served-index.ts'
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
  /** Reads an index from its files. One that is missing or damaged finds nothing until it is rebuilt. */
  open(name: string, schema: IndexSchema): Promise<SearchIndex>
  close(): Promise<void>
}

export async function openIndexes({ folder, threads, onFailure = () => {} }: EngineOptions): Promise<Indexes> {
  await mkdir(folder, { recursive: true })
  const crew = threads > 0 ? createThreadCrew(threads, onFailure) : createLocalCrew()
  return {
    open: (name, schema) =>
      createServedIndex({ name, schema, crew, builders: Math.max(1, threads), folder: join(folder, name), onFailure }),
    close: () => crew.close(),
  }
}
