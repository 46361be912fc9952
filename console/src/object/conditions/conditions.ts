/** Conditions on fields as people build them, and the query that they become. */
import type { Infer, Query } from '@kontor/contract'

type QueryMessage = Infer<typeof Query>

export interface Condition {
  readonly name: string
  readonly comparator: string
  /** Several values are a list; older addresses have them in one text, separated by commas. */
  readonly value: string | readonly string[]
  /** The locale of the values; absent means any. */
  readonly language?: string | undefined
  /** Compares the value as a whole. */
  readonly keyword?: boolean | undefined
}
export interface Group {
  readonly operator: 'AND' | 'OR'
  readonly of: readonly (Condition | Group)[]
}
export const isGroup = (part: Condition | Group): part is Group => 'of' in part

export const isList = (comparator: string): boolean => comparator === 'IN' || comparator === 'NOT_IN'
export const withoutValue = new Set(['IS_EMPTY', 'IS_NOT_EMPTY'])
/** Codes with leading zeros and long digits, such as EANs, are no numbers. */
export const boundOf = (text: string) => (/^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text) ? Number(text) : text)

export const valuesOf = ({ value }: Pick<Condition, 'value'>): readonly string[] =>
  (typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value).filter(Boolean)
export const textOf = ({ value }: Pick<Condition, 'value'>): string =>
  typeof value === 'string' ? value : (value[0] ?? '')

const isComplete = (condition: Condition): boolean =>
  withoutValue.has(condition.comparator) ||
  (isList(condition.comparator) ? valuesOf(condition).length > 0 : textOf(condition).trim() !== '')

/** Whether every condition has what it needs. */
export const areComplete = ({ of }: Group): boolean =>
  of.every((part) => (isGroup(part) ? part.of.length > 0 && areComplete(part) : isComplete(part)))

/** Without the conditions that still lack a value. */
export const completeOf = ({ operator, of }: Group): Group => ({
  operator,
  of: of
    .map((part) => (isGroup(part) ? completeOf(part) : part))
    .filter((part) => (isGroup(part) ? part.of.length > 0 : isComplete(part))),
})

export function groupQuery({ operator, of }: Group): QueryMessage {
  const queries = of.map((part): QueryMessage => {
    if (isGroup(part)) return groupQuery(part)
    const { name, comparator, language, keyword } = part
    const compared = isList(comparator) ? [...valuesOf(part)] : boundOf(textOf(part))
    return {
      queryType: 'FIELD',
      name,
      comparator: comparator as NonNullable<QueryMessage['comparator']>,
      ...(!withoutValue.has(comparator) && { value: compared }),
      ...(language !== undefined && { language }),
      ...(keyword !== undefined && { keyword }),
    }
  })
  return { queryType: 'COMBINED', operator, queries }
}

/** The group that a query was made of; undefined if it has parts that a group cannot show. */
export function groupOf(query: QueryMessage | undefined): Group | undefined {
  if (!query) return { operator: 'AND', of: [] }
  const part = partOf(query)
  return part && (isGroup(part) ? part : { operator: 'AND', of: [part] })
}

function partOf({
  queryType,
  name = '',
  comparator = 'EQ',
  value,
  language,
  keyword,
  ...rest
}: QueryMessage): Condition | Group | undefined {
  if (queryType === 'COMBINED') {
    const of = (rest.queries ?? []).map(partOf)
    return of.every((one) => one !== undefined) ? { operator: rest.operator ?? 'AND', of } : undefined
  }
  if (queryType !== 'FIELD') return undefined
  return {
    name,
    comparator,
    value: Array.isArray(value) ? value.map(String) : String(value ?? ''),
    ...(language !== undefined && { language }),
    ...(keyword !== undefined && { keyword }),
  }
}
