/** A field of a task's form, as an input that suits its type. */
import { MultiSelect, NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core'
import type { FormField, Infer } from '@kontor/contract'
import type { Words } from '../../object/linked/words.ts'
import { Picker, PickOne } from '../../object/picker.tsx'

export type Field = Infer<typeof FormField>
export type Values = Readonly<Record<string, unknown>>

/** The defaults of the fields. A switch without a default is off, which answers "no". */
export function initialValues(fields: readonly Field[]): Values {
  const values: Record<string, unknown> = {}
  for (const { key, defaultValue, type } of fields) {
    if (type === 'boolean') values[key] = defaultValue === 'true'
    else if (defaultValue !== undefined) values[key] = defaultValue
  }
  return values
}

interface FieldInputProps {
  readonly field: Field
  readonly words: Words
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

export function FieldInput({ field, words, value, onChange }: FieldInputProps) {
  const { type, multiple, allowedValues = [] } = field
  const common = { label: words.text(field.name ?? field.key), required: field.required ?? false }
  const options = allowedValues.map((one) => ({ value: one, label: words.outcome(one) }))
  const list = (value as string[] | undefined) ?? []
  const text = (value as string | undefined) ?? ''
  if (type === 'language' && multiple) return <Picker {...common} kind="locale" value={list} onChange={onChange} />
  if (type === 'language') return <PickOne {...common} kind="locale" value={text || undefined} onChange={onChange} />
  if (multiple && options.length > 0)
    return <MultiSelect {...common} data={options} value={list} onChange={onChange} clearable />
  if (multiple) return <TagsInput {...common} value={list} onChange={onChange} />
  if (options.length > 0)
    return (
      <Select {...common} data={options} value={text || null} onChange={(chosen) => onChange(chosen ?? undefined)} />
    )
  if (type === 'boolean')
    return (
      <Switch
        label={common.label}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  if (type === 'integer' || type === 'long' || type === 'double')
    return (
      <NumberInput
        {...common}
        allowDecimal={type === 'double'}
        value={(value as number | undefined) ?? ''}
        onChange={onChange}
      />
    )
  return (
    <TextInput
      {...common}
      {...(type === 'date' && { type: 'date' })}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
