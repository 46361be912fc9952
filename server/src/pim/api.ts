/** What other areas may use of the PIM area: attribute definitions and values, and what products say. */
export { contentOf, type DefinitionValue } from './attribute-definitions/attribute-definitions.content.ts'
export { toMessage as toDefinitionMessage } from './attribute-definitions/attribute-definitions.ts'
export { toDefinition } from '../values/definition.ts'
export { loadLocales } from '../values/domain-list.ts'
export type { DefinitionRow } from '../values/definition-row.ts'
export { allowedRule, checkLocales, visibleOf } from './products/products.access.ts'
export {
  completenessOf,
  type Demand,
  demandOf,
  demandsOf,
  judge,
  type Judgement,
  lackingIn,
  percentOf,
} from './products/products.completeness.ts'
export type { ProductView, ProductViews } from './products/products.values.ts'
export { attributeFields, type AttributeFields } from '../values/fields.ts'
export { mergeVals, type RuleOf } from '../values/read.ts'
export { columnKey, toColumn, toRule, type ValueRule } from '../values/rule.ts'
export { toVal } from '../values/show.ts'
export {
  isLocalized,
  noValues,
  plainOf,
  type StoredValue,
  type StoredValues,
  valueChanges,
  type ValMessage,
} from '../values/stored.ts'
