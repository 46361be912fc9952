/**
 * Links nested in a product, an article or a variation (common/links/embedded-links.ts). Links that are sent are added; a product
 * may link to one that comes earlier in the same message.
 */
import {
  type Ends,
  type LinksMessage,
  lockOthers,
  readLinks,
  type SentLink,
  embeddedLinks as shownInside,
  type Targets,
} from '../../common/api.ts'
import type { Context } from '../../core/context.ts'

export type { Ends, SentLink, ResolvedLink } from '../../common/api.ts'

export const toSentLinks = ({ itms = [] }: LinksMessage): SentLink[] => readLinks('product', itms)

export const lockEnds = (ctx: Context, targets: Targets, links: readonly SentLink[]): Promise<Ends> =>
  lockOthers(ctx, 'product', targets, links)

export const findLinks = (ctx: Context, targets: Targets, ids: readonly number[]) =>
  shownInside(ctx, 'product', targets, ids)
