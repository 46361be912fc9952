/** The contents of a share page: a collection or a selection. */
import { assetsOf, demandCollection } from '../collections/api.ts'
import type { Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import type { ShareNeeds } from './needs.ts'
import { listAssetIds, type ShareRow } from './shares.sql.ts'

/**
 * The ids of the assets in order. `ctx` is that of the owner, who may have lost the collection. With `only`, of this asset
 * alone: visitors ask for each picture of a page.
 */
export async function assetIdsOf(needs: ShareNeeds, ctx: Context, share: ShareRow, only?: number): Promise<number[]> {
  if (share.collectionId === null) return listAssetIds(ctx.db, share.id, only)
  const collection = await demandCollection(ctx, String(share.collectionId)).catch((error: unknown) => {
    if (error instanceof Problem && error.kind === 'notFound') return undefined
    throw error
  })
  return collection ? (await assetsOf(needs, ctx, collection, only)).map(({ id }) => id) : []
}
