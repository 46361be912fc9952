/** The editor of one value in one locale; its control follows from the attribute. */
import {
  Select,
  MultiSelect,
  TagsInput,
  Text,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { plainText } from '@kontor/contract'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { DateField } from '../../ui/date-field.tsx'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import type { Attribute } from './attribute.ts'
import type { Texts } from './draft.ts'
import { faultOf } from './fault.ts'
import { MeasureField } from './measure-field.tsx'
import { PriceField } from './price-field.tsx'
import classes from './value-field.module.css'

const RichtextEditor = lazy(() => import('./richtext-editor.tsx'))

interface ValueFieldProps {
  readonly attribute: Attribute
  readonly texts: Texts
  readonly onChange: (texts: Texts) => void
  /** The inherited value, displayed while the field is empty. */
  readonly placeholder?: string
  readonly label?: string
  /** For fields whose visible label is elsewhere. */
  readonly 'aria-label'?: string
  readonly disabled?: boolean
  /** Displayed when the pointer rests on it, for example why it is disabled. */
  readonly title?: string
  /** The reason why the server refused the value. */
  readonly error?: string | undefined
  readonly autoFocus?: boolean
  readonly size?: TextInputProps['size']
  /** Drawn behind the text: the same text with highlighted parts. */
  readonly backdrop?: ((text: string) => ReactNode) | undefined
}

export function ValueField(props: ValueFieldProps) {
  const { attribute, texts, onChange } = props
  const shared = {
    label: props.label,
    'aria-label': props['aria-label'],
    placeholder: props.placeholder,
    title: props.title,
    disabled: props.disabled || attribute.readOnly,
    autoFocus: props.autoFocus,
    size: props.size ?? 'sm',
    error: props.error,
    'aria-required': attribute.required || undefined,
  }
  const fault = props.error ?? faultOf(attribute, texts)
  const most = attribute.multiple ? attribute.most : 1
  if (attribute.options && attribute.multiple && !attribute.open)
    return (
      <MultiSelect
        {...shared}
        data={[...attribute.options]}
        value={[...texts]}
        onChange={onChange}
        searchable
        clearable
        hidePickedOptions
        {...(attribute.most !== undefined && { maxValues: attribute.most })}
      />
    )
  if (attribute.options && !attribute.multiple && !attribute.open)
    return (
      <Select
        {...shared}
        data={[...attribute.options]}
        value={texts[0] ?? null}
        onChange={(value) => onChange(value ? [value] : [])}
        searchable
        clearable
      />
    )
  if (attribute.multiple || attribute.options)
    return (
      <TagsInput
        {...shared}
        data={attribute.options?.map(({ value }) => value) ?? []}
        value={texts.filter(Boolean)}
        onChange={onChange}
        {...(most !== undefined && { maxTags: most })}
        error={fault}
        clearable
      />
    )
  return <SingleField {...props} shared={shared} fault={fault} />
}

function SingleField({
  attribute,
  texts,
  onChange,
  backdrop,
  placeholder,
  shared,
  fault,
}: ValueFieldProps & { shared: object; fault: string | undefined }) {
  const t = useTexts(commonTexts)
  const text = texts[0] ?? ''
  const set = (value: string) => onChange(value === '' ? [] : [value])
  if (attribute.dataType === 'boolean')
    return (
      <Select
        {...shared}
        data={[
          { value: 'true', label: t('yes') },
          { value: 'false', label: t('no') },
        ]}
        placeholder={placeholder === 'true' ? t('yes') : placeholder === 'false' ? t('no') : placeholder}
        value={text || null}
        onChange={(value) => set(value ?? '')}
        clearable
      />
    )
  if (attribute.dataType === 'date')
    return (
      <DateField
        {...shared}
        value={text.slice(0, 10)}
        min={attribute.from}
        max={attribute.to}
        onChange={set}
        error={fault}
      />
    )
  if (attribute.dataType === 'number')
    return (
      <TextInput
        {...shared}
        inputMode="decimal"
        {...(attribute.unit && {
          rightSection: <Text size="xs">{attribute.unit}</Text>,
          rightSectionWidth: `${attribute.unit.length + 2}ch`,
          rightSectionPointerEvents: 'none',
        })}
        value={text}
        onChange={(event) => set(event.currentTarget.value.replace(',', '.'))}
        error={fault}
      />
    )
  if (attribute.units)
    return <MeasureField {...shared} units={attribute.units} value={text} onText={set} error={fault} />
  if (attribute.currencies)
    return <PriceField {...shared} currencies={attribute.currencies} value={text} onText={set} error={fault} />
  if (attribute.dataType === 'richtext')
    return (
      <Suspense fallback={<Textarea {...shared} value={plainText(text)} readOnly autosize />}>
        <RichtextEditor {...shared} value={text} onText={set} error={fault} />
      </Suspense>
    )
  const area = { ...shared, value: text, error: fault, autosize: true, minRows: 1, maxRows: 12 }
  if (backdrop) return <MarkedArea {...area} backdrop={backdrop(text)} onText={set} />
  return <Textarea {...area} onChange={(event) => set(event.currentTarget.value)} />
}

function MarkedArea({
  backdrop,
  onText,
  ...area
}: TextareaProps & { backdrop: ReactNode; onText: (text: string) => void }) {
  const under = useRef<HTMLDivElement>(null)
  return (
    <div className={classes.backed}>
      <div ref={under} className={classes.backdrop} aria-hidden>
        {backdrop}
      </div>
      <Textarea
        {...area}
        onChange={(event) => onText(event.currentTarget.value)}
        onScroll={({ currentTarget }) => under.current!.scrollTo({ top: currentTarget.scrollTop })}
      />
    </div>
  )
}
