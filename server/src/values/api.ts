/**
 * Attribute definitions and values, as the areas use them. Every area keeps its own definitions and values; how they are
 * checked, read, stored and answered is decided here.
 */
export { allowedRule, checkLocales, readOnly, undefinedAttribute, visibleOf } from './access.ts'
export {
  type Definition,
  type Domain,
  type Range,
  toDefinition,
  toDomain,
  toItems,
  toNames,
  toRange,
} from './definition.ts'
export { attributeTypeOf, typeRules } from './attribute-types.ts'
export { breakingChanges } from './definition-changes.ts'
export { contentOf, type DefinitionContent, type DefinitionValue } from './definition-content.ts'
export { definitionView } from './definition-message.ts'
export { definitionRules, newTid } from './definition-upsert.ts'
export { checkDefault, checkRange, ordered, some } from './definition-parts.ts'
export type { DefinitionRow, Names, Versioned } from './definition-row.ts'
export { addValue, type DomainList, fullList, loadLocales, type LocaleOf, mergeList } from './domain-list.ts'
export { holdUnits } from './format.ts'
export { attributeFields, type AttributeFields } from './fields.ts'
export { type Reading, readingsOf, visibleHistory } from './history.ts'
export { compileGroups, compileReplacement } from './pattern.ts'
export { mergeVals } from './read.ts'
export { checkDefaultFits, columnKey, keyOf, refuse, toColumn, toRule, toRules, type ValueRule } from './rule.ts'
export {
  isLocalized,
  isSame,
  type Localized,
  noValues,
  plainOf,
  type StoredValue,
  type StoredValues,
  type ValMessage,
  valueChanges,
} from './stored.ts'
export { readStored } from './stored-text.ts'
export { type Origin, toPrinted, toVal } from './to-message.ts'
export { type Enforcement, wordsOf } from './phrases.ts'
export { type Term, toTerms } from './terms.ts'
export { checkWords, type ForbiddenWord, isProse, textsOf, toWords, type WordCheck, type Words } from './words.ts'
