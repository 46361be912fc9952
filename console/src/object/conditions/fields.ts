/** The fields on which conditions are put: their comparisons in words, and the values they have. */
import type { Facet, FieldCfg, Infer } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../ui/language.tsx'
import { useClient } from '../client.tsx'
import { hasKey } from '../labels.ts'
import type { PickerKind } from '../picker-sources.ts'
import { conditionsTexts } from './texts.ts'

export type Field = Infer<typeof FieldCfg>
export type FieldIndex = 'GLOBAL' | 'PRODUCT' | 'ASSET' | 'CHANNEL' | 'CHANNEL_2_PRODUCT' | 'FS_TABLE_WFL'

/** The columns of tables and the currencies of prices are fields of their own. */
const flat = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) => (field.nestedFields?.length ? flat(field.nestedFields) : [field]))

/** The fields of an index, with the comparisons that they allow. */
export function useFields(index: FieldIndex, language: string): readonly Field[] {
  const { search } = useClient()
  const { data = [] } = useQuery({
    queryKey: ['search', 'fields', index, language],
    queryFn: async () => {
      const { fields = [] } = await search.listFields({ query: { index, showAllowedOperators: 'true', language } })
      return flat(fields)
    },
    staleTime: 60_000,
  })
  return data
}

const paths = new Set(['classificationPath', 'directoryPath', 'keywords', 'channelPath', 'path'])

/** The words for a comparison, which depend on what the field contains. */
export function useComparisonText(): (comparator: string, field: Field | undefined) => string {
  const t = useTexts(conditionsTexts)
  return (comparator, { fieldName = '', fieldType } = {}) => {
    const kind = paths.has(fieldName) ? 'below' : fieldType
    const special = `${kind}_${comparator}`
    if (hasKey(conditionsTexts.en, special)) return t(special)
    const general = `is_${comparator}`
    if (hasKey(conditionsTexts.en, general)) return t(general)
    return hasKey(conditionsTexts.en, comparator) ? t(comparator) : comparator
  }
}

const amounts = new Set(['GT', 'GE', 'LT', 'LE'])
const measured = new Set(['number', 'date'])

/** The comparisons that make sense to people; one that is stored already stays. */
export const comparisonsOf = ({ allowedOperators = ['EQ'], fieldType = '' }: Field, stored: string) =>
  allowedOperators.filter((one) => one === stored || measured.has(fieldType) || !amounts.has(one))

/** The kind of objects that a field contains. */
export function pickerOf(name: string, index: FieldIndex): PickerKind | undefined {
  if (name === 'tid') return index === 'PRODUCT' ? 'product' : index === 'ASSET' ? 'file' : undefined
  if (name === 'products' || name.startsWith('products/') || name === 'product') return 'product'
  return pickers.get(name)
}
const pickers = new Map<string, PickerKind>([
  ['classificationPath', 'category'],
  ['channels', 'project'],
  ['assets', 'file'],
])

interface Choice {
  readonly value: string
  readonly label: string
}
const mostValues = 1000

/** The values that a field has in the index, by label; none for a field whose values cannot be counted. */
export function useFieldValues(index: FieldIndex, field: Field | undefined, language: string): readonly Choice[] {
  const { search } = useClient()
  const t = useTexts(conditionsTexts)
  const name = field?.fieldName ?? ''
  const { data = [] } = useQuery({
    queryKey: ['search', 'values', index, name, language],
    queryFn: async () => {
      const { facets = [] } = await search.search({
        body: {
          context: { searchType: 'INDEX', index, labelLocalization: language },
          pageSize: 0,
          aggregationEnabled: true,
          aggregationMaxResults: mostValues,
          aggregationAttributes: [name],
          language,
        },
      })
      return facets.flatMap((group) => choicesOf(group.facets ?? []))
    },
    enabled: field?.fieldType === 'keyword' && field.aggregatable === true && !pickerOf(name, index),
    staleTime: 60_000,
  })
  const labels = new Map(data.map(({ value, label }) => [value, label]))
  const labelOf = (value: string, label: string) =>
    name === 'itemType' && hasKey(conditionsTexts.en, value) ? t(value) : label
  return [...labels]
    .map(([value, label]) => ({ value, label: labelOf(value, label) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}

const choicesOf = (facets: readonly Infer<typeof Facet>[], above = ''): readonly Choice[] =>
  facets.flatMap(({ value, label, children = [] }) => {
    if (value === undefined || value === null) return []
    const own = above + (label ?? String(value))
    return [{ value: String(value), label: own }, ...choicesOf(children, `${own} › `)]
  })
