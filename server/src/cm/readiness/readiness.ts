/**
 * The readiness of channels and the completeness of products: missing required values by locale (judge.ts).
 *
 * Nothing is stored: every reply is computed from current data with a constant number of statements. Every object is
 * checked once for all locales and channels.
 */
import type { cm, Infer, ReadinessRequest } from '@kontor/contract'
import { checkLocale, findLocales } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { rightsAnywhere, rightsAt } from '../../core/access/permissions.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { findExtending, findTemplates } from '../../peo/api.ts'
import { type Judgement, lackingIn, percentOf, type ProductView, type ProductViews } from '../../pim/api.ts'
import { findBelow, findChannels, findLinks } from '../channels/channels.sql.ts'
import { judgePeo, judgeProduct } from './judge.ts'

type Request = Infer<typeof ReadinessRequest>
const maxListed = 1000

interface Judged extends Judgement {
  readonly dataType: 'peo' | 'product'
  readonly tid: string
  readonly productTid: string
}
/** An object of the reply, and all judgements that count for it. */
interface Subject {
  readonly dataType: string
  readonly id: number
  readonly tid: string
  readonly judged: readonly Judged[]
}

export const retrieveReadiness =
  (products: ProductViews): RouteHandler<typeof cm.routes.retrieveReadiness> =>
  (ctx, { body }) =>
    readinessOf(products, ctx, body)

/** Lists the required values that products, or the products of channels, lack. */
export const missingValues = (products: ProductViews) => async (ctx: Context, request: Request) => {
  const { objects } = await readinessOf(products, ctx, request)
  return objects.flatMap(({ locales }) =>
    locales.flatMap(({ locale, missingValues: missing = [] }) =>
      missing.map(({ tid = '', attr = '' }) => ({ object: tid, locale, attr })),
    ),
  )
}

async function readinessOf(products: ProductViews, ctx: Context, request: Request) {
  const { tids, ids, productTids = [], productIds = [], numbersOnly = false } = request
  const ofAny = productTids.length + productIds.length > 0
  if (!tids && !ids && !ofAny)
    throw new Problem('invalid', '/readinessRequest: names nothing; send tids or ids of channels, or of products')
  const locales = await localesOf(ctx, request)
  const subjects = [
    ...(tids || ids ? await ofChannels(ctx, products, request) : []),
    ...(ofAny ? await ofProducts(ctx, products, request) : []),
  ]
  if (subjects.length === 0) throw new Problem('notFound', 'none of these channels or products exists')
  return {
    objects: subjects.map(({ judged, ...subject }) => ({
      ...subject,
      locales: locales.map((locale) => sumUp(judged, locale, numbersOnly)),
    })),
  }
}

/** The locales to report, without those in which the caller may see no value. */
async function localesOf({ db, caller }: Context, { locales }: Request): Promise<string[]> {
  const asked = locales
    ? locales.map((locale) => checkLocale('/readinessRequest/locales', locale))
    : (await findLocales.CONTENT(db)).map(({ tid }) => tid)
  const rights = ['product', 'peo'].map((kind) => rightsAnywhere(caller.permissions, kind))
  return asked.filter((tid) => rights.some(({ locale }) => locale(tid).visible))
}

const toJudged = (view: ProductView): Judged => ({
  dataType: 'product',
  tid: view.tid,
  productTid: view.tid,
  ...judgeProduct(view),
})

async function ofProducts(
  ctx: Context,
  products: ProductViews,
  { productIds = [], productTids }: Request,
): Promise<Subject[]> {
  const views = await products(
    ctx,
    productIds.filter((id) => typeof id === 'number'),
    productTids,
  )
  return [...views.values()].map((view) => ({
    dataType: 'product',
    id: view.id,
    tid: view.tid,
    judged: [toJudged(view)],
  }))
}

async function ofChannels(
  ctx: Context,
  products: ProductViews,
  { tids, ids, withChildren = true, onlyProducts }: Request,
) {
  const { db, caller } = ctx
  const only = onlyProducts && new Set((await products(ctx, [], onlyProducts)).keys())
  const isAsked = (productId: number) => only?.has(productId) ?? true
  const channels = await findChannels(db, tids ? { tids } : { ids: ids! }, caller)
  const topIds = channels.map(({ id }) => id)
  const below = withChildren ? await findBelow(db, topIds, 'descendants', caller) : []
  const all = [...new Set([...topIds, ...below.map(({ id }) => id)])]
  const peos = (await findExtending(db, all, { caller })).filter(({ productId }) => isAsked(productId))
  const linked = (await findLinks(db, all)).filter(({ kind, fromId }) => kind === 'productToProject' && isAsked(fromId))
  const productIds = [...linked.map(({ fromId }) => fromId), ...peos.map(({ productId }) => productId)]
  const views = await products(ctx, productIds)
  const templates = new Map((await findTemplates(db)).map((row) => [row.id, row]))
  const pathOf = new Map([...channels, ...below].map(({ id, path }) => [id, path]))
  const judgedPeo = memoize(
    (row: (typeof peos)[number]) => row.id,
    (row): Judged | undefined => {
      const view = views.get(row.productId)
      if (!view) return undefined
      const judgement = judgePeo(
        row,
        templates.get(row.templateId)!,
        view,
        rightsAt(caller.permissions, 'peo', [pathOf.get(row.projectId)!]),
      )
      return { dataType: 'peo', tid: row.tid, productTid: view.tid, ...judgement }
    },
  )
  const judgedProduct = memoize(
    (id: number) => id,
    (id) => {
      const view = views.get(id)
      return view && toJudged(view)
    },
  )
  const placed = Map.groupBy(peos, ({ projectId }) => projectId)
  const linkedTo = Map.groupBy(linked, ({ toId }) => toId)
  const belowOf = Map.groupBy(below, ({ topId }) => topId)
  return channels.map(({ id, tid }): Subject => {
    const channelIds = [id, ...(belowOf.get(id) ?? []).map((one) => one.id)]
    const judged = [
      ...channelIds.flatMap((channelId) => placed.get(channelId) ?? []).map(judgedPeo),
      ...channelIds.flatMap((channelId) => linkedTo.get(channelId) ?? []).map(({ fromId }) => judgedProduct(fromId)),
    ]
    return { dataType: 'project', id, tid, judged: [...new Set(judged)].filter((one) => one !== undefined) }
  })
}

/** Memoizes a function by key. */
function memoize<T, R>(keyOf: (item: T) => number, compute: (item: T) => R): (item: T) => R {
  const known = new Map<number, R>()
  return (item) => {
    const key = keyOf(item)
    if (!known.has(key)) known.set(key, compute(item))
    return known.get(key)!
  }
}

function sumUp(judged: readonly Judged[], locale: string, numbersOnly: boolean) {
  let required = 0
  let missing = 0
  const missingValues: { dataType: string; tid: string; productTid: string; attr: string }[] = []
  for (const one of judged) {
    const lacking = lackingIn(one, locale)
    required += one.required
    missing += lacking.length
    if (numbersOnly || missingValues.length >= maxListed) continue
    const { dataType, tid, productTid } = one
    for (const attr of lacking) missingValues.push({ dataType, tid, productTid, attr })
  }
  return {
    locale,
    required,
    missing,
    percent: percentOf(required, missing),
    ...(!numbersOnly && { missingValues: missingValues.slice(0, maxListed) }),
  }
}
