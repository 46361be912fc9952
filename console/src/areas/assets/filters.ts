/**
 * The filters of the assets page: from fields of the URL to conditions of the search index. A condition on a field that
 * the caller's index does not have, because of missing rights or a deleted attribute, is left out.
 */
import { type FieldCfg, orientations, type Query } from '@kontor/contract'
import type { UrlState } from '../../ui/url-state.ts'
import { groupOf } from './attribute-groups.ts'

/** Bytes: from, to. */
export const sizes = {
  small: [undefined, 1_000_000],
  medium: [1_000_000, 10_000_000],
  large: [10_000_000, 100_000_000],
  huge: [100_000_000, undefined],
} as const
export { orientations }
export const rightsStates = [
  'rightsEnded',
  'rightsEnding',
  'rightsNotYet',
  'unlicensed',
  'expired',
  'expiring',
] as const
export const usages = ['unused', 'used'] as const

/** Filters with several values, which the index counts: the field of the URL, and the field of the index. */
export const countedFilters = {
  kinds: 'fileType',
  'f.format': 'mimeType',
  'f.look': 'dominantColours',
  'f.colour': 'COLORS',
  'f.space': 'colorSpace',
  'f.licence': 'LICENSE',
  'f.content': 'contentStatus',
} as const
export type CountedFilter = keyof typeof countedFilters

const filterNames = [
  ...(Object.keys(countedFilters) as CountedFilter[]),
  'f.orientation',
  'f.size',
  'f.from',
  'f.to',
  'f.rights',
  'f.usage',
  'f.bare',
] as const
export type Filters = { readonly [name in (typeof filterNames)[number]]?: string | undefined }

/** `|` separates values, because media types and colours may contain commas. */
export const valuesOf = (text: string | undefined): string[] => (text ?? '').split('|').filter(Boolean)

export const filtersOf = (state: UrlState): Filters =>
  Object.fromEntries(filterNames.flatMap((name) => (state[name] ? [[name, state[name]] as const] : [])))
export const countOf = (filters: Filters) => Object.keys(filters).length
export const noFilters = Object.fromEntries(filterNames.map((name) => [name, '']))

type Comparator = NonNullable<Query['comparator']>
export const condition = (name: string, comparator: Comparator, value?: unknown): Query => ({
  queryType: 'FIELD',
  name,
  comparator,
  ...(value !== undefined && { value }),
})

const dayMs = 86_400_000
const soonDays = 30
const dayAfter = (now: number, days: number) => new Date(now + days * dayMs).toISOString().slice(0, 10)

export function conditionsOf(filters: Filters, fields: readonly FieldCfg[], now = Date.now()): Query[] {
  const known = new Set(fields.map(({ fieldName }) => fieldName))
  const [from, to] = own(sizes, filters['f.size']) ?? []
  const counted = (Object.keys(countedFilters) as CountedFilter[]).flatMap((name) => {
    const values = valuesOf(filters[name])
    return values.length > 0 ? [condition(countedFilters[name], 'IN', values)] : []
  })
  const all = [
    ...counted,
    ...(filters['f.orientation'] ? [condition('orientation', 'EQ', filters['f.orientation'])] : []),
    ...(from === undefined ? [] : [condition('fileSize', 'GE', from)]),
    ...(to === undefined ? [] : [condition('fileSize', 'LT', to)]),
    ...(isDay(filters['f.from']) ? [condition('creationDate', 'GE', filters['f.from'])] : []),
    ...(isDay(filters['f.to']) ? [condition('creationDate', 'LE', filters['f.to'])] : []),
    ...(own(rightsConditions(now), filters['f.rights']) ?? []),
    ...(filters['f.usage'] === 'unused' ? users.map((name) => condition(name, 'IS_EMPTY')) : []),
    ...(filters['f.bare'] ? bareConditions(fields) : []),
  ].filter(({ name = '' }) => known.has(name))
  const used = users.filter((name) => known.has(name)).map((name) => condition(name, 'IS_NOT_EMPTY'))
  return filters['f.usage'] === 'used' && used.length > 0
    ? [...all, { queryType: 'COMBINED', operator: 'OR', queries: used }]
    : all
}

/** Looks up a word of the URL, which may be any text. */
const own = <T>(table: Readonly<Record<string, T>>, key: string | undefined): T | undefined =>
  key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined

const users = ['products', 'channels']
/** A half-written date in the address is not a date. */
const isDay = (text: string | undefined) => /^\d{4}-\d\d-\d\d$/.test(text ?? '')

const rightsConditions = (now: number): Readonly<Record<string, Query[]>> => ({
  rightsEnded: [condition('usableUntil', 'LE', new Date(now).toISOString())],
  rightsEnding: [
    condition('usableUntil', 'GT', new Date(now).toISOString()),
    condition('usableUntil', 'LE', new Date(now + soonDays * dayMs).toISOString()),
  ],
  rightsNotYet: [condition('usableFrom', 'GT', new Date(now).toISOString())],
  unlicensed: [condition('LICENSE', 'IS_EMPTY')],
  expired: [condition('LICENSE_EXPIRES', 'LT', dayAfter(now, 0))],
  expiring: [
    condition('LICENSE_EXPIRES', 'GE', dayAfter(now, 0)),
    condition('LICENSE_EXPIRES', 'LE', dayAfter(now, soonDays)),
  ],
})

/** Files that nobody has described: technical values, which come from the file itself, do not count. */
const bareConditions = (fields: readonly FieldCfg[]): Query[] => [
  condition('keywords', 'IS_EMPTY'),
  ...fields
    .filter(
      ({ attrIdentifier, fieldType }) =>
        attrIdentifier && fieldType !== 'table' && groupOf(attrIdentifier) !== 'technical',
    )
    .map(({ fieldName }) => condition(fieldName!, 'IS_EMPTY')),
]
