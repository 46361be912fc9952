/** Texts of conditions on fields. */
import { defineTexts } from '../../ui/language.tsx'

export const conditionsTexts = defineTexts('conditions', {
  addCondition: 'Add condition',
  addGroup: 'Add group',
  removeCondition: 'Remove',
  field: 'Field',
  comparator: 'Comparison',
  value: 'Value',
  AND: 'all of',
  OR: 'any of',
  values: 'Comma-separated values',
})
