/** POST /assets/previews/retrieve: the existing previews and their sizes. */
import { AssetRequest, type Infer, type Previews, schemaVersion } from '@kontor/contract'
import type { Context } from '../../../core/context.ts'
import { replyMeta } from '../../../core/http/reply.ts'
import type { Call } from '../../../core/http/routes.ts'
import { toMeta } from '../../../common/api.ts'
import { Problem } from '../../../errors.ts'
import { visible } from '../../entries.ts'
import { findFiles, findPreviews, type PreviewRow } from '../../files.sql.ts'
import { stateOf } from '../../usage/usage.ts'
import { argument } from '../variations/variations.ts'
import type { PreviewUrlOf } from './urls.ts'

export const retrievePreviews =
  (urlOf: PreviewUrlOf) => async (ctx: Context, call: Call<Infer<typeof AssetRequest> | undefined>) => {
    const { tids = [], ids = [], formats = [] } = call.body ?? argument(call, AssetRequest)
    if (tids.length === 0 && ids.length === 0)
      throw new Problem('invalid', '/assetRequest: names no asset; send tids or ids')
    const names = tids.length > 0 ? { tids, ids: [], paths: [] } : { tids: [], ids, paths: [] }
    const assets = await findFiles(ctx.db, names, visible(ctx, 'asset'))
    if (assets.length === 0) throw new Problem('notFound', 'there is no asset with these identifiers')
    const found = await findPreviews(
      ctx.db,
      assets.map(({ id }) => id),
    )
    const wanted = formats.length === 0 ? found : found.filter(({ format }) => formats.includes(format))
    const asset = assets.map(({ id, tid, name, type, usage }) => {
      const previews = toPreviews(
        tid,
        wanted.filter(({ assetId }) => assetId === id),
        urlOf,
      )
      return { name, ...(usage && { usageRights: { state: stateOf(usage) } }), previews, tid, id, type }
    })
    return { schemaVersion, meta: replyMeta(ctx.config, { itemInformationType: 'asset' }), assets: { asset } }
  }

/** Converts previews to messages. The tid of a preview is the asset's tid and the format. */
export function toPreviews(assetTid: string, rows: readonly PreviewRow[], urlOf: PreviewUrlOf): Infer<typeof Previews> {
  const factsOf = (row: PreviewRow) => ({
    width: String(row.width),
    height: String(row.height),
    fileSize: String(row.size),
    mimeType: row.mime,
    url: urlOf(row),
  })
  const preview = rows.map((row) => ({
    meta: toMeta(factsOf(row)),
    tid: `${assetTid}-${row.format}`,
    type: row.format,
  }))
  return { preview }
}
