/** Target directories of moves, copies and uploads: directories and the top levels of storages, by any kind of name. */
import type { Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { type Address, type Destination, findNamed, notFound } from './entries.ts'
import { type EntryRow, findStorages, type RowLock, type Storage } from './entries.sql.ts'
import { keyOf } from './names.ts'

export interface Location {
  readonly rncId: number
  readonly rnc: string
  /** The id of the directory; null at the top of a storage. */
  readonly parentId: number | null
  readonly parent: string | null
  readonly path: string
}

export const topOf = ({ id, tid }: Storage): Location => ({
  rncId: id,
  rnc: tid,
  parentId: null,
  parent: null,
  path: `/${tid}`,
})
export const insideOf = ({ id, tid, rncId, rnc, path }: EntryRow): Location => ({
  rncId,
  rnc,
  parentId: id,
  parent: tid,
  path,
})

/** A path with a single name is a storage. */
export const storageOf = (storages: readonly Storage[], destination: Destination): Storage | undefined =>
  storages.find(({ tid }) =>
    'rncTid' in destination
      ? tid === destination.rncTid
      : 'path' in destination && keyOf(destination.path) === keyOf(`/${tid}`),
  )

/** Finds the target directories of a batch and locks them until the transaction ends. */
export async function findLocations(ctx: Context, destinations: readonly Destination[], lock: RowLock = 'share') {
  const storages = await findStorages(ctx.db)
  const addresses = destinations.filter((one): one is Address => !('rncTid' in one) && !storageOf(storages, one))
  const find = await findNamed(ctx, 'dir', addresses, lock)
  return (destination: Destination): Location | Problem => {
    const storage = storageOf(storages, destination)
    if (storage) return topOf(storage)
    if ('rncTid' in destination) return noStorage(destination.rncTid)
    const dir = find(destination)
    return dir ? insideOf(dir) : notFound('directory', destination)
  }
}

export const noStorage = (tid: string) => new Problem('notFound', `no storage has the tid ${tid}`)
