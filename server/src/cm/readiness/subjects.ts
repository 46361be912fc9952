/** The objects whose readiness is computed: channels with everything in them, each object judged by what its channel requires. */
import type { Infer, ReadinessRequest } from '@kontor/contract'
import type { Context } from '../../core/context.ts'
import { rightsAt } from '../../core/access/permissions.ts'
import { findExtending, findTemplates } from '../../peo/api.ts'
import type { ProductView, ProductViews } from '../../pim/api.ts'
import { findBelow, findChannels, findLinks } from '../channels/channels.sql.ts'
import { attachedTo, type countOf, withPictures } from '../requirements/pictures.ts'
import { type Requirement, requirementsOf } from '../requirements/requirements.ts'
import { type Attributes, isNarrowed, type JudgedFor, judgePeo, judgeProduct } from './judge.ts'

export interface Judged extends JudgedFor {
  readonly dataType: 'peo' | 'product'
  readonly tid: string
  readonly productTid: string
  /** The locales in which it counts; undefined: in all. */
  readonly locales?: ReadonlySet<string> | undefined
}
/** An object of the reply, and all judgements that count for it. */
export interface Subject {
  readonly dataType: string
  readonly id: number
  readonly tid: string
  readonly judged: readonly Judged[]
  /** Whether the object requires the locale. */
  counts(locale: string): boolean
}

export const toJudged = (view: ProductView, attributes?: Attributes, byLocale = false): Judged => ({
  dataType: 'product',
  tid: view.tid,
  productTid: view.tid,
  ...judgeProduct(view, attributes, byLocale),
})

type Request = Pick<Infer<typeof ReadinessRequest>, 'tids' | 'ids' | 'withChildren' | 'onlyProducts'>

export async function ofChannels(
  ctx: Pick<Context, 'db' | 'caller'>,
  products: ProductViews,
  { tids, ids, withChildren = true, onlyProducts }: Request,
): Promise<Subject[]> {
  const { db, caller } = ctx
  const byLocale = isNarrowed(caller)
  const only = onlyProducts && new Set((await products(ctx, [], onlyProducts)).keys())
  const isAsked = (productId: number) => only?.has(productId) ?? true
  const channels = await findChannels(db, tids ? { tids } : { ids: ids! }, caller)
  const topIds = channels.map(({ id }) => id)
  const below = withChildren ? await findBelow(db, topIds, 'descendants', caller) : []
  const all = [...new Set([...topIds, ...below.map(({ id }) => id)])]
  const requirementOf = await requirementsOf(db, all)
  const peos = (await findExtending(db, all, { caller })).filter(({ productId }) => isAsked(productId))
  const linked = (await findLinks(db, all)).filter(({ kind, fromId }) => kind === 'productToProject' && isAsked(fromId))
  const templates = new Map((await findTemplates(db)).map((row) => [row.id, row]))
  const pathOf = new Map([...channels, ...below].map(({ id, path }) => [id, path]))

  const judgePeoIn = (row: (typeof peos)[number], view: ProductView, attributes: Attributes): Judged => {
    const rights = rightsAt(caller.permissions, 'peo', [pathOf.get(row.projectId)!])
    const judgement = judgePeo(row, templates.get(row.templateId)!, view, attributes, rights, byLocale)
    return { dataType: 'peo', tid: row.tid, productTid: view.tid, ...judgement }
  }
  const entries = [
    ...peos.map((row): Entry => {
      const { projectId: channelId, productId, id } = row
      const judge: Entry['judge'] = (view, { attributes }) => judgePeoIn(row, view, attributes)
      return { channelId, productId, key: `peo ${id}`, judge }
    }),
    ...linked.map(({ fromId: productId, toId: channelId }): Entry => {
      const judge: Entry['judge'] = (view, { attributes, pictures }, attached) => {
        const judged = toJudged(view, attributes, byLocale)
        return { ...judged, ...withPictures(judged, pictures, attached) }
      }
      return { channelId, productId, key: `product ${productId}`, judge }
    }),
  ]
  const judgedOf = await judgeInParts(ctx, products, entries, requirementOf)
  const byChannel = Map.groupBy(entries, ({ channelId }) => channelId)
  const inChannel = new Map(all.map((id) => [id, (byChannel.get(id) ?? []).flatMap((one) => judgedOf.get(one) ?? [])]))
  const belowOf = Map.groupBy(below, ({ topId }) => topId)
  return channels.map(({ id, tid }): Subject => {
    const channelIds = [id, ...(belowOf.get(id) ?? []).map((one) => one.id)]
    const judged = [...new Set(channelIds.flatMap((channelId) => inChannel.get(channelId)!))]
    const required = channelIds.filter((one) => one === id || inChannel.get(one)!.length > 0).map(requirementOf)
    const counts = (locale: string) => required.some(({ locales }) => locales?.includes(locale) ?? true)
    return { dataType: 'project', id, tid, judged, counts }
  })
}

/** An object in a channel. */
interface Entry {
  readonly channelId: number
  readonly productId: number
  readonly key: string
  judge(view: ProductView, requirement: Requirement, attached: ReturnType<typeof countOf>): Judged
}

/** The values of so many products are in memory at once. */
const partSize = 1000

/** Judges each object once per requirement; the same object in two channels with the same requirement counts once. */
async function judgeInParts(
  ctx: Pick<Context, 'db' | 'caller'>,
  products: ProductViews,
  entries: readonly Entry[],
  requirementOf: (id: number) => Requirement,
): Promise<ReadonlyMap<Entry, Judged>> {
  const required = [...new Set(entries.map(({ channelId }) => channelId))].map(requirementOf)
  const byProduct = [...Map.groupBy(entries, ({ productId }) => productId)]
  const judgedOf = new Map<Entry, Judged>()
  for (let from = 0; from < byProduct.length; from += partSize) {
    const part = byProduct.slice(from, from + partSize)
    const ids = part.map(([id]) => id)
    const views = await products(ctx, ids)
    const attached = await attachedTo(ctx, ids, required)
    for (const [id, objects] of part) {
      const view = views.get(id)
      if (!view) continue
      const known = new Map<string, Judged>()
      for (const entry of objects) {
        const requirement = requirementOf(entry.channelId)
        const { locales, attributes, pictures } = requirement
        const key = `${entry.key} ${JSON.stringify([locales, attributes, pictures])}`
        const judged = known.get(key) ?? {
          ...entry.judge(view, requirement, attached?.(id)),
          ...(locales && { locales: new Set(locales) }),
        }
        known.set(key, judged)
        judgedOf.set(entry, judged)
      }
    }
  }
  return judgedOf
}
