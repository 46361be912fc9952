/** The filters of the assets page. Values are offered with the number of files that have them. */
import { Button, Checkbox, Group, MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { ColourName } from '../../object/colours.tsx'
import { useContentLocale } from '../../object/locales.ts'
import { DateField } from '../../ui/date-field.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { type AssetSelection, type Counted, countFacets, queryOf, useAssetFields } from './assets.ts'
import {
  countedFilters,
  type CountedFilter,
  countOf,
  noFilters,
  orientations,
  rightsStates,
  sizes,
  usages,
  valuesOf,
} from './filters.ts'
import { filterTexts } from './filter-texts.ts'
import classes from './assets-page.module.css'

const mostValues = 50

export function FilterFields({ selection }: { selection: AssetSelection }) {
  const t = useTexts(filterTexts)
  const [, change] = useUrlState()
  const { filters, keyword } = selection
  const counts = useCounts(selection)
  const choice = (name: 'f.orientation' | 'f.size' | 'f.rights' | 'f.usage', words: readonly string[]) => (
    <Select
      key={name}
      label={t(name)}
      data={words.map((value) => ({ value, label: t(value as Parameters<typeof t>[0]) }))}
      value={filters[name] ?? null}
      onChange={(value) => change({ [name]: value ?? '' })}
      clearable
      w={170}
    />
  )
  return (
    <Group className={classes.filters} gap="sm" align="flex-end" role="group" aria-label={t('filters')}>
      {(Object.keys(countedFilters) as CountedFilter[]).map((name) => (
        <CountedSelect
          key={name}
          label={t(name)}
          counted={counts.get(countedFilters[name])}
          chosen={valuesOf(filters[name])}
          onChange={(values) => change({ [name]: values.join('|') })}
        />
      ))}
      {choice('f.orientation', orientations)}
      {choice('f.size', Object.keys(sizes))}
      <DateField
        label={t('f.from')}
        value={filters['f.from'] ?? ''}
        onChange={(value) => change({ 'f.from': value })}
        w={150}
      />
      <DateField
        label={t('f.to')}
        value={filters['f.to'] ?? ''}
        onChange={(value) => change({ 'f.to': value })}
        w={150}
      />
      <Select
        label={t('keyword')}
        data={optionsOf(counts.get('keywords'), keyword ? [keyword] : [])}
        value={keyword ?? null}
        onChange={(value) => change({ keyword: value ?? '' })}
        searchable
        clearable
        w={220}
      />
      {choice('f.rights', rightsStates)}
      {choice('f.usage', usages)}
      <Checkbox
        label={t('f.bare')}
        checked={filters['f.bare'] !== undefined}
        onChange={(event) => change({ 'f.bare': event.currentTarget.checked ? '1' : '' })}
        mb={8}
      />
      {(countOf(filters) > 0 || keyword) && (
        <Button variant="subtle" onClick={() => change({ ...noFilters, keyword: '' })}>
          {t('clear')}
        </Button>
      )}
    </Group>
  )
}

interface CountedSelectProps {
  readonly label: string
  readonly counted: readonly Counted[] | undefined
  readonly chosen: string[]
  readonly onChange: (values: string[]) => void
}

/** Left out if no file has a value. */
function CountedSelect({ label, counted, chosen, onChange }: CountedSelectProps) {
  const data = optionsOf(counted, chosen)
  if (data.length === 0) return null
  return (
    <MultiSelect
      label={label}
      data={data}
      value={chosen}
      onChange={onChange}
      renderOption={({ option }) => <ColourName name={option.value} label={option.label} />}
      searchable
      clearable
      miw={170}
      maw={320}
    />
  )
}

/** With the chosen values, which may no longer be among the counted ones. */
function optionsOf(counted: readonly Counted[] = [], chosen: readonly string[]) {
  const missing = chosen.filter((value) => !counted.some((one) => one.value === value))
  return [
    ...counted.map(({ value, label, count }) => ({ value, label: `${label} (${count})` })),
    ...missing.map((value) => ({ value, label: value })),
  ]
}

/** Counted in the folder or in all files, regardless of the filters, so that a filter can be changed to another value. */
function useCounts({ dir }: AssetSelection): ReadonlyMap<string, readonly Counted[]> {
  const { search } = useClient()
  const [locale] = useContentLocale()
  const fields = useAssetFields()
  const known = new Set(fields.data?.filter(({ aggregatable }) => aggregatable).map(({ fieldName }) => fieldName))
  const names = [...Object.values(countedFilters), 'keywords'].filter((name) => known.has(name))
  const { data } = useQuery({
    queryKey: ['assets', 'counts', dir, names, locale],
    queryFn: () => {
      const everything = { dir, keyword: undefined, filters: {}, text: '', order: 'newest' as const }
      return countFacets(search, queryOf(everything, []), names, mostValues, locale)
    },
    enabled: names.length > 0,
  })
  return data ?? new Map<string, readonly Counted[]>()
}
