/**
 * Fields in which people choose instead of typing ids: by name, with pictures, and also if a word is misspelled.
 *
 *   <Picker kind="product" label={t('objects')} value={tids} onChange={setTids} />
 *   <PickOne kind="category" label={t('category')} value={path} onChange={setPath} />
 */
import { Group, MultiSelect, type MultiSelectProps, Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { commonTexts } from '../ui/common-texts.ts'
import { useTexts } from '../ui/language.tsx'
import { useClient } from './client.tsx'
import { useContentLocale } from './locales.ts'
import { matches, type PickerEntry, type PickerKind, pickerSources } from './picker-sources.ts'
import { Thumbnail, usePictures } from './pictures.tsx'

interface PickerProps {
  readonly kind: PickerKind
  readonly label?: string
  readonly 'aria-label'?: string
  readonly description?: string
  readonly rightSection?: ReactNode
  readonly required?: boolean
  readonly disabled?: boolean
  readonly placeholder?: string
  readonly autoFocus?: boolean
  readonly size?: 'xs'
}

export function Picker({
  value,
  onChange,
  ...props
}: PickerProps & { value: readonly string[]; onChange: (value: string[]) => void }) {
  const { shared, entries } = usePicker(props, value)
  return <MultiSelect {...shared} data={dataOf(entries)} value={[...value]} onChange={onChange} hidePickedOptions />
}

export function PickOne({
  value,
  onChange,
  ...props
}: PickerProps & { value: string | undefined; onChange: (value: string | undefined) => void }) {
  const { shared, entries } = usePicker(props, value === undefined ? [] : [value])
  return (
    <Select
      {...shared}
      data={dataOf(entries)}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearable={!props.required}
    />
  )
}

/** The names of objects by their tids; a tid without a name yet stands for itself. */
export function useNames(kind: PickerKind, values: readonly string[]): (value: string) => string {
  const entries = useChosen(kind, [...new Set(values)])
  const names = new Map(entries.map(({ value, label }) => [value, label]))
  return (value) => names.get(value) ?? value
}

function usePicker({ kind, autoFocus, ...props }: PickerProps, value: readonly string[]) {
  const word = useTexts(commonTexts)
  const [text, setText] = useState('')
  const [found, chosen] = useEntries(kind, text, value)
  const known = new Map([...chosen, ...found].map((entry) => [entry.value, entry]))
  const entries = [...new Set([...found.map((entry) => entry.value), ...value])].map(
    (one): PickerEntry => known.get(one) ?? { value: one, label: one },
  )
  const pictures = usePictures([entries.flatMap(({ picture }) => picture ?? [])])
  const hasPictures = kind === 'product' || kind === 'file'
  const renderOption: MultiSelectProps['renderOption'] = ({ option }) => {
    const { label, detail, picture } = known.get(option.value) ?? { label: option.label }
    return (
      <Group gap="xs" wrap="nowrap" miw={0}>
        {hasPictures && <Thumbnail picture={picture ? pictures.get(picture) : undefined} size={32} />}
        <div style={{ minWidth: 0 }}>
          <Text size="sm" truncate>
            {label}
          </Text>
          {detail && detail !== label && (
            <Text size="xs" c="dimmed" truncate>
              {detail}
            </Text>
          )}
        </div>
      </Group>
    )
  }
  const shared = {
    ...props,
    searchable: true,
    searchValue: text,
    onSearchChange: setText,
    filter: <T,>({ options }: { options: T[] }) => options, // the source has filtered
    renderOption,
    nothingFoundMessage: word('noMatches'),
    // the attribute is for dialogs, which move the focus themselves
    ...(autoFocus && { autoFocus, 'data-autofocus': true }),
  }
  return { shared, entries }
}

/** The entries that match the text, and those that are chosen. */
function useEntries(kind: PickerKind, text: string, value: readonly string[]) {
  const client = useClient()
  const [locale] = useContentLocale()
  const source = pickerSources[kind]
  const [asked] = useDebouncedValue(text.trim(), 150)
  const found = useQuery({
    queryKey: ['picker', kind, locale, asked],
    queryFn: () => source.find(client, asked, locale),
    placeholderData: keepPreviousData,
  })
  // Until the reply is there, former entries that do not match must not be chosen by a quick Enter.
  const isCurrent = asked === text.trim() && !found.isPlaceholderData
  const entries = (found.data ?? []).filter((entry) => isCurrent || matches(entry, text))
  return [entries, useChosen(kind, value)] as const
}

function useChosen(kind: PickerKind, value: readonly string[]): readonly PickerEntry[] {
  const client = useClient()
  const [locale] = useContentLocale()
  const { data } = useQuery({
    queryKey: ['picker', kind, locale, 'chosen', value],
    queryFn: () => pickerSources[kind].named(client, value, locale),
    enabled: value.length > 0,
    placeholderData: keepPreviousData,
  })
  return data ?? []
}

/** The detail distinguishes entries of the same name. */
function dataOf(entries: readonly PickerEntry[]) {
  const labels = Map.groupBy(entries, ({ label }) => label)
  const toOption = ({ value, label, detail = value }: PickerEntry) => ({
    value,
    label: labels.get(label)!.length > 1 ? `${label} (${detail})` : label,
  })
  const byGroup = Map.groupBy(entries, ({ group }) => group)
  const others = byGroup.get(undefined) ?? []
  const groups = [...byGroup].flatMap(([group, members]) => (group === undefined ? [] : [{ group, items: members.map(toOption) }])) // prettier-ignore
  return [...groups, ...others.map(toOption)]
}
