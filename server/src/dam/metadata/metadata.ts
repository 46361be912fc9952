/** GET /assets/embedded: what a download with metadata writes into the file of an asset. */
import type { dam } from '@kontor/contract'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { visible } from '../entries.ts'
import { findFiles } from '../files.sql.ts'
import { carries } from './embed.ts'
import { loadEdits } from './values.ts'

export const metadataRoutes: RouteHandlers<Pick<typeof dam.routes, 'embeddedMetadata'>> = {
  async embeddedMetadata(ctx, { query: { assetTid, assetId } }) {
    if (assetTid === undefined && assetId === undefined)
      throw new Problem('invalid', 'names no asset; send assetTid or assetId')
    const names = assetTid === undefined ? { tids: [], ids: [Number(assetId)] } : { tids: [assetTid], ids: [] }
    const [asset] = await findFiles(ctx.db, { ...names, paths: [] }, visible(ctx, 'asset'))
    if (!asset) throw new Problem('notFound', 'there is no asset with this identifier')
    const { all } = (await loadEdits(ctx.db, ctx.caller, [asset]))(asset)
    return {
      carries: carries(asset.mime),
      entries: all.map(({ texts, ...edit }) => ({ ...edit, values: [...texts] })),
    }
  },
}
