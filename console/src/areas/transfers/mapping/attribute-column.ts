/** Columns of a profile, those with an attribute in particular, and the kind of attribute that fits their cells. */
import type { Column, Profile } from './use-mapping.ts'

/** The column with the attribute as its target. Its level and template stay. */
export const attributeColumn = (
  column: string,
  { level, template }: Partial<Column> = {},
  attr: string,
  locale?: string,
): Column => ({
  column,
  ...(template !== undefined && { template }),
  attr,
  ...(level !== undefined && { level }),
  ...(locale !== undefined && { locale }),
})

/** The profile with the column, in its former place. */
export function withColumn(profile: Profile, column: Column): Profile {
  const { columns = [] } = profile
  const place = columns.findIndex((one) => one.column === column.column)
  const others = columns.filter((one) => one.column !== column.column)
  return { ...profile, columns: others.toSpliced(place < 0 ? others.length : place, 0, column) }
}

/** The profile with the notation of another one; its own comes first. */
export function withNotation(profile: Profile, other: Profile): Profile {
  const { decimal, thousands, dateFormat } = other
  const notation = Object.fromEntries(Object.entries({ decimal, thousands, dateFormat }).filter(([, value]) => value))
  const words = (['trueWords', 'falseWords'] as const).flatMap((key) => {
    const all = [...new Set([...(profile[key] ?? []), ...(other[key] ?? [])])]
    return all.length === 0 ? [] : [[key, all] as const]
  })
  return { ...notation, ...profile, ...Object.fromEntries(words) }
}

/** The types that are offered for a new attribute, each with the cells that have it. Digits after a zero, and many of them, are identifiers. */
const cellsOf = {
  boolean: /^(true|false|yes|no|ja|nein|wahr|falsch|oui|non|vrai|faux)$/i,
  date: /^(\d{4}-\d\d-\d\d(T.*)?|\d{1,2}([./])\d{1,2}\3\d{4})$/,
  number: /^[+-]?(0|[1-9]\d{0,10}|[1-9]\d{0,2}([.,'’\s]\d{3})+)([.,]\d{1,10})?$/,
  text: /^/,
} as const
export type NewType = keyof typeof cellsOf
export const newTypes = ['text', 'number', 'date', 'boolean'] as const satisfies readonly NewType[]

interface Kind {
  readonly type: NewType
  readonly multiValued: boolean
}

/** The kind of attribute that fits all cells; text without any. */
export function kindOf(cells: readonly string[], separator: string): Kind {
  const lists = cells.map((cell) => cell.split(separator).map((value) => value.trim()))
  const values = lists.flat().filter((value) => value !== '')
  const types = Object.keys(cellsOf) as NewType[]
  const type = values.length === 0 ? 'text' : types.find((one) => values.every((value) => cellsOf[one].test(value)))!
  return { type, multiValued: lists.some(({ length }) => length > 1) }
}

/** `artikel_2026.xlsx` becomes `Artikel 2026`. */
export function nameOfFile(file: string): string {
  const words = file.replace(/\.[^.]*$/, '').replaceAll(/[\s_-]+/g, ' ').trim() // prettier-ignore
  return words.charAt(0).toUpperCase() + words.slice(1)
}
