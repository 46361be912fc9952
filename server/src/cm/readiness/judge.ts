/**
 * Required values of objects, of the attributes that the caller may see there.
 *
 *   product extension object   the values that its template requires, and those that the classification node of its
 *                              product requires and the template does not hide; checked against effective values
 *   product                    the values that its node requires
 *
 * A channel can name the attributes that take the place of those that nodes require.
 */
import type { Rights } from '../../core/access/permissions.ts'
import type { Caller } from '../../core/context.ts'
import { type Demand, demandOf, demandsOf, judge, type Judgement, type ProductView } from '../../pim/api.ts'
import { behaviourOf, effectiveValue, type ExtendingPeo, type TemplateRow } from '../../peo/api.ts'

/** Tells whether the caller may see the values of an attribute in a locale. */
type Shows = (attr: string, locale: string) => boolean
/** The judgement for a caller who may not see every locale. */
export interface JudgedFor extends Judgement {
  /** The attributes that count only in other locales; absent if the caller may see all. */
  hiddenIn?(locale: string): ReadonlySet<string>
}
const judgeFor = (
  demands: readonly Demand[],
  valueOf: Parameters<typeof judge>[1],
  shows: Shows | undefined,
): JudgedFor => ({
  ...judge(demands, valueOf),
  ...(shows && {
    hiddenIn: (locale: string) => new Set(demands.flatMap(({ attr }) => (shows(attr, locale) ? [] : [attr]))),
  }),
})

/** Whether the caller may see some values only in some locales. */
export const isNarrowed = ({ permissions }: Caller): boolean => permissions.some(({ visibleLocales }) => visibleLocales)

/** The view has rules only for attributes that the caller may see on the product. */
const isSeen = (view: ProductView, { attr }: Demand) => view.viewRule(attr) !== undefined

/** Keys of attributes that a channel requires instead of those that nodes mark as required; undefined: it has none. */
export type Attributes = readonly string[] | undefined

/** Of the attributes that a channel requires, a product needs those that its node has. */
const ofNode = (view: ProductView, attributes: Attributes): Demand[] =>
  demandsOf(attributes ? attributes.flatMap((key) => view.attribute(key) ?? []) : view.required)

export const judgeProduct = (view: ProductView, attributes?: Attributes, byLocale = false): JudgedFor =>
  judgeFor(
    ofNode(view, attributes).filter((demand) => isSeen(view, demand)),
    (key) => view.values.get(key)?.value,
    byLocale ? view.shows : undefined,
  )

export function judgePeo(
  peo: Pick<ExtendingPeo, 'vals'>,
  template: TemplateRow,
  view: ProductView,
  attributes: Attributes,
  rights?: Rights,
  byLocale = false,
): JudgedFor {
  const ofTemplate = Object.entries(template.attributes).flatMap(([attr, { mode, required }]) =>
    required && mode !== 'hidden' ? [demandOf(attr, view.viewRule(attr)?.columns)] : [],
  )
  const inherited = ofNode(view, attributes).filter(({ attr }) => behaviourOf(template, attr).mode !== 'hidden')
  const demands = new Map<string, Demand>([...inherited, ...ofTemplate].map((demand) => [demand.attr, demand]))
  const visible = [...demands.values()].filter(
    (demand) => isSeen(view, demand) && (!rights || rights.attribute(demand.attr).visible),
  )
  const shows: Shows = (attr, locale) => view.shows(attr, locale) && (rights?.attribute(attr, locale).visible ?? true)
  return judgeFor(visible, (key) => effectiveValue(peo, template, view, key)?.value, byLocale ? shows : undefined)
}
