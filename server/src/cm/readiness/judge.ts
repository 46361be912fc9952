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
import { type Demand, demandOf, demandsOf, judge, type Judgement, type ProductView } from '../../pim/api.ts'
import { behaviourOf, effectiveValue, type ExtendingPeo, type TemplateRow } from '../../peo/api.ts'

/** The view has rules only for attributes that the caller may see on the product. */
const isSeen = (view: ProductView, { attr }: Demand) => view.viewRule(attr) !== undefined

/** Keys of attributes that a channel requires instead of those that nodes mark as required; undefined: it has none. */
export type Attributes = readonly string[] | undefined

/** Of the attributes that a channel requires, a product needs those that its node has. */
const ofNode = (view: ProductView, attributes: Attributes): Demand[] =>
  demandsOf(attributes ? attributes.flatMap((key) => view.attribute(key) ?? []) : view.required)

export const judgeProduct = (view: ProductView, attributes?: Attributes): Judgement =>
  judge(
    ofNode(view, attributes).filter((demand) => isSeen(view, demand)),
    (key) => view.values.get(key)?.value,
  )

export function judgePeo(
  peo: Pick<ExtendingPeo, 'vals'>,
  template: TemplateRow,
  view: ProductView,
  attributes: Attributes,
  rights?: Rights,
): Judgement {
  const ofTemplate = Object.entries(template.attributes).flatMap(([attr, { mode, required }]) =>
    required && mode !== 'hidden' ? [demandOf(attr, view.viewRule(attr)?.columns)] : [],
  )
  const inherited = ofNode(view, attributes).filter(({ attr }) => behaviourOf(template, attr).mode !== 'hidden')
  const demands = new Map<string, Demand>([...inherited, ...ofTemplate].map((demand) => [demand.attr, demand]))
  const visible = [...demands.values()].filter(
    (demand) => isSeen(view, demand) && (!rights || rights.attribute(demand.attr).visible),
  )
  return judge(visible, (key) => effectiveValue(peo, template, view, key)?.value)
}
