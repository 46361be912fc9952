/**
 * The quality of products in their channels, by locale: a score, and check by check what is wrong (checks.ts).
 *
 * Nothing is stored: every reply is computed from current data with a constant number of statements. It includes the
 * completeness, so that a list of products needs one call.
 */
import type { cm, Infer, QualityRequest } from '@kontor/contract'
import { checkLocale } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { type Permissions, rightsAnywhere, rightsAt } from '../../core/access/permissions.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { lackingIn, percentOf, type ProductView, type ProductViews } from '../../pim/api.ts'
import { judgePeo, judgeProduct } from '../readiness/judge.ts'
import { countOf, withPictures } from '../requirements/pictures.ts'
import { type Requirement, requirementsOf } from '../requirements/requirements.ts'
import { defaultSettings, judgeQuality } from './checks.ts'
import * as rows from './facts.sql.ts'
import { type Extension, subjectsOf } from './subjects.ts'

const mostProducts = 1000

type Request = Infer<typeof QualityRequest>

export const retrieveQuality =
  (products: ProductViews): RouteHandler<typeof cm.routes.retrieveQuality> =>
  async (ctx, { body }) => {
    const { productTids = [], productIds = [] } = body
    const asked = productTids.length + productIds.length
    if (asked === 0) throw new Problem('invalid', '/qualityRequest: names nothing; send productTids or productIds')
    if (asked > mostProducts)
      throw new Problem('invalid', `/qualityRequest: names ${asked} products; at most ${mostProducts} are possible`)
    const sent = body.locales?.map((locale) => checkLocale('/qualityRequest/locales', locale))
    const views = await products(ctx, productIds.filter((id) => typeof id === 'number'), productTids) // prettier-ignore
    if (views.size === 0) throw new Problem('notFound', 'none of these products exists')
    return { products: await qualityOf(ctx, body, views, sent) }
  }

/** The scores of at most 1,000 products in channels, as far as the caller may see them: for exports. */
export const productScores =
  (products: ProductViews) =>
  async (ctx: Context, tids: readonly string[], channelTids: readonly string[], locales: readonly string[]) => {
    const views = await products(ctx, [], tids)
    const found = await qualityOf(ctx, { channelTids: [...channelTids], numbersOnly: true }, views, locales)
    return found.flatMap(({ tid, places }) =>
      places.flatMap(({ channelTid: channel, locales: all }) =>
        all.map(({ locale, score: quality, completeness }) => ({ tid, channel, locale, quality, completeness })),
      ),
    )
  }

/** The locales in which the caller may see a value. */
function visibleLocales({ caller }: Context, locales: readonly string[]): string[] {
  const rights = ['product', 'peo'].map((kind) => rightsAnywhere(caller.permissions, kind))
  return locales.filter((tid) => rights.some(({ locale }) => locale(tid).visible))
}

async function qualityOf(
  ctx: Context,
  { channelTids, numbersOnly = false }: Request,
  views: ReadonlyMap<number, ProductView>,
  named: readonly string[] | undefined,
) {
  const { db, caller } = ctx
  const { permissions } = caller
  const ids = [...views.keys()]
  const [places, found] = await Promise.all([
    rows.findPlaces(db, ids, channelTids, caller),
    rows.findFacts(db, ids, permissions),
  ])
  const facts = new Map(found.map((row) => [row.id, visibleFacts(row, permissions)]))
  const channelIds = [...new Set(places.map(({ channelId }) => channelId))]
  const requirementOf = await requirementsOf(db, channelIds)
  const visible = visibleLocales(ctx, named ?? places[0]?.contentLocales ?? [])
  const { locale: entries } = rightsAnywhere(permissions, 'glossaryEntry')

  const placeOf = (view: ProductView, { channelId, tid, path, isLinked, peos }: rows.Place) => {
    const rights = rightsAt(permissions, 'peo', [path])
    const extensions = peos.map((peo): Extension => ({ peo, template: peo.template, rights }))
    const requirement = requirementOf(channelId)
    const ofProduct = facts.get(view.id)!
    const subjects = subjectsOf(view, ofProduct, extensions, (locale) => entries(locale).visible)
    const complete = completenessOf(isLinked, view, extensions, requirement, countOf(ofProduct.pictures))
    const counted = named ? visible : visible.filter((one) => requirement.locales?.includes(one) ?? true)
    return {
      channelId,
      channelTid: tid,
      channelPath: path,
      locales: counted.map((locale) => {
        const { score, checks } = judgeQuality(subjects, requirement.checks ?? defaultSettings, locale)
        const completeness = complete(locale)
        return {
          locale,
          ...(score !== undefined && { score }),
          ...(completeness !== undefined && { completeness }),
          ...(!numbersOnly && { checks: [...checks] }),
        }
      }),
    }
  }
  const byProduct = Map.groupBy(places, ({ productId }) => productId)
  return [...views.values()]
    .filter(({ id }) => facts.has(id))
    .map((view) => ({
      id: view.id,
      tid: view.tid,
      places: (byProduct.get(view.id) ?? []).map((place) => placeOf(view, place)),
    }))
}

/** Duplicates count where the caller may also see the identifier of the other product. */
const visibleFacts = (row: rows.Facts, permissions: Permissions): rows.Facts => ({
  ...row,
  identifiers: row.identifiers.map((one) => ({
    ...one,
    others: one.others.filter(({ at }) => rightsAt(permissions, 'product', [at]).attribute(one.attr).visible),
  })),
})

/**
 * The percentage of required values by locale; undefined if nothing is required. As in the readiness of the channel, a
 * product that is there only by extension objects is judged by these alone.
 */
function completenessOf(
  isLinked: boolean,
  view: ProductView,
  extensions: readonly Extension[],
  { attributes, pictures }: Requirement,
  attached: ReturnType<typeof countOf>,
) {
  const judged = [
    ...(isLinked ? [withPictures(judgeProduct(view, attributes), pictures, attached)] : []),
    ...extensions.map(({ peo, template, rights }) => judgePeo(peo, template, view, attributes, rights)),
  ]
  const required = judged.reduce((sum, one) => sum + one.required, 0)
  return (locale: string) =>
    required === 0 ? undefined : percentOf(required, judged.reduce((sum, one) => sum + lackingIn(one, locale).length, 0)) // prettier-ignore
}
