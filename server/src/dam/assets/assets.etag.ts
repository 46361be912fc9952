/**
 * The ETag of an asset: a hash of its values, links and file. Every effective persist and every upload changes it;
 * previews and locks do not.
 */
import { createHash } from 'node:crypto'
import { type LinksMessage, embeddedLinks, type Targets } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { demandMatch } from '../../core/http/etag.ts'
import * as rows from './assets.sql.ts'

interface Linked {
  readonly keywords?: readonly { readonly path: string }[] | undefined
  readonly others?: LinksMessage | undefined
}

export function etagOf(row: rows.AssetRow, { keywords = [], others = {} }: Linked): string {
  const { id, name, path, meta, vals, sha256, usage } = row
  const linked = [keywords.map((keyword) => keyword.path), others]
  const content = JSON.stringify([name, path, meta, vals, sha256, ...linked, ...(usage ? [usage] : [])])
  return `"${id}-${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/** Checks `If-Match` against the assets of a batch. Existing assets are locked first. */
export async function checkAssetMatch(
  ctx: Context,
  targets: Targets,
  assets: readonly ({ id: number } | undefined)[],
): Promise<void> {
  if (ctx.ifMatch === undefined) return
  const ids = assets.flatMap((asset) => asset?.id ?? [])
  const keywords = await rows.findKeywords(ctx.db, ids)
  const others = await embeddedLinks(ctx, 'asset', targets, ids)
  const etags = (await rows.readAssets(ctx.db, ids)).map((row) => etagOf(row, { keywords, others: others.get(row.id) }))
  demandMatch(
    ctx,
    assets.map((_, i) => etags[i]),
  )
}
