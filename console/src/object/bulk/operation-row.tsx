/** One operation of a change: what to do, and the fields that it needs. */
import { ActionIcon, Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTexts } from '../../ui/language.tsx'
import { useAttributeOptions } from '../attribute-groups.ts'
import { useContentLocale, useContentLocales, useLocaleName } from '../locales.ts'
import { PickOne } from '../picker.tsx'
import type { Attribute } from '../values/attribute.ts'
import { ValueField } from '../values/value-field.tsx'
import { type BulkKind, type ChoiceName, choiceOf, choicesFor, type OperationDraft, suits } from './operations.ts'
import { FilePartFields, isFilePart } from './file-part-fields.tsx'
import { LinkTypeInput } from './link-type-input.tsx'
import { texts } from './texts.ts'
import classes from './bulk.module.css'

interface OperationRowProps {
  readonly kind: BulkKind
  readonly row: number
  readonly operation: OperationDraft
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Only operations of these types. */
  readonly types?: readonly string[]
  readonly onChange: (operation: OperationDraft) => void
  /** Absent if it is the only one. */
  readonly onRemove: (() => void) | undefined
}

export function OperationRow({ kind, row, operation, attributes, types, onChange, onRemove }: OperationRowProps) {
  const t = useTexts(texts)
  const { fields } = choiceOf(operation.choice)
  const chooseOperation = (choice: ChoiceName) => {
    const attribute = attributes.get(operation.attribute ?? '')
    onChange({ ...operation, choice, attribute: attribute && suits(choice, attribute) ? attribute.key : undefined })
  }
  return (
    <div className={classes.operation} role="group" aria-label={`${row}. ${t(operation.choice)}`}>
      <Select
        label={t('operation')}
        data={choicesFor(kind, types).map((value) => ({ value, label: t(value) }))}
        value={operation.choice}
        onChange={(value) => value && chooseOperation(value as ChoiceName)}
        allowDeselect={false}
        maxDropdownHeight={400}
      />
      <div className={classes.fields}>
        {typeof fields === 'object' ? (
          <ObjectFields kind={kind} operation={operation} onChange={onChange} />
        ) : isFilePart(fields) ? (
          <FilePartFields operation={operation} onChange={onChange} />
        ) : (
          <AttributeFields operation={operation} attributes={attributes} onChange={onChange} />
        )}
      </div>
      {onRemove && (
        <ActionIcon variant="subtle" color="gray" mt={26} aria-label={t('removeOperation', { row })} onClick={onRemove}>
          <IconX size={16} />
        </ActionIcon>
      )}
    </div>
  )
}

type FieldsProps = Pick<OperationRowProps, 'operation' | 'onChange'>

function ObjectFields({ kind, operation, onChange }: FieldsProps & Pick<OperationRowProps, 'kind'>) {
  const t = useTexts(texts)
  const { fields, hasRole } = choiceOf(operation.choice)
  if (typeof fields !== 'object') return null
  return (
    <>
      <PickOne
        key={fields.picker}
        kind={fields.picker}
        label={t(fields.label)}
        value={operation.to}
        onChange={(to) => onChange({ ...operation, to })}
      />
      {hasRole && (
        <LinkTypeInput
          kind={kind === 'product' && fields.picker === 'product' ? 'product' : 'file'}
          label={t('role')}
          value={operation.role}
          onChange={(role) => onChange({ ...operation, role })}
        />
      )}
    </>
  )
}

function AttributeFields({ operation, attributes, onChange }: FieldsProps & Pick<OperationRowProps, 'attributes'>) {
  const t = useTexts(texts)
  const [contentLocale] = useContentLocale()
  const locales = useContentLocales()
  const localeName = useLocaleName()
  const { fields } = choiceOf(operation.choice)
  const attribute = attributes.get(operation.attribute ?? '')
  const set = (changed: Partial<OperationDraft>) => onChange({ ...operation, ...changed })
  const isWhole = operation.choice === 'replace'
  const options = useAttributeOptions([...attributes.values()].filter((one) => suits(operation.choice, one)))
  return (
    <>
      <Select
        label={t('attribute')}
        data={options}
        value={operation.attribute ?? null}
        onChange={(key) => set({ attribute: key ?? undefined, texts: [], locale: operation.locale ?? contentLocale })}
        searchable
      />
      {attribute?.localized && (
        <Select
          label={t('language')}
          data={locales.map(({ tid }) => ({ value: tid, label: localeName(tid) }))}
          value={operation.locale ?? contentLocale}
          onChange={(locale) => set({ locale: locale ?? contentLocale })}
          allowDeselect={false}
          searchable
        />
      )}
      {attribute && fields === 'value' && (
        <ValueField
          attribute={attribute}
          texts={operation.texts}
          onChange={(texts) => set({ texts })}
          label={t('value')}
        />
      )}
      {attribute && fields === 'copy' && (
        <CopyFields operation={operation} attributes={attributes} onChange={onChange} />
      )}
      {attribute && (fields === 'template' || fields === 'expression') && (
        <FormulaFields operation={operation} attribute={attribute} attributes={attributes} onChange={onChange} />
      )}
      {attribute && (fields === 'copy' || fields === 'template' || fields === 'expression') && (
        <Checkbox
          className={classes.wide}
          label={t('clearIfMissing')}
          checked={operation.clearIfMissing ?? false}
          onChange={({ currentTarget }) => set({ clearIfMissing: currentTarget.checked })}
        />
      )}
      {attribute && fields === 'find' && (
        <>
          <Part
            attribute={attribute}
            isWhole={isWhole}
            label={t('find')}
            text={operation.find}
            onChange={(find) => set({ find })}
          />
          <Part
            attribute={attribute}
            isWhole={isWhole}
            label={t('replacement')}
            text={operation.replacement}
            onChange={(replacement) => set({ replacement })}
          />
        </>
      )}
    </>
  )
}

