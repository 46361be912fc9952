/** The bar above the wall: filters by name and file type, the order, and the number of files. */
import { Group, MultiSelect, Select, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTexts } from '../../ui/language.tsx'
import type { UrlState } from '../../ui/url-state.ts'
import { fileKinds } from './assets.ts'
import { texts } from './texts.ts'
import classes from './assets-page.module.css'

interface FilterBarProps {
  readonly q: string
  readonly fileTypes: readonly string[]
  readonly order: string
  readonly total: number
  readonly change: (changed: UrlState) => void
}

export function FilterBar({ q, fileTypes, order, total, change }: FilterBarProps) {
  const t = useTexts(texts)
  return (
    <Group className={classes.tools} gap="xs">
      <TextInput
        aria-label={t('filter')}
        placeholder={t('filter')}
        leftSection={<IconSearch size={16} />}
        value={q}
        onChange={(event) => change({ q: event.currentTarget.value })}
        w={220}
      />
      <MultiSelect
        aria-label={t('kinds')}
        {...(fileTypes.length === 0 && { placeholder: t('kinds') })}
        data={[...fileKinds]}
        value={[...fileTypes]}
        onChange={(value) => change({ kinds: value.join(',') })}
        clearable
        miw={170}
      />
      <Select
        aria-label={t('sort')}
        data={[
          { value: 'added', label: t('sortAdded') },
          { value: 'name', label: t('sortName') },
          { value: 'newest', label: t('sortNewest') },
          { value: 'largest', label: t('sortLargest') },
        ]}
        value={order}
        onChange={(value) => change({ order: value === 'added' ? '' : (value ?? '') })}
        allowDeselect={false}
        w={160}
      />
      <Text size="sm" c="dimmed" ml="auto" role="status">
        {t('found', { count: total })}
      </Text>
    </Group>
  )
}
