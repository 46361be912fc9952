/** The columns of a list, made from the contract's description of its rows; a page lists only its exceptions. */
import type { Infer, Name, Type } from '@kontor/contract'
import type { ReactNode } from 'react'
import { type Format, useFormat } from '../ui/format.ts'
import { useTexts } from '../ui/language.tsx'
import { commonTexts } from '../ui/common-texts.ts'
import { type Control, type DescribedField, exceptionOf, type Exceptions, fieldsOf, isTrue, wordsOf } from './fields.ts'
import { nameIn } from './items.ts'
import type { LabelOf } from './labels.ts'
import type { ListColumn } from './list.tsx'
import { useContentLocale } from './locales.ts'

type ListField<Row> = Partial<Omit<ListColumn<Row>, 'id'>>
export type ListFields<Row> = Exceptions<Row, ListField<Row>>

interface Wording {
  readonly labelOf: LabelOf
  readonly format: Format
  readonly yes: string
  readonly locale: string
}

export function useColumns<Row>(type: Type<Row>, labelOf: LabelOf, fields?: ListFields<Row>): ListColumn<Row>[] {
  const wording = { labelOf, format: useFormat(), yes: useTexts(commonTexts)('yes'), locale: useContentLocale()[0] }
  return toColumns(type, wording, fields)
}

export function toColumns<Row>(type: Type<Row>, wording: Wording, fields: ListFields<Row> = {}): ListColumn<Row>[] {
  return fieldsOf(type, fields).flatMap((described): ListColumn<Row>[] => {
    const name = described.name as keyof Row & string
    const exception = exceptionOf<Row, ListField<Row>>(fields, name)
    const isStructured = described.control === 'group' || described.control === 'none'
    if (isStructured && !exception.text) return []
    const show = showOf<Row>(described, wording)
    return [
      {
        id: name,
        title: wording.labelOf(name),
        width: widths[described.control],
        text: (row) => textOf(described, row[name], wording),
        ...(show && !exception.text && { show }),
        ...exception,
      },
    ]
  })
}

const widths: Readonly<Record<Control, string>> = {
  text: 'minmax(9rem, 1fr)',
  choice: '8rem',
  checkbox: '8rem',
  number: '7rem',
  date: '10rem',
  list: 'minmax(8rem, 1fr)',
  names: 'minmax(12rem, 2fr)',
  group: '8rem',
  none: '8rem',
}

/** The text that a value is sorted and filtered by. */
function textOf({ control, field }: DescribedField, value: unknown, { labelOf, yes, locale }: Wording): string {
  if (value === undefined || value === null) return ''
  if (control === 'checkbox') return isTrue(value) ? yes : ''
  if (control === 'names') return nameIn(value as Infer<typeof Name>, locale)
  const textOfOne = (one: unknown) => (wordsOf(field) ? labelOf(String(one)) : String(one))
  return Array.isArray(value) ? value.map(textOfOne).join(', ') : textOfOne(value)
}

/** Dates are sorted by their ISO form and displayed in the format of the reader. */
function showOf<Row>({ name, control }: DescribedField, { format }: Wording): ((row: Row) => ReactNode) | undefined {
  if (control !== 'date') return undefined
  return (row) => {
    const value = row[name as keyof Row]
    return typeof value === 'string' ? format.dateTime(value) : ''
  }
}
