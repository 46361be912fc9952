/** The objects whose readiness is computed: channels with everything in them, each object judged by what its channel requires. */
import type { Infer, ReadinessRequest } from '@kontor/contract'
import type { Context } from '../../core/context.ts'
import { rightsAt } from '../../core/access/permissions.ts'
import { findExtending, findTemplates } from '../../peo/api.ts'
import type { Judgement, ProductView, ProductViews } from '../../pim/api.ts'
import { findBelow, findChannels, findLinks } from '../channels/channels.sql.ts'
import { attachedTo, withPictures } from '../requirements/pictures.ts'
import { type Requirement, requirementsOf } from '../requirements/requirements.ts'
import { type Attributes, judgePeo, judgeProduct } from './judge.ts'

export interface Judged extends Judgement {
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

export const toJudged = (view: ProductView, attributes?: Attributes): Judged => ({
  dataType: 'product',
  tid: view.tid,
  productTid: view.tid,
  ...judgeProduct(view, attributes),
})

type Request = Pick<Infer<typeof ReadinessRequest>, 'tids' | 'ids' | 'withChildren' | 'onlyProducts'>

export async function ofChannels(
  ctx: Pick<Context, 'db' | 'caller'>,
  products: ProductViews,
  { tids, ids, withChildren = true, onlyProducts }: Request,
): Promise<Subject[]> {
  const { db, caller } = ctx
  const only = onlyProducts && new Set((await products(ctx, [], onlyProducts)).keys())
  const isAsked = (productId: number) => only?.has(productId) ?? true
  const channels = await findChannels(db, tids ? { tids } : { ids: ids! }, caller)
  const topIds = channels.map(({ id }) => id)
  const below = withChildren ? await findBelow(db, topIds, 'descendants', caller) : []
  const all = [...new Set([...topIds, ...below.map(({ id }) => id)])]
  const requirementOf = await requirementsOf(db, all)
  const peos = (await findExtending(db, all, { caller })).filter(({ productId }) => isAsked(productId))
  const linked = (await findLinks(db, all)).filter(({ kind, fromId }) => kind === 'productToProject' && isAsked(fromId))
  const productIds = [...linked.map(({ fromId }) => fromId), ...peos.map(({ productId }) => productId)]
  const views = await products(ctx, productIds)
  const attached = await attachedTo(
    ctx,
    linked.map(({ fromId }) => fromId),
    linked.map(({ toId }) => requirementOf(toId)),
  )
  const templates = new Map((await findTemplates(db)).map((row) => [row.id, row]))
  const pathOf = new Map([...channels, ...below].map(({ id, path }) => [id, path]))
  const peosOf = Map.groupBy(peos, ({ projectId }) => projectId)
  const linkedTo = Map.groupBy(linked, ({ toId }) => toId)

  const judgePeoIn = (row: (typeof peos)[number], view: ProductView, attributes: Attributes): Judged => {
    const rights = rightsAt(caller.permissions, 'peo', [pathOf.get(row.projectId)!])
    const judgement = judgePeo(row, templates.get(row.templateId)!, view, attributes, rights)
    return { dataType: 'peo', tid: row.tid, productTid: view.tid, ...judgement }
  }
  const judgedObjects = new Map<string, Judged>()
  /** Judged once per requirement; the same object in two channels with the same requirement counts once. */
  const memoized = (
    kind: string,
    id: number,
    channelId: number,
    judge: (requirement: Requirement) => Judged,
  ): Judged => {
    const requirement = requirementOf(channelId)
    const { locales, attributes, pictures } = requirement
    const key = `${kind} ${id} ${JSON.stringify([locales, attributes, pictures])}`
    let judged = judgedObjects.get(key)
    if (!judged) {
      judged = { ...judge(requirement), ...(locales && { locales: new Set(locales) }) }
      judgedObjects.set(key, judged)
    }
    return judged
  }
  const inChannel = new Map(
    all.map((channelId) => [
      channelId,
      [
        ...(peosOf.get(channelId) ?? []).flatMap((row) => {
          const view = views.get(row.productId)
          return view ? memoized('peo', row.id, channelId, ({ attributes }) => judgePeoIn(row, view, attributes)) : []
        }),
        ...(linkedTo.get(channelId) ?? []).flatMap(({ fromId }) => {
          const view = views.get(fromId)
          if (!view) return []
          return memoized('product', fromId, channelId, ({ attributes, pictures }) => {
            const judged = toJudged(view, attributes)
            return { ...judged, ...withPictures(judged, pictures, attached?.(fromId)) }
          })
        }),
      ],
    ]),
  )
  const belowOf = Map.groupBy(below, ({ topId }) => topId)
  return channels.map(({ id, tid }): Subject => {
    const channelIds = [id, ...(belowOf.get(id) ?? []).map((one) => one.id)]
    const judged = [...new Set(channelIds.flatMap((channelId) => inChannel.get(channelId)!))]
    const required = channelIds.filter((one) => one === id || inChannel.get(one)!.length > 0).map(requirementOf)
    const counts = (locale: string) => required.some(({ locales }) => locales?.includes(locale) ?? true)
    return { dataType: 'project', id, tid, judged, counts }
  })
}
