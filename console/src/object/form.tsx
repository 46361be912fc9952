/**
 * A form for any described shape: a field of the contract becomes an input by its kind and scalar. Pages name the fields
 * they want, in their order, and their labels; what is special they add around it.
 */
import { Checkbox, NumberInput, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import type { Field, Type } from '@kontor/contract'
import type { Say } from '../ui/language.tsx'

export interface ObjectFormProps<V extends object, K extends string> {
  readonly type: Type<V>
  readonly value: V
  readonly onChange: (value: V) => void
  readonly fields: readonly (keyof V & string)[]
  /** Words for the fields; the contract's own names where there is none. */
  readonly say?: Say<K>
  readonly labels?: Partial<Record<keyof V & string, string>>
  readonly disabled?: readonly (keyof V & string)[]
}

export function ObjectForm<V extends object, K extends string>(props: ObjectFormProps<V, K>) {
  const { type, value, onChange, fields, labels = {}, disabled = [] } = props
  return (
    <Stack gap="sm">
      {fields.map((name) => {
        const field = type.fields[name]!
        return (
          <FieldInput
            key={name}
            field={field}
            label={(labels as Record<string, string>)[name] ?? name}
            disabled={disabled.includes(name)}
            value={value[name]}
            onChange={(changed) => onChange({ ...value, [name]: changed })}
          />
        )
      })}
    </Stack>
  )
}

interface FieldInputProps {
  readonly field: Field
  readonly label: string
  readonly disabled: boolean
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function FieldInput({ field, label, disabled, value, onChange }: FieldInputProps) {
  const { kind, scalar, required, doc } = field
  const shared = { label, disabled, required: required ?? false, description: doc }
  if (kind === 'leaves')
    return <TagsInput {...shared} value={((value as unknown[]) ?? []).map(String)} onChange={onChange} />
  if (Array.isArray(scalar))
    return (
      <Select
        {...shared}
        data={[...(scalar as string[])]}
        value={(value as string) ?? null}
        onChange={(chosen) => onChange(chosen ?? undefined)}
        clearable={!required}
      />
    )
  if (scalar === 'boolean' || scalar === 'flag') {
    const checked = value === true || value === 'true'
    return (
      <Checkbox
        label={label}
        description={doc}
        disabled={disabled}
        checked={checked}
        onChange={({ currentTarget }) =>
          onChange(scalar === 'flag' ? String(currentTarget.checked) : currentTarget.checked)
        }
      />
    )
  }
  if (scalar === 'long' || scalar === 'integer' || scalar === 'number')
    return (
      <NumberInput
        {...shared}
        value={value === undefined ? '' : Number(value)}
        onChange={(number) => onChange(number === '' ? undefined : Number(number))}
        allowDecimal={scalar === 'number'}
      />
    )
  return (
    <TextInput
      {...shared}
      value={(value as string) ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  )
}
