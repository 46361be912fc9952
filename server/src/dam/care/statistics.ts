/** Statistics of files, for administrators: they count files that others must not know of. Computed when somebody asks. */
import type { care as contract } from '@kontor/contract'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { allowLongStatements } from '../entries.sql.ts'
import { findLocations } from '../locations.ts'
import { keyOf } from '../names.ts'
import * as rows from './statistics.sql.ts'

const [mostGroups, mostFiles] = [200, 20]

export const statisticsRoutes: RouteHandlers<Pick<typeof contract.routes, 'getStatistics'>> = {
  async getStatistics(ctx, { query: { folder = '' }, services }) {
    const address = { path: folder }
    const location = folder === '' ? { path: '' } : (await findLocations(ctx, [address], 'none'))(address)
    if (location instanceof Problem) throw location
    const { path } = location
    const key = keyOf(path)
    return services.database.transaction(async (db) => {
      await allowLongStatements(db)
      const { total, unlinked, trash, archived } = await rows.totals(db, key)
      const { previews, renditions, stored } = await rows.made(db, key)
      return {
        ...(path !== '' && { folder: path }),
        total,
        unlinked,
        trash,
        archived,
        previews,
        renditions,
        ...(path === '' && stored && { stored }),
        versions: await rows.versions(db, key),
        duplicates: await rows.duplicates(db, key),
        folders: (await rows.byFolder(db, path, key, mostGroups)).map(({ name, ...amount }) => ({
          ...amount,
          path: name === '' ? path : `${path}/${name}`,
        })),
        types: await rows.byType(db, key, mostGroups),
        ages: await rows.byAge(db, key),
        largest: await rows.largest(db, key, mostFiles),
      }
    })
  },
}
