/**
 * Keywords of assets, as persist sends them:
 *
 *   <links><itms type="kwds" mode="delta"><itm>/Sea/Boats</itm></itms></links>
 *
 * delta adds (and is what is meant without a mode), full replaces. Only keywords that exist can be linked.
 */
import { addLinks, keywordTarget, type Targets, unlink, type ResolvedLink } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { cleanPath } from '../../core/batch/names.ts'
import { Problem } from '../../errors.ts'
import type { AssetValue } from './assets.show.ts'
import { findKeywords } from './assets.sql.ts'

export interface KeywordWish {
  readonly mode: 'delta' | 'full'
  readonly paths: readonly string[]
}

export function wishesOf({ links, keywords }: AssetValue): KeywordWish[] {
  const old = keywords?.itm ? [wish('delta', keywords.itm)] : []
  const groups = (links?.itms ?? []).filter(({ type }) => type === 'kwds')
  return [...old, ...groups.map(({ mode, itm = [] }) => wish(modeOf(mode), itm))]
}

/** delta adds, and is what is meant when nothing is said; full replaces. */
export function modeOf(mode = 'delta'): 'delta' | 'full' {
  const known = mode.toLowerCase()
  if (known === 'delta' || known === 'full') return known
  throw new Problem('invalid', `links/itms/@mode: ${mode} is none; expected delta or full`)
}

const wish = (mode: KeywordWish['mode'], items: readonly { value?: string }[]): KeywordWish => ({
  mode,
  paths: items.map(({ value = '' }) => cleanPath(value)),
})

/** The keywords that a batch names, by path; they stay until the transaction ends. */
export async function lockKeywords(
  { db }: Context,
  wishes: readonly KeywordWish[],
): Promise<ReadonlyMap<string, number>> {
  const tids = [...new Set(wishes.flatMap(({ paths }) => paths))]
  if (tids.length === 0) return new Map()
  return new Map((await keywordTarget.lock(db, { ids: [], tids })).map(({ tid, id }) => [tid, id]))
}

export function checkKeywords(wishes: readonly KeywordWish[], known: ReadonlyMap<string, number>): void {
  const missing = wishes.flatMap(({ paths }) => paths).find((path) => !known.has(path))
  if (missing !== undefined) throw new Problem('notFound', `no keyword has the path ${missing || '/'}`)
}

/** Links each asset with the keywords it shall have, and removes those it shall not. */
export async function linkKeywords(
  ctx: Context,
  targets: Targets,
  wishes: ReadonlyMap<number, readonly KeywordWish[]>,
  known: ReadonlyMap<string, number>,
): Promise<void> {
  if (wishes.size === 0) return
  const present = Map.groupBy(await findKeywords(ctx.db, [...wishes.keys()]), ({ assetId }) => assetId)
  const added: ResolvedLink[] = []
  const removed: Parameters<typeof unlink>[2][number][] = []
  const link = { kind: 'keywordToAsset', type: '' }
  for (const [toId, all] of wishes) {
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
