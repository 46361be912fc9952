/**
 * Documents that a builder reads by itself: straight from where they are to where a segment is made of them, instead of
 * through the thread that answers requests.
 */
import type { SearchDocument } from '../port.ts'

/** In the order of their ids, without what is not there any more. */
export type ReadDocuments = (ids: readonly number[]) => Promise<Iterable<SearchDocument>>

/** How to come by a reader in another process. */
export interface ReaderPlace {
  /** The address of a module that has `openReader`. */
  readonly module: string
  /** What it is called with: plain data. */
  readonly told: object
}
interface ReaderModule {
  openReader(told: object): ReadDocuments
}

export const openReader = async ({ module, told }: ReaderPlace): Promise<ReadDocuments> =>
  ((await import(module)) as ReaderModule).openReader(told)
