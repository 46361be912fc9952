/** Conditions in words, with the names of what was chosen. */
import { List, Text } from '@mantine/core'
import { commonTexts } from '../../ui/common-texts.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { useContentLocale, useLocaleName } from '../locales.ts'
import { useNames } from '../picker.tsx'
import { type Condition, type Group, isGroup, isList, textOf, valuesOf, withoutValue } from './conditions.ts'
import { type FieldIndex, pickerOf, useComparisonText, useFields, useFieldValues } from './fields.ts'
import { conditionsTexts } from './texts.ts'

export function ConditionTexts({ index, group }: { readonly index: FieldIndex; readonly group: Group }) {
  const t = useTexts(conditionsTexts)
  return (
    <>
      {group.of.length > 1 && (
        <Text size="sm" c="dimmed">
          {t(group.operator)}
        </Text>
      )}
      <List size="sm">
        {group.of.map((part, i) => (
          <List.Item key={i}>
            {isGroup(part) ? <ConditionTexts index={index} group={part} /> : <Line index={index} condition={part} />}
          </List.Item>
        ))}
      </List>
    </>
  )
}

function Line({ index, condition }: { readonly index: FieldIndex; readonly condition: Condition }) {
  const [locale] = useContentLocale()
  const w = useTexts(commonTexts)
  const format = useFormat()
  const localeName = useLocaleName()
  const comparisonText = useComparisonText()
  const field = useFields(index, locale).find(({ fieldName }) => fieldName === condition.name)
  const { name, comparator, language } = condition
  const values = isList(comparator) ? valuesOf(condition) : [textOf(condition)].filter(Boolean)
  const kind = pickerOf(name, index)
  const nameOf = useNames(kind ?? 'locale', kind ? values : [])
  const labels = new Map(useFieldValues(index, field, locale).map(({ value, label }) => [value, label]))
  const valueText = (value: string) => {
    if (field?.fieldType === 'boolean') return w(value === 'true' ? 'yes' : 'no')
    if (field?.fieldType === 'date' && /^\d{4}-\d\d-\d\d/.test(value)) return format.date(value)
    return kind ? nameOf(value) : (labels.get(value) ?? value)
  }
  return (
    <>
      {(field?.label ?? name) + (language === undefined ? '' : `, ${localeName(language)}`)}{' '}
      {comparisonText(comparator, field)} {!withoutValue.has(comparator) && <b>{values.map(valueText).join(', ')}</b>}
    </>
  )
}
