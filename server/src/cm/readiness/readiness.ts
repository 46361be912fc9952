/**
 * The readiness of channels and the completeness of products: missing required values by locale (judge.ts).
 *
 * Nothing is stored: every reply is computed from current data with a constant number of statements. Every object is
 * checked once for all locales and for all channels with the same requirement.
 */
import type { cm, Infer, ReadinessRequest } from '@kontor/contract'
import { checkLocale, findLocales } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { rightsAnywhere } from '../../core/access/permissions.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { lackingIn, percentOf, type ProductViews } from '../../pim/api.ts'
import { missingPart } from '../requirements/pictures.ts'
import { isNarrowed } from './judge.ts'
import { ofChannels, type Subject, toJudged } from './subjects.ts'

type Request = Infer<typeof ReadinessRequest>
const maxListed = 1000
const maxAttributes = 20

export const retrieveReadiness =
  (products: ProductViews): RouteHandler<typeof cm.routes.retrieveReadiness> =>
  (ctx, { body }) =>
    readinessOf(products, ctx, body)

/** Lists the required values that products, or the products of channels, lack. */
export const missingValues = (products: ProductViews) => async (ctx: Context, request: Request) => {
  const { objects } = await readinessOf(products, ctx, request)
  return objects.flatMap(({ locales }) =>
    locales.flatMap(({ locale, missingValues: missing = [] }) =>
      missing.map(({ tid = '', attr, picture }) => ({ object: tid, locale, attr: attr ?? `asset/${picture}` })),
    ),
  )
}

async function readinessOf(products: ProductViews, ctx: Context, request: Request) {
  const { tids, ids, productTids = [], productIds = [] } = request
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
    objects: subjects.map((subject) => {
      const { dataType, id, tid, judged } = subject
      const isChannel = dataType === 'project'
      const counted = request.locales ? locales : locales.filter((locale) => subject.counts(locale))
      return {
        dataType,
        id,
        tid,
        ...(isChannel && { products: new Set(judged.map(({ productTid }) => productTid)).size }),
        locales: counted.map((locale) => sumUp(subject, locale, request)),
      }
    }),
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

async function ofProducts(
  ctx: Context,
  products: ProductViews,
  { productIds = [], productTids }: Request,
): Promise<Subject[]> {
  const byLocale = isNarrowed(ctx.caller)
  const views = await products(
    ctx,
    productIds.filter((id) => typeof id === 'number'),
    productTids,
  )
  return [...views.values()].map((view) => ({
    dataType: 'product',
    id: view.id,
    tid: view.tid,
    judged: [toJudged(view, undefined, byLocale)],
    counts: () => true,
  }))
}

function sumUp({ dataType, judged }: Subject, locale: string, { numbersOnly = false, onlyAttributes }: Request) {
  const isChannel = dataType === 'project'
  let required = 0
  let missing = 0
  const products = new Map<string, boolean>()
  const byAttribute = new Map<string, number>()
  const missingValues: { dataType: string; tid: string; productTid: string; attr?: string; picture?: string }[] = []
  for (const one of judged) {
    if (one.locales && !one.locales.has(locale)) continue
    const hidden = one.hiddenIn?.(locale)
    const lacking = lackingIn(one, locale).filter((attr) => !hidden?.has(attr))
    required += one.required - (hidden?.size ?? 0)
    missing += lacking.length
    products.set(one.productTid, (products.get(one.productTid) ?? true) && lacking.length === 0)
    const { dataType, tid, productTid } = one
    for (const attr of lacking) {
      byAttribute.set(attr, (byAttribute.get(attr) ?? 0) + 1)
      const isListed = !numbersOnly && missingValues.length < maxListed && (onlyAttributes?.includes(attr) ?? true)
      if (isListed) missingValues.push({ dataType, tid, productTid, ...missingPart(attr) })
    }
  }
  const most = [...byAttribute].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, maxAttributes)
  return {
    locale,
    required,
    missing,
    ...(!(isChannel && required === 0) && { percent: percentOf(required, missing) }),
    ...(isChannel && {
      complete: [...products.values()].filter(Boolean).length,
      missingAttributes: most.map(([attr, count]) => ({ ...missingPart(attr), missing: count })),
    }),
    ...(!numbersOnly && { missingValues }),
  }
}
