/** POST /assets/previews/retrieve: which previews there are, and how large. */
import { AssetRequest, type Infer, type Previews, schemaVersion } from '@kontor/contract'
import type { Context } from '../../core/context.ts'
import { replyMeta } from '../../core/reply.ts'
import type { Call } from '../../core/routes.ts'
import { toMeta } from '../../common/api.ts'
import { Problem } from '../../errors.ts'
import { visible } from '../entries.ts'
import { findFiles, findPreviews, type PreviewRow } from '../files.sql.ts'
import { argument } from '../variations/variations.ts'

export async function retrievePreviews(ctx: Context, call: Call<Infer<typeof AssetRequest> | undefined>) {
  const { tids = [], ids = [], formats = [] } = call.body ?? argument(call, AssetRequest)
  if (tids.length === 0 && ids.length === 0)
    throw new Problem('invalid', '/assetRequest: tids or ids must say which assets')
  const names = tids.length > 0 ? { tids, ids: [], paths: [] } : { tids: [], ids, paths: [] }
  const assets = await findFiles(ctx.db, names, visible(ctx, 'asset'))
  if (assets.length === 0) throw new Problem('notFound', 'there is no asset with these identifiers')
  const found = await findPreviews(
    ctx.db,
    assets.map(({ id }) => id),
  )
  const wanted = formats.length === 0 ? found : found.filter(({ format }) => formats.includes(format))
  const asset = assets.map(({ id, tid, name, type }) => {
    const previews = toPreviews(
      tid,
      wanted.filter(({ assetId }) => assetId === id),
    )
    return { name, previews, tid, id, type }
  })
  return { schemaVersion, meta: replyMeta(ctx.config, { itemInformationType: 'asset' }), assets: { asset } }
}

/** Previews as messages show them. Their tid is that of the asset and the format. */
export function toPreviews(assetTid: string, rows: readonly PreviewRow[]): Infer<typeof Previews> {
  return {
    preview: rows.map(({ format, width, height, size, mime }) => ({
      meta: toMeta({ width: String(width), height: String(height), fileSize: String(size), mimeType: mime }),
      tid: `${assetTid}-${format}`,
      type: format,
    })),
  }
}
