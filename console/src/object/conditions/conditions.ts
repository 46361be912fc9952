/** Conditions on fields as people build them, and the query that they become. */
import type { Infer, Query } from '@kontor/contract'

type QueryMessage = Infer<typeof Query>

export interface Condition {
  readonly name: string
  readonly comparator: string
  readonly value: string
}
export interface Group {
  readonly operator: 'AND' | 'OR'
  readonly of: readonly (Condition | Group)[]
}
export const isGroup = (part: Condition | Group): part is Group => 'of' in part

const lists = new Set(['IN', 'NOT_IN'])
export const withoutValue = new Set(['IS_EMPTY', 'IS_NOT_EMPTY'])
export const boundOf = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text)

export function groupQuery({ operator, of }: Group): QueryMessage {
  const queries = of.map((part): QueryMessage => {
    if (isGroup(part)) return groupQuery(part)
    const { name, comparator, value } = part
    const compared = lists.has(comparator) ? value.split(',').map((one) => one.trim()) : boundOf(value)
    return {
      queryType: 'FIELD',
      name,
      comparator: comparator as NonNullable<QueryMessage['comparator']>,
      ...(!withoutValue.has(comparator) && { value: compared }),
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
  ...rest
}: QueryMessage): Condition | Group | undefined {
  if (queryType === 'COMBINED') {
    const of = (rest.queries ?? []).map(partOf)
    return of.every((one) => one !== undefined) ? { operator: rest.operator ?? 'AND', of } : undefined
  }
  if (queryType !== 'FIELD' || language !== undefined) return undefined
  return { name, comparator, value: Array.isArray(value) ? value.join(', ') : String(value ?? '') }
}
