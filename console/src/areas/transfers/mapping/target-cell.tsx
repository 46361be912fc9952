/** The target of a column: a field of the product, an attribute with its language, or nothing. */
import { Group, Select } from '@mantine/core'
import { useState } from 'react'
import { useContentLocale, useContentLocales } from '../../../object/locales.ts'
import { nameIn } from '../../../object/items.ts'
import { useRelationTypes } from '../../../object/relation-types.ts'
import { useAttributes } from '../../../object/model.ts'
import { PickOne } from '../../../object/picker.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { attributeColumn } from './attribute-column.ts'
import { ColumnOptions } from './column-options.tsx'
import { texts } from './texts.ts'
import type { Column } from './use-mapping.ts'

const kinds = ['attribute', 'tid', 'name', 'node', 'asset', 'relation', 'quantity', 'ignore'] as const
type Kind = (typeof kinds)[number]
const levels = ['product', 'article', 'variant'] as const

interface TargetCellProps {
  readonly heading: string
  readonly target: Column | undefined
  /** The file does not have the column: a template fills it. */
  readonly isAdded?: boolean
  /** Default true. */
  readonly hasOptions?: boolean
  /** Offers a new attribute for the column. */
  readonly onCreate?: (() => void) | undefined
  readonly onChange: (target: Column) => void
}

export function TargetCell({
  heading,
  target,
  isAdded = false,
  hasOptions = true,
  onCreate,
  onChange,
}: TargetCellProps) {
  const t = useTexts(texts)
  const attributes = useAttributes()
  const locales = useContentLocales()
  const [locale] = useContentLocale()
  // An attribute is stored as soon as it is chosen.
  const [isChoosing, setChoosing] = useState(false)
  const kind: Kind = isChoosing || target?.attr !== undefined ? 'attribute' : (target?.field ?? 'ignore')
  const column = target?.column ?? heading
  const level = target?.level === undefined ? {} : { level: target.level }
  const template = target?.template === undefined ? {} : { template: target.template }
  const types = useRelationTypes()
  const choices = kinds.map((value) => ({ value: value as string, label: t(value) }))
  const isRelation = kind === 'relation' || kind === 'quantity'
  const isLocalized = (attr: string) => attributes.get(attr.split('/').at(-1)!)?.localized ?? false
  const setKind = (next: Kind | 'new') => {
    if (next === 'new') return onCreate?.()
    setChoosing(next === 'attribute')
    if (next === 'attribute') return
    const [first] = types
    const linkType = next === 'relation' || next === 'quantity' ? (target?.linkType ?? first?.tid) : undefined
    onChange({
      column,
      ...template,
      field: next,
      ...(next !== 'ignore' && next !== 'node' && level),
      ...(linkType && { linkType }),
    })
  }
  const setAttribute = (attr: string | undefined) => {
    if (attr === undefined) return
    setChoosing(false)
    onChange(attributeColumn(column, target, attr, isLocalized(attr) ? (target?.locale ?? locale) : undefined))
  }
  return (
    <Group gap="xs">
      <Select
        aria-label={t('targetOf', { column })}
        w={150}
        data={
          onCreate ? choices.toSpliced(-1, 0, { value: 'new', label: t('newAttribute', { name: column }) }) : choices
        }
        value={kind}
        allowDeselect={false}
        onChange={(value) => setKind(value as Kind | 'new')}
      />
      {kind === 'attribute' && (
        <PickOne
          kind="attribute"
          aria-label={t('attributeOf', { column })}
          placeholder={t('chooseAttribute')}
          value={target?.attr}
          onChange={setAttribute}
          required
        />
      )}
      {kind === 'attribute' && target?.attr !== undefined && isLocalized(target.attr) && (
        <Select
          aria-label={t('localeOf', { column })}
          w={140}
          data={locales.map(({ tid, name }) => ({ value: tid, label: name }))}
          value={target.locale ?? null}
          allowDeselect={false}
          onChange={(value) => value !== null && onChange({ ...target, locale: value })}
        />
      )}
      {target && isRelation && (
        <Select
          aria-label={t('relationOf', { column })}
          w={160}
          data={types.map(({ tid = '', label }) => ({ value: tid, label: nameIn(label, locale) || tid }))}
          value={target.linkType ?? null}
          allowDeselect={false}
          onChange={(value) => value !== null && onChange({ ...target, linkType: value })}
        />
      )}
      {target && kind !== 'ignore' && kind !== 'node' && (
        <Select
          aria-label={t('levelOf', { column })}
          w={110}
          data={levels.map((value) => ({ value, label: t(value) }))}
          value={target.level ?? 'product'}
          allowDeselect={false}
          onChange={(value) => onChange({ ...target, level: value as (typeof levels)[number] })}
        />
      )}
      {target && hasOptions && kind !== 'ignore' && (
        <ColumnOptions column={target} isAdded={isAdded} onChange={onChange} />
      )}
    </Group>
  )
}
