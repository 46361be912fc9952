/** The fields of an export for its format, its mapping profile, and its languages. */
import { Group, MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../ui/language.tsx'
import { useClient } from './client.tsx'
import { choiceOf, type ExportFormat, formatChoices, labelOf, type Layout, withChoice, withProfile } from './export-format.ts' // prettier-ignore
import { exportFormatTexts } from './export-format-texts.ts'
import { useContentLocales, useLocaleName } from './locales.ts'

/** The layouts of the mapping profiles by name. */
function useLayouts(): ReadonlyMap<string, Layout | undefined> {
  const { transfers } = useClient()
  const { data } = useQuery({
    queryKey: ['transfers', 'profiles', 'layouts'],
    queryFn: async () => (await transfers.listProfiles()).profiles ?? [],
  })
  return new Map(data?.map(({ name = '', layout }) => [name, layout]))
}

/** The layout in which the export is written. */
export function useLayoutOf({ layout, profile }: ExportFormat): Layout {
  const layouts = useLayouts()
  return layout ?? (profile === null ? undefined : layouts.get(profile)) ?? 'plain'
}

interface FormatFieldsProps<T> {
  readonly value: T
  /** Further choices of the format. */
  readonly others?: typeof formatChoices
  readonly onChange: (value: T) => void
}

export function FormatFields<T extends ExportFormat>({ value, others = [], onChange }: FormatFieldsProps<T>) {
  const t = useTexts(exportFormatTexts)
  const layouts = useLayouts()
  const layout = useLayoutOf(value)
  const chosen = choiceOf(value.format, layout)
  const choices = [...formatChoices, ...others]
  const isListed = choices.some((one) => one.value === chosen)
  return (
    <Group grow align="flex-start">
      <Select
        label={t('format')}
        data={isListed ? choices : [...choices, { value: chosen, label: labelOf(value.format, layout) }]}
        value={chosen}
        allowDeselect={false}
        onChange={(one) => onChange(withChoice(value, one ?? 'csv'))}
      />
      {layout !== 'xliff' && (
        <Select
          label={t('profile')}
          placeholder={t('noProfile')}
          clearable
          data={[...layouts.keys()]}
          value={value.profile}
          onChange={(profile) => onChange(withProfile(value, profile, layouts.get(profile ?? '')))}
        />
      )}
    </Group>
  )
}

interface LocalesFieldProps {
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
}

export function LocalesField({ value, onChange }: LocalesFieldProps) {
  const t = useTexts(exportFormatTexts)
  const locales = useContentLocales()
  const nameOf = useLocaleName()
  const data = [...new Set([...locales.map(({ tid }) => tid), ...value])]
  return (
    <MultiSelect
      label={t('locales')}
      {...(value.length === 0 && { placeholder: t('allLocales') })}
      data={data.map((tid) => ({ value: tid, label: nameOf(tid) }))}
      value={[...value]}
      onChange={onChange}
    />
  )
}
