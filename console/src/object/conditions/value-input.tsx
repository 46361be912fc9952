/** The value of a condition: people choose it where the field has objects, options or dates, and type it elsewhere. */
import { MultiSelect, Select, type SelectProps, TagsInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { commonTexts } from '../../ui/common-texts.ts'
import { DateField } from '../../ui/date-field.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Picker, PickOne } from '../picker.tsx'
import { type Condition, isList, textOf, valuesOf } from './conditions.ts'
import { type Field, type FieldIndex, pickerOf, useFieldValues } from './fields.ts'
import { conditionsTexts } from './texts.ts'

interface ValueInputProps {
  readonly index: FieldIndex
  readonly language: string
  readonly field: Field | undefined
  readonly condition: Condition
  readonly onChange: (value: string | string[]) => void
}

/** The comparisons with whole values; others compare parts of words, which people type. */
const whole = new Set(['EQ', 'NOT_EQ', 'IN', 'NOT_IN'])

export function ValueInput({ index, language, field, condition, onChange }: ValueInputProps) {
  const t = useTexts(conditionsTexts)
  const { comparator } = condition
  const choices = useFieldValues(index, field, language)
  const kind = whole.has(comparator) ? pickerOf(condition.name, index) : undefined
  const isMany = isList(comparator)
  const label = { 'aria-label': t(isMany ? 'values' : 'value'), size: 'xs' } as const
  const text = textOf(condition)
  if (isMany) {
    const values = [...valuesOf(condition)]
    if (kind) return <Picker {...label} kind={kind} value={values} onChange={onChange} />
    if (choices.length > 0) return <ChooseMany label={label['aria-label']} choices={choices} value={values} onChange={onChange} /> // prettier-ignore
    return <TagsInput {...label} value={values} onChange={onChange} />
  }
  if (kind) return <PickOne {...label} kind={kind} value={text || undefined} onChange={(one) => onChange(one ?? '')} />
  if (field?.fieldType === 'boolean') return <YesOrNo label={label['aria-label']} value={text} onChange={onChange} />
  if (field?.fieldType === 'date') return <DateField {...label} value={text} onChange={onChange} />
  if (whole.has(comparator) && choices.length > 0)
    return <ChooseOne label={label['aria-label']} choices={choices} value={text} onChange={onChange} />
  return (
    <TextInput
      {...label}
      placeholder={t('value')}
      value={text}
      rightSection={field?.unit && <Text size="xs">{field.unit}</Text>}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function YesOrNo({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const w = useTexts(commonTexts)
  return (
    <Select
      size="xs"
      aria-label={label}
      data={[
        { value: 'true', label: w('yes') },
        { value: 'false', label: w('no') },
      ]}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
      allowDeselect={false}
    />
  )
}

interface ChooseProps<V> {
  readonly label: string
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly value: V
  readonly onChange: (value: V) => void
}

/** The typed value is on offer too, because an object with it may be added later. */
function useOffered({ choices, label }: Pick<ChooseProps<unknown>, 'choices' | 'label'>, stored: readonly string[]) {
  const [typed, setTyped] = useState('')
  const known = new Set(choices.flatMap((one) => [one.value, one.label]))
  const others = [...new Set([...stored, typed.trim()])].filter((one) => one !== '' && !known.has(one))
  return {
    size: 'xs',
    'aria-label': label,
    data: [...choices, ...others.map((value) => ({ value, label: value }))],
    searchable: true,
    searchValue: typed,
    onSearchChange: setTyped,
    limit: 200,
  } satisfies SelectProps
}

function ChooseOne({ value, onChange, ...props }: ChooseProps<string>) {
  const offered = useOffered(props, [value])
  return <Select {...offered} value={value === '' ? null : value} onChange={(chosen) => onChange(chosen ?? '')} />
}

function ChooseMany({ value, onChange, ...props }: ChooseProps<string[]>) {
  const offered = useOffered(props, value)
  return <MultiSelect {...offered} value={value} onChange={onChange} hidePickedOptions />
}
