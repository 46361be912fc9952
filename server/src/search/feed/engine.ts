/** The search engine that a service uses: the embedded one in files of this machine, or one that processes share. */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type DocumentReader, type Indexes, openIndexes } from '@kontor/search-engine'
import type { Config } from '../../config.ts'
import type { Progress } from './rebuild.ts'

export interface Engine {
  readonly indexes: Indexes
  /** A stable name of this copy of the indexes, as a consumer of the outbox. */
  readonly consumer: string
  /** Set if processes share the indexes, so that one of them feeds. */
  readonly shared?: Shared
}
/** The state that processes share besides the indexes. */
export interface Shared {
  /** Reads the state of the indexes again, which another process may have changed. */
  reload(): Promise<void>
  readProgress(index: string): Promise<Progress | undefined>
  storeProgress(index: string, progress: Progress): Promise<void>
}

/** `onFailure` receives errors of background work, after which an index may be damaged. */
export type OpenEngine = (onFailure: (error: unknown) => void) => Promise<Engine>

/** The engine that the settings ask for, and how its processes read documents. */
export function engineFor(config: Config): { readonly engine: OpenEngine; readonly reader?: DocumentReader } {
  if (config.search !== undefined) return { engine: sharedEngine(config.search) }
  const threads = config.searchThreads ?? Math.min(8, availableParallelism())
  const engine = embeddedEngine({ folder: join(config.data, 'search'), threads })
  if (threads === 0) return { engine }
  const module = new URL('../../process/search-reader.ts', import.meta.url).href
  return { engine, reader: { module, options: { config: { nodeAttributes: config.nodeAttributes } } } }
}

/** All processes share the indexes of a cluster. Its client is loaded only here, because loading it slows a start. */
const sharedEngine =
  (address: string): OpenEngine =>
  async () => {
    const { connectCluster } = await import('../../adapters/opensearch/client.ts')
    const { openSharedIndexes } = await import('../../adapters/opensearch/indexes.ts')
    const { openNotes } = await import('../../adapters/opensearch/state.ts')
    const { cluster, prefix } = connectCluster(address)
    const indexes = await openSharedIndexes(cluster, prefix).catch(async (error: unknown) => {
      await cluster.close()
      throw error
    })
    const notes = openNotes<Progress>(cluster, prefix)
    const { reload } = indexes
    return {
      indexes,
      consumer: `search:${prefix}`,
      shared: { reload, readProgress: notes.read, storeProgress: notes.store },
    }
  }

/** Each process has its own copy of the indexes in a folder. */
export const embeddedEngine =
  ({ folder, threads }: { readonly folder: string; readonly threads: number }): OpenEngine =>
  async (onFailure) => {
    await mkdir(folder, { recursive: true })
    const consumer = `search:${await readId(folder)}`
    return { indexes: await openIndexes({ folder, threads, onFailure }), consumer }
  }

async function readId(folder: string): Promise<string> {
  const file = join(folder, 'ID')
  const known = await readFile(file, 'utf8').catch(() => '')
  if (known !== '') return known
  const id = randomUUID()
  await writeFile(file, id)
  return id
}
