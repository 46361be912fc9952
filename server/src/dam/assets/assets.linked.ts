/**
 * Links of assets to products and channels, as persist receives them and retrieve returns them.
 *
 *   <links><itms type="assetToProject" mode="full"><itms type="Cover"><itm key="projectTid">C-1</itm></itms></itms></links>
 *
 * delta adds, full replaces the links of that kind. Keywords have their own group (assets.keywords.ts).
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
import type { AssetValue } from './assets.messages.ts'

/** The requested links of one kind: added (delta) or a replacement (full). */
export interface LinkRequest {
  readonly kind: string
  readonly mode: 'delta' | 'full'
  readonly links: readonly SentLink[]
}

export function linkRequestsOf({ links }: AssetValue): LinkRequest[] {
  if (links?.itm?.length)
    throw new Problem('invalid', 'links/itm: a link needs a kind; put it into itms of type kwds, assetToProduct, …')
  return (links?.itms ?? [])
    .filter(({ type }) => type !== 'kwds')
    .map((group) => ({ kind: group.type ?? '', mode: modeOf(group.mode), links: readLinks('asset', [group]) }))
}

export const lockLinked = (ctx: Context, targets: Targets, requests: readonly LinkRequest[]): Promise<Ends> =>
  lockOthers(
    ctx,
    'asset',
    targets,
    requests.flatMap(({ links }) => links),
  )

/** A request whose link ends have been resolved to ids. */
export interface ResolvedRequest {
  readonly kind: string
  readonly mode: 'delta' | 'full'
  readonly links: readonly ResolvedLink[]
}

export const resolveRequests = (ends: Ends, assetId: number, requests: readonly LinkRequest[]): ResolvedRequest[] =>
  requests.map(({ kind, mode, links }) => ({
    kind,
    mode,
    links: links.map((link) => ends.resolve(link, { id: assetId })),
  }))

/**
 * Adds the requested links and removes those that a full list omits. The number of statements does not depend on the
 * number of links.
 */
export async function writeLinks(
  ctx: Context,
  targets: Targets,
  requests: ReadonlyMap<number, readonly ResolvedRequest[]>,
): Promise<void> {
  const asked = [...requests].map(([id, all]) => inOrder(id, all))
  const wanted = asked.flatMap(({ links }) => links)
  const replaced = new Set(asked.flatMap(({ full }) => full))
  if (replaced.size > 0) {
    const kept = new Set(wanted.map(keyOf))
    const gone = (await linksOf(ctx.db, [...requests.keys()])).filter(
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

/** Combines the requests for one asset: later ones apply on top of earlier ones. */
function inOrder(id: number, requests: readonly ResolvedRequest[]): { links: ResolvedLink[]; full: string[] } {
  let links: ResolvedLink[] = []
  for (const request of requests) {
    if (request.mode === 'full') links = links.filter(({ kind }) => kind !== request.kind)
    links.push(...request.links)
  }
  return { links, full: requests.filter(({ mode }) => mode === 'full').map(({ kind }) => `${id} ${kind}`) }
}

const keyOf = ({ kind, type, fromId, toId }: Pick<ResolvedLink, 'kind' | 'type' | 'fromId' | 'toId'>) =>
  `${fromId} ${kind} ${toId} ${type}`