type SourceProps = FieldsProps & Pick<OperationRowProps, 'attributes'>

function CopyFields({ operation, attributes, onChange }: SourceProps) {
  const t = useTexts(texts)
  const [contentLocale] = useContentLocale()
  const locales = useContentLocales()
  const localeName = useLocaleName()
  const source = attributes.get(operation.from ?? '')
  return (
    <>
      <Select
        label={t('from')}
        data={[...attributes.values()]
          .filter(({ key, dataType, localized }) => dataType !== 'table' && (key !== operation.attribute || localized))
          .map(({ key, label }) => ({ value: key, label }))}
        value={operation.from ?? null}
        onChange={(from) => onChange({ ...operation, from: from ?? undefined, fromLocale: contentLocale })}
        searchable
      />
      {source?.localized && (
        <Select
          label={t('fromLanguage')}
          data={locales.map(({ tid }) => ({ value: tid, label: localeName(tid) }))}
          value={operation.fromLocale ?? contentLocale}
          onChange={(fromLocale) => onChange({ ...operation, fromLocale: fromLocale ?? contentLocale })}
          allowDeselect={false}
          searchable
        />
      )}
    </>
  )
}

/** A template or an expression, with the attributes to insert, so that nobody types their IDs. */
function FormulaFields({
  operation,
  attribute,
  attributes,
  onChange,
}: SourceProps & { readonly attribute: Attribute }) {
  const t = useTexts(texts)
  const isTemplate = choiceOf(operation.choice).fields === 'template'
  const units = attribute.currencies ?? attribute.units?.map(({ code }) => code)
  const insert = (key: string) => {
    const source = attributes.get(key)
    if (source) onChange({ ...operation, formula: operation.formula + (isTemplate ? `{${key}}` : termOf(source)) })
  }
  return (
    <>
      <Select
        label={t('insert')}
        data={[...attributes.values()]
          .filter(({ key, dataType }) => dataType !== 'table' && key !== operation.attribute)
          .map(({ key, label }) => ({ value: key, label }))}
        value={null}
        onChange={(key) => key && insert(key)}
        searchable
      />
      <Textarea
        className={classes.wide}
        label={t(isTemplate ? 'template' : 'expression')}
        description={t(isTemplate ? 'templateHint' : 'expressionHint', isTemplate ? { name: '{$name}' } : {})}
        autosize
        minRows={1}
        value={operation.formula}
        onChange={({ currentTarget }) => onChange({ ...operation, formula: currentTarget.value })}
      />
      {!isTemplate && units && (
        <Select
          label={t('unit')}
          data={[...units]}
          value={operation.unit ?? null}
          onChange={(unit) => onChange({ ...operation, unit: unit ?? undefined })}
        />
      )}
    </>
  )
}

/** How an expression reads an attribute. */
function termOf({ key, dataType, units = [], currencies = [] }: Attribute): string {
  if (dataType === 'price') return `amount("${key}", "${currencies[0] ?? 'EUR'}")`
  if (dataType === 'measure') return `measure("${key}", "${units[0]?.code ?? ''}")`
  return dataType === 'number' ? `number("${key}")` : `text("${key}")`
}

interface PartProps {
  readonly attribute: Attribute
  /** The whole value, not a part of a text. */
  readonly isWhole: boolean
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
}

function Part({ attribute, isWhole, label, text, onChange }: PartProps) {
  if (!isWhole)
    return <TextInput label={label} value={text} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  return (
    <ValueField
      attribute={{ ...attribute, multiple: false }}
      texts={text ? [text] : []}
      onChange={([value = '']) => onChange(value)}
      label={label}
    />
  )
}
