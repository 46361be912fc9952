/**
 * Required values of objects, of the attributes that the caller may see there.
 *
 *   product extension object   the values that its template requires, and those that the classification node of its
 *                              product requires and the template does not hide; checked against effective values
 *   product                    the values that its node requires
 */
import type { Rights } from '../../core/access/permissions.ts'
import { type Demand, demandOf, demandsOf, judge, type Judgement, type ProductView } from '../../pim/api.ts'
import { behaviourOf, effectiveValue, type ExtendingPeo, type TemplateRow } from '../../peo/api.ts'

/** The view has rules only for attributes that the caller may see on the product. */
const isSeen = (view: ProductView, { attr }: Demand) => view.viewRule(attr) !== undefined

export const judgeProduct = (view: ProductView): Judgement =>
  judge(
    demandsOf(view.required).filter((demand) => isSeen(view, demand)),
    (key) => view.values.get(key)?.value,
  )

export function judgePeo(
  peo: Pick<ExtendingPeo, 'vals'>,
  template: TemplateRow,
  view: ProductView,
  rights?: Rights,
): Judgement {
  const ofTemplate = Object.entries(template.attributes).flatMap(([attr, { mode, required }]) =>
    required && mode !== 'hidden' ? [demandOf(attr, view.viewRule(attr)?.columns)] : [],
  )
  const ofNode = demandsOf(view.required).filter(({ attr }) => behaviourOf(template, attr).mode !== 'hidden')
  const demands = new Map<string, Demand>([...ofNode, ...ofTemplate].map((demand) => [demand.attr, demand]))
  const visible = [...demands.values()].filter(
    (demand) => isSeen(view, demand) && (!rights || rights.attribute(demand.attr).visible),
  )
  return judge(visible, (key) => effectiveValue(peo, template, view, key)?.value)
}
