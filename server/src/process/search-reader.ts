/**
 * What a process that builds an index reads documents with: the sources of all areas, without the application around
 * them. It is started by its address (app.ts), and told where the database is.
 */
import { cmDocuments, cmTargets } from '../cm/module.ts'
import type { Config } from '../config.ts'
import { damDocuments, damTargets } from '../dam/module.ts'
import { peoTargets } from '../peo/module.ts'
import { pim, pimTargets } from '../pim/module.ts'
import { readFrom, type Told } from '../search/feed/reader.ts'
import { historyDocuments } from '../search/history/history.ts'
import { processDocuments } from '../workflow/processes/documents.ts'

export type ReaderSettings = Pick<Config, 'nodeAttributes'>

export function openReader({ config, ...told }: Told & { readonly config: ReaderSettings }) {
  const targets = new Map([...pimTargets, ...damTargets, ...cmTargets, ...peoTargets])
  const products = pim({ targets, config })
  const documents = [...products.documents, ...damDocuments(targets), ...cmDocuments({ ...products, targets })]
  return readFrom([...documents, processDocuments, historyDocuments], told)
}
