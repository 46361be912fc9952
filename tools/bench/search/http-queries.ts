/** The queries of the engine benchmark as messages of the HTTP interface. */
import type { LogicalQuery, Predicate } from '@kontor/search-engine'
import { nodePath } from './products.ts'
import type { Question } from '../../../search-engine/bench/questions.ts'

/** Catalogue fields by their attribute name. */
const names = new Map([
  ['name', 'title'],
  ['sku', 'tid'],
  ['cat', 'classificationPath'],
])
const nameOf = (field: string) => names.get(field) ?? field

function queryOf(predicate: Predicate): object {
  switch (predicate.kind) {
    case 'text':
      return { queryType: 'FULLTEXT', value: predicate.text, language: predicate.locale }
    case 'field': {
      const { field, comparator, operands, locale } = predicate
      const values = field === 'cat' ? operands.map((each) => nodePath(String(each))) : operands
      const value = comparator === 'IN' ? values : values[0]
      return { queryType: 'FIELD', name: nameOf(field), comparator, value, language: locale }
    }
    case 'and':
      return { queryType: 'COMBINED', operator: 'AND', queries: predicate.of.map(queryOf) }
    default:
      throw new Error(`unexpected predicate ${predicate.kind}`)
  }
}

/** A join is a separate part of the message. Region and status are words of the channel names. */
function splitJoin(predicate: Predicate): { query?: object; join?: object } {
  const all = predicate.kind === 'and' ? predicate.of : [predicate]
  const join = all.find(({ kind }) => kind === 'join')
  if (join?.kind !== 'join') return { query: queryOf(predicate) }
  const words = join.of.kind === 'and' ? join.of.of.flatMap((each) => (each.kind === 'field' ? each.operands : [])) : []
  const rest = all.filter((each) => each !== join)
  return {
    ...(rest.length > 0 && { query: queryOf({ kind: 'and', of: rest }) }),
    join: {
      joinOn: 'channels',
      search: { context: { index: 'CHANNEL' }, query: queryOf({ kind: 'text', text: words.join(' ') }) },
    },
  }
}

export function searchOf({ query }: Question): object {
  const { predicate, sort, facets = [], offset, limit } = query satisfies LogicalQuery
  return {
    context: { searchType: 'INDEX', index: 'PRODUCT' },
    ...splitJoin(predicate),
    pageIndex: offset / limit,
    pageSize: limit,
    maxResults: 1_000_000,
    ...(sort && {
      sortOptions: sort.map(({ field, descending, locale }) => ({
        attribute: nameOf(field),
        direction: descending ? 'DESC' : 'ASC',
        language: locale,
      })),
    }),
    ...(facets.length > 0 && {
      aggregationEnabled: true,
      aggregationAttributes: facets.map(({ field }) => nameOf(field)),
      aggregationMaxResults: facets[0]!.limit,
    }),
  }
}
