/**
 * A form for any shape of the contract. Each field becomes an input by its description; a page lists only its exceptions:
 * the order, fields to hide, other labels, and its own control for a field that needs one.
 *
 *   <ObjectForm type={NewUserAccount} value={user} onChange={setUser} labelOf={labelOf}
 *     fields={{ name: { label: t('userName') }, password: false, roles: { options: roleNames } }} />
 */
import {
  Checkbox,
  Fieldset,
  MultiSelect,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core'
import type { Infer, Name, Type } from '@kontor/contract'
import type { ReactNode } from 'react'
import { DateField } from '../ui/date-field.tsx'
import { type DescribedField, exceptionOf, type Exceptions, fieldsOf, isTrue, withField, wordsOf } from './fields.ts'
import type { LabelOf } from './labels.ts'
import { NamesInput, type NamesOptions } from './names-input.tsx'

interface Option {
  readonly value: string
  readonly label: string
}

export interface FormField<V> {
  readonly label?: string
  readonly description?: string | undefined
  /** Why the value cannot be stored. */
  readonly error?: string | undefined
  readonly required?: boolean
  readonly disabled?: boolean
  readonly inputType?: 'email' | 'url' | 'password' | 'date'
  readonly autoComplete?: string
  /** For a number. */
  readonly min?: number
  readonly max?: number
  /** The values offered by a choice or a list. */
  readonly options?: readonly (string | Option)[] | undefined
  /** The value of a choice that an absent value means. */
  readonly fallback?: string
  /** For a name per locale. */
  readonly names?: NamesOptions
  /** For a group: the exceptions of its own fields. */
  readonly fields?: Readonly<Record<string, false | FormField<never>>>
  /** A control of the page's own. It may change several fields. */
  readonly control?: (value: V, onChange: (value: V) => void) => ReactNode
}
export type FormFields<V> = Exceptions<V, FormField<V>>

export interface ObjectFormProps<V extends object> {
  readonly type: Type<V>
  readonly value: V
  readonly onChange: (value: V) => void
  readonly labelOf: LabelOf
  readonly fields?: FormFields<V>
  readonly readOnly?: boolean
  /** Puts the focus on the first input when a dialog opens. */
  readonly autoFocus?: boolean
}

export function ObjectForm<V extends object>(props: ObjectFormProps<V>) {
  const { type, value, onChange, labelOf, fields = {}, readOnly = false } = props
  const described = fieldsOf(type, fields)
  const first = described.find(
    ({ name, control }) => control === 'text' && !exceptionOf<V, FormField<V>>(fields, name).disabled,
  )
  return (
    <Stack gap="sm">
      {described.map((one) => {
        const { control, ...exception } = exceptionOf<V, FormField<V>>(fields, one.name)
        if (control) return <div key={one.name}>{control(value, onChange)}</div>
        return (
          <FieldInput
            key={one.name}
            {...exception}
            described={one}
            labelOf={labelOf}
            readOnly={readOnly}
            autoFocus={props.autoFocus === true && one === first}
            value={value[one.name as keyof V]}
            onChange={(changed) => onChange(withField(value, one.name, changed))}
          />
        )
      })}
    </Stack>
  )
}

/** The names of the fields that need a value before the form can be sent. */
export const requiredFields = <V,>(type: Type<V>, fields: FormFields<V> = {}): string[] =>
  fieldsOf(type, fields)
    .filter(({ name, field }) => exceptionOf<V, FormField<V>>(fields, name).required ?? field.required ?? false)
    .map(({ name }) => name)

interface FieldInputProps extends Omit<FormField<never>, 'control'> {
  readonly described: DescribedField
  readonly labelOf: LabelOf
  readonly readOnly: boolean
  readonly autoFocus: boolean
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function FieldInput(props: FieldInputProps) {
  const { described, labelOf, readOnly, value, onChange } = props
  const { name, field, control } = described
  const label = props.label ?? labelOf(name)
  const shared = {
    label,
    description: props.description,
    error: props.error,
    disabled: props.disabled ?? false,
    readOnly,
    required: props.required ?? field.required ?? false,
    'data-autofocus': props.autoFocus || undefined,
  }
  switch (control) {
    case 'checkbox':
      return (
        <Checkbox
          {...shared}
          required={false}
          disabled={shared.disabled || readOnly}
          checked={isTrue(value)}
          onChange={({ currentTarget: { checked } }) => onChange(field.scalar === 'flag' ? String(checked) : checked)}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...shared}
          value={value === undefined ? '' : Number(value)}
          onChange={(number) => onChange(number === '' ? undefined : Number(number))}
          allowDecimal={field.scalar === 'number'}
          {...(props.min !== undefined && { min: props.min })}
          {...(props.max !== undefined && { max: props.max })}
        />
      )
    case 'names':
      return <NamesInput {...shared} {...props.names} value={value as Infer<typeof Name>} onChange={onChange} />
    case 'group':
      return (
        <Fieldset legend={label}>
          <ObjectForm<object>
            type={field.type!() as Type<object>}
            value={(value as object | undefined) ?? {}}
            onChange={onChange}
            labelOf={labelOf}
            fields={(props.fields ?? {}) as FormFields<object>}
            readOnly={readOnly}
          />
        </Fieldset>
      )
    case 'none':
      return null
    default:
      return <TextOrChoice {...props} shared={shared} />
  }
}

interface SharedProps {
  readonly label: string
  readonly description: string | undefined
  readonly error: string | undefined
  readonly disabled: boolean
  readonly readOnly: boolean
  readonly required: boolean
}

function TextOrChoice({
  shared,
  described,
  labelOf,
  value,
  onChange,
  ...props
}: FieldInputProps & { shared: SharedProps }) {
  const { field, control } = described
  const offered = props.options ?? wordsOf(field)?.map((word) => ({ value: word, label: labelOf(word) }))
  const data = offered ? [...offered] : []
  if (control === 'list') {
    const listed = ((value as readonly unknown[] | undefined) ?? []).map(String)
    if (offered) return <MultiSelect {...shared} data={data} value={listed} onChange={onChange} searchable />
    return <TagsInput {...shared} value={listed} onChange={onChange} />
  }
  if (offered)
    return (
      <Select
        {...shared}
        data={data}
        value={(value as string | undefined) ?? props.fallback ?? null}
        onChange={(chosen) => onChange(chosen ?? undefined)}
        allowDeselect={!shared.required && props.fallback === undefined}
      />
    )
  const text = {
    ...shared,
    value: (value as string | undefined) ?? '',
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
    ...(props.autoComplete && { autoComplete: props.autoComplete }),
  }
  if (props.inputType === 'password') return <PasswordInput {...text} />
  if (props.inputType === 'date' || control === 'date')
    return <DateField {...shared} value={text.value} onChange={onChange} />
  return <TextInput {...text} type={props.inputType ?? 'text'} />
}
