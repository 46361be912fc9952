/** The assets below folders, for changes of many assets. */
import type { Sql } from '../../adapters/postgres/sql.ts'
import { cleanPath } from '../../core/batch/names.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { containerOf, visible } from '../entries.ts'
import { findLocations } from '../locations.ts'
import { keyOf } from '../names.ts'
import { selectBelow } from './select.sql.ts'

/** The assets that the caller may read, as rows of id and tid in the order of paths. Throws if a folder does not exist. */
export async function selectAssets(ctx: Context, paths: readonly string[]): Promise<Sql> {
  const addresses = paths.map((path) => ({ path: cleanPath(path) }))
  const find = await findLocations(ctx, addresses, 'none')
  const folders = addresses.map((address) => {
    const found = find(address)
    if (found instanceof Problem) throw found
    return { containerId: containerOf(found), pathKey: keyOf(found.path) }
  })
  return selectBelow(folders, visible(ctx, 'asset'))
}
