/**
 * Reads documents in a process that builds a search index: the sources of all areas, without the application around them.
 * The engine starts this module by its address and passes the connection to the database.
 */
import { createProducts, documentSources } from '../areas.ts'
import type { Config } from '../config.ts'
import { readFrom, type ReaderOptions } from '../search/feed/reader.ts'

type ReaderSettings = Pick<Config, 'nodeAttributes'>

export const openReader = ({ config, ...options }: ReaderOptions & { readonly config: ReaderSettings }) =>
  readFrom(documentSources(createProducts(config)), options)
