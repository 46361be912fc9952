/**
 * What else an asset is linked to, as persist sends it and retrieve shows it: products and channels.
 *
 *   <links><itms type="assetToProject" mode="full"><itms type="Cover"><itm key="projectTid">C-1</itm></itms></itms></links>
 *
 * delta adds, full replaces the links of that kind. Keywords have a group of their own (assets.keywords.ts).
 */
import {
  addLinks,
  type Ends,
  linksOf,
  lockOthers,
  readLinks,
  type SentLink,
  type Targets,
  unlink,
  type ResolvedLink,
} from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { modeOf } from './assets.keywords.ts'
import type { AssetValue } from './assets.show.ts'

/** The links of one kind that an asset shall have, or have besides. */
export interface LinkWish {
  readonly kind: string
  readonly mode: 'delta' | 'full'
  readonly links: readonly SentLink[]
}

export function linkWishesOf({ links }: AssetValue): LinkWish[] {
  if (links?.itm?.length)
    throw new Problem('invalid', 'links/itm: a link needs a kind; put it into itms of type kwds, assetToProduct, …')
  return (links?.itms ?? [])
    .filter(({ type }) => type !== 'kwds')
    .map((group) => ({ kind: group.type ?? '', mode: modeOf(group.mode), links: readLinks('asset', [group]) }))
}

export const lockLinked = (ctx: Context, targets: Targets, wishes: readonly LinkWish[]): Promise<Ends> =>
  lockOthers(
    ctx,
    'asset',
    targets,
    wishes.flatMap(({ links }) => links),
  )

/** A wish whose other ends are known. */
export interface Resolved {
  readonly kind: string
  readonly mode: 'delta' | 'full'
  readonly links: readonly ResolvedLink[]
}

export const resolveWishes = (ends: Ends, assetId: number, wishes: readonly LinkWish[]): Resolved[] =>
  wishes.map(({ kind, mode, links }) => ({ kind, mode, links: links.map((link) => ends.resolve(link, assetId)) }))

/** Adds what is asked for, and removes what a full list does not name, with the same statements for any number. */
export async function writeLinks(
  ctx: Context,
  targets: Targets,
  wishes: ReadonlyMap<number, readonly Resolved[]>,
): Promise<void> {
  const asked = [...wishes].map(([id, all]) => inOrder(id, all))
  const wanted = asked.flatMap(({ links }) => links)
  const replaced = new Set(asked.flatMap(({ full }) => full))
  if (replaced.size > 0) {
    const kept = new Set(wanted.map(keyOf))
    const gone = (await linksOf(ctx.db, [...wishes.keys()])).filter(
      (link) =>
        (replaced.has(`${link.fromId} ${link.kind}`) || replaced.has(`${link.toId} ${link.kind}`)) &&
        !kept.has(keyOf(link)),
    )
    const pairs = gone.map(({ fromId, toId, ...link }) => ({ ...link, from: { id: fromId }, to: { id: toId } }))
    if (pairs.length > 0)
      await unlink(
        ctx,
        targets,
        pairs.map((pair) => ({ ...pair, anyType: false })),
      )
  }
  await addLinks(ctx, wanted)
}

/** What remains of the wishes for one asset when each follows upon the one before. */
function inOrder(id: number, wishes: readonly Resolved[]): { links: ResolvedLink[]; full: string[] } {
  let links: ResolvedLink[] = []
  for (const wish of wishes) {
    if (wish.mode === 'full') links = links.filter(({ kind }) => kind !== wish.kind)
    links.push(...wish.links)
  }
  return { links, full: wishes.filter(({ mode }) => mode === 'full').map(({ kind }) => `${id} ${kind}`) }
}

const keyOf = ({ kind, type, fromId, toId }: Pick<ResolvedLink, 'kind' | 'type' | 'fromId' | 'toId'>) =>
  `${fromId} ${kind} ${toId} ${type}`
