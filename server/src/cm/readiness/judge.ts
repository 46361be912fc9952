/**
 * Required values of objects.
 *
 *   product extension object   the values that its template requires, and those that the classification node of its
 *                              product requires and the template does not hide; checked against effective values
 *   product                    the values that its node requires
 */
import { type Demand, demandOf, demandsOf, judge, type Judgement, type ProductView } from '../../pim/api.ts'
import { behaviourOf, effectiveValue, type ExtendingPeo, type TemplateRow } from '../../peo/api.ts'

export const judgeProduct = (view: ProductView): Judgement =>
  judge(demandsOf(view.required), (key) => view.values.get(key)?.value)

export function judgePeo(peo: Pick<ExtendingPeo, 'vals'>, template: TemplateRow, view: ProductView): Judgement {
  const ofTemplate = Object.entries(template.attributes).flatMap(([attr, { mode, required }]) =>
    required && mode !== 'hidden' ? [demandOf(attr, view.viewRule(attr)?.columns)] : [],
  )
  const ofNode = demandsOf(view.required).filter(({ attr }) => behaviourOf(template, attr).mode !== 'hidden')
  const demands = new Map<string, Demand>([...ofNode, ...ofTemplate].map((demand) => [demand.attr, demand]))
  return judge([...demands.values()], (key) => effectiveValue(peo, template, view, key)?.value)
}
