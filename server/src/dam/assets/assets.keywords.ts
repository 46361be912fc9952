/**
 * Keywords of assets, as persist sends them:
 *
 *   <links><itms type="kwds" mode="delta"><itm>/Sea/Boats</itm></itms></links>
 *
 * delta adds and is the default; full replaces. Only existing keywords can be linked.
 */
import { addLinks, keywordTarget, mayAct, type Targets, unlink, type ResolvedLink } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { cleanPath } from '../../core/batch/names.ts'
import { Problem } from '../../errors.ts'
import type { AssetValue } from './assets.messages.ts'
import { findKeywords } from './assets.sql.ts'

export interface KeywordRequest {
  readonly mode: 'delta' | 'full'
  readonly paths: readonly string[]
}

export function keywordRequestsOf({ links, keywords }: AssetValue): KeywordRequest[] {
  const old = keywords?.itm ? [toKeywordRequest('delta', keywords.itm)] : []
  const groups = (links?.itms ?? []).filter(({ type }) => type === 'kwds')
  return [...old, ...groups.map(({ mode, itm = [] }) => toKeywordRequest(modeOf(mode), itm))]
}

/** delta adds and is the default; full replaces. */
export function modeOf(mode = 'delta'): 'delta' | 'full' {
  const known = mode.toLowerCase()
  if (known === 'delta' || known === 'full') return known
  throw new Problem('invalid', `links/itms/@mode: ${mode} is not a mode; expected delta or full`)
}

const toKeywordRequest = (mode: KeywordRequest['mode'], items: readonly { value?: string }[]): KeywordRequest => ({
  mode,
  paths: items.map(({ value = '' }) => cleanPath(value)),
})

/** The keywords that a batch names and the caller may read, by path, locked until the transaction ends. */
export async function lockKeywords(
  { db, caller }: Context,
  keywordRequests: readonly KeywordRequest[],
): Promise<ReadonlyMap<string, number>> {
  const tids = [...new Set(keywordRequests.flatMap(({ paths }) => paths))]
  if (tids.length === 0) return new Map()
  const found = await keywordTarget.lock(db, { ids: [], tids })
  return new Map(found.filter((row) => mayAct(caller, 'read', 'keyword', row)).map(({ tid, id }) => [tid, id]))
}

export function checkKeywords(keywordRequests: readonly KeywordRequest[], known: ReadonlyMap<string, number>): void {
  const missing = keywordRequests.flatMap(({ paths }) => paths).find((path) => !known.has(path))
  if (missing !== undefined) throw new Problem('notFound', `no keyword has the path ${missing || '/'}`)
}

/** Adds and removes keyword links until each asset has the requested keywords. */
export async function linkKeywords(
  ctx: Context,
  targets: Targets,
  keywordRequests: ReadonlyMap<number, readonly KeywordRequest[]>,
  known: ReadonlyMap<string, number>,
): Promise<void> {
  if (keywordRequests.size === 0) return
  const present = Map.groupBy(await findKeywords(ctx.db, [...keywordRequests.keys()]), ({ assetId }) => assetId)
  const added: ResolvedLink[] = []
  const removed: Parameters<typeof unlink>[2][number][] = []
  const link = { kind: 'keywordToAsset', type: '' }
  for (const [toId, all] of keywordRequests) {
    const had = new Set((present.get(toId) ?? []).map(({ keywordId }) => keywordId))
    const has = new Set(had)
    for (const { mode, paths } of all) {
      if (mode === 'full') has.clear()
      for (const path of paths) has.add(known.get(path)!)
    }
    for (const fromId of has) if (!had.has(fromId)) added.push({ ...link, fromId, toId, details: {} })
    for (const id of had) if (!has.has(id)) removed.push({ ...link, from: { id }, to: { id: toId }, anyType: true })
  }
  if (removed.length > 0) await unlink(ctx, targets, removed)
  await addLinks(ctx, added)
}
