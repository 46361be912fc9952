/**
 * How ready channels are: which required values are missing, by channel and locale.
 *
 *   of a product extension object   what its template requires, and what the node of its product requires and the
 *                                   template does not hide; by its values in the end
 *   of a product                    what its node requires
 *
 * A localized value is missing in a locale that it says nothing in; any other is missing in all locales or in none.
 * Nothing is stored: an answer is what holds now, at the price of a constant number of statements.
 */
import type { cm, Infer, ReadinessRequest } from '@kontor/contract'
import { checkLocale, findLocales } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { allows } from '../../core/permissions.ts'
import type { RouteHandler } from '../../core/routes.ts'
import { Problem } from '../../errors.ts'
import {
  columnKey,
  isLocalized,
  plainOf,
  type ProductView,
  type ProductViews,
  type StoredValue,
} from '../../pim/api.ts'
import {
  behaviourOf,
  effectiveValues,
  type ExtendingPeo,
  findExtending,
  findTemplates,
  type TemplateRow,
} from '../../peo/api.ts'
import { findBelow, findChannels, findLinks } from '../channels/channels.sql.ts'

type Request = Infer<typeof ReadinessRequest>
const mostListed = 1000

/** An object that is judged: what it must say, and what it says. */
interface Judged {
  readonly dataType: 'peo' | 'product'
  readonly tid: string
  readonly productTid: string
  /** The keys of the values, by attribute; one of them must be there. */
  readonly required: ReadonlyMap<string, readonly string[]>
  value(key: string): StoredValue | undefined
}

export const retrieveReadiness =
  (products: ProductViews): RouteHandler<typeof cm.routes.retrieveReadiness> =>
  async (ctx, { body }) => {
    const { tids, ids, productTids = [] } = body
    if (!tids && !ids && productTids.length === 0)
      throw new Problem('invalid', '/readinessRequest: names nothing; send tids or ids of channels, or productTids')
    const locales = await localesOf(ctx, body)
    const objects = [
      ...(tids || ids ? await ofChannels(ctx, products, body) : []),
      ...(await ofProducts(ctx, products, productTids)),
    ]
    if (objects.length === 0) throw new Problem('notFound', 'none of the channels or products exists')
    return {
      objects: objects.map(({ judged, ...object }) => ({
        ...object,
        locales: locales.map((locale) => judge(judged, locale)),
      })),
    }
  }

async function localesOf({ db }: Context, { locales }: Request): Promise<string[]> {
  if (locales) return locales.map((locale) => checkLocale('/readinessRequest/locales', locale))
  return (await findLocales.CONTENT(db)).map(({ tid }) => tid)
}

async function ofProducts(ctx: Context, products: ProductViews, tids: readonly string[]) {
  const views = await products(ctx, [], tids)
  return [...views.values()].map((view) => ({
    dataType: 'product',
    id: view.id,
    tid: view.tid,
    judged: [ofProduct(view)],
  }))
}

async function ofChannels(ctx: Context, products: ProductViews, { tids, ids, withChildren = true }: Request) {
  const { db, caller } = ctx
  const channels = await findChannels(db, tids ? { tids } : { ids: ids! }, caller)
  const topIds = channels.map(({ id }) => id)
  const below = withChildren ? await findBelow(db, topIds, 'descendants', caller) : []
  const all = [...new Set([...topIds, ...below.map(({ id }) => id)])]
  const peos = Map.groupBy(
    allows(caller.permissions, 'read', 'peo') ? await findExtending(db, all) : [],
    ({ projectId }) => projectId,
  )
  const linked = (await findLinks(db, all)).filter(({ kind }) => kind === 'productToProject')
  const productIds = [...linked.map(({ fromId }) => fromId), ...[...peos.values()].flat().map((one) => one.productId)]
  const views = await products(ctx, productIds)
  const templates = new Map((await findTemplates(db)).map((row) => [row.id, row]))
  const linkedTo = Map.groupBy(linked, ({ toId }) => toId)
  const belowOf = Map.groupBy(below, ({ topId }) => topId)
  return channels.map(({ id, tid }) => {
    const places = [id, ...(belowOf.get(id) ?? []).map((one) => one.id)]
    const own = new Map(places.flatMap((place) => peos.get(place) ?? []).map((row) => [row.id, row]))
    const plain = new Set(places.flatMap((place) => linkedTo.get(place) ?? []).map(({ fromId }) => fromId))
    const judged = [
      ...[...own.values()].flatMap((row) => {
        const view = views.get(row.productId)
        return view ? [ofPeo(row, templates.get(row.templateId)!, view)] : []
      }),
      ...[...plain].flatMap((productId) => (views.has(productId) ? [ofProduct(views.get(productId)!)] : [])),
    ]
    return { dataType: 'project', id, tid, judged }
  })
}

function ofProduct(view: ProductView): Judged {
  const required = new Map(view.required.map(({ key, definition }) => [key, keysOf(key, definition.columns)]))
  const value = (key: string) => view.values.get(key)?.value
  return { dataType: 'product', tid: view.tid, productTid: view.tid, required, value }
}

function ofPeo(row: ExtendingPeo, template: TemplateRow, view: ProductView): Judged {
  const demanded = Object.entries(template.attributes).filter(([, { mode, required }]) => required && mode !== 'hidden')
  const required = new Map([
    ...[...ofProduct(view).required].filter(([attr]) => behaviourOf(template, attr).mode !== 'hidden'),
    ...demanded.map(([attr]) => [attr, keysOf(attr, view.shown(attr)?.columns)] as const),
  ])
  const effective = effectiveValues(row, template, view)
  return { dataType: 'peo', tid: row.tid, productTid: view.tid, required, value: (key) => effective.get(key)?.value }
}

/** A table has a value when one of its columns has. */
const keysOf = (attr: string, columns: readonly string[] = []): readonly string[] =>
  columns.length === 0 ? [attr] : columns.map((column) => columnKey(attr, column))

function judge(judged: readonly Judged[], locale: string) {
  let required = 0
  let missing = 0
  const missingValues: { dataType: string; tid: string; productTid: string; attr: string }[] = []
  for (const { dataType, tid, productTid, required: attributes, value } of judged) {
    required += attributes.size
    for (const [attr, keys] of attributes) {
      if (keys.some((key) => isThere(value(key), locale))) continue
      if (++missing <= mostListed) missingValues.push({ dataType, tid, productTid, attr })
    }
  }
  const percent = required === 0 ? 100 : Math.floor(((required - missing) / required) * 100)
  return { locale, required, missing, percent, missingValues }
}

function isThere(value: StoredValue | undefined, locale: string): boolean {
  if (value === undefined) return false
  const plain = plainOf(value)
  return !isLocalized(plain) || Object.hasOwn(plain, locale)
}
