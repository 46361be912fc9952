/**
 * Lets a build worker read documents itself, from the database straight into a segment, without passing them through
 * the thread that answers requests.
 */
import type { DocumentReader, SearchDocument } from '../port.ts'

/** In the order of their IDs; IDs without a document are skipped. */
export type ReadDocuments = (ids: readonly number[]) => Promise<Iterable<SearchDocument>>

interface ReaderModule {
  openReader(options: object): ReadDocuments
}

export const openReader = async ({ module, options }: DocumentReader): Promise<ReadDocuments> =>
  ((await import(module)) as ReaderModule).openReader(options)
