/** The bar above the files: search by name, filters, the order, wall or list, the size of tiles, the number of files. */
import { Button, Group, SegmentedControl, Select, Slider, Text, TextInput } from '@mantine/core'
import { IconFilter, IconLayoutGrid, IconList, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import type { AssetSelection } from './assets.ts'
import { FilterFields } from './filter-fields.tsx'
import { countOf } from './filters.ts'
import { texts } from './texts.ts'
import { tileSizes, type View } from './view.ts'
import classes from './assets-page.module.css'

interface FilterBarProps {
  readonly selection: AssetSelection
  readonly total: number
  readonly view: View
  readonly onView: (view: View) => void
}

export function FilterBar({ selection, total, view, onView }: FilterBarProps) {
  const t = useTexts(texts)
  const [{ q = '' }, change] = useUrlState()
  const { filters, order } = selection
  const count = countOf(filters)
  const [isOpen, setOpen] = useState(count > 0)
  return (
    <>
      <Group className={classes.tools} gap="xs">
        <TextInput
          aria-label={t('filter')}
          placeholder={t('filter')}
          leftSection={<IconSearch size={16} />}
          value={q}
          onChange={(event) => change({ q: event.currentTarget.value })}
          w={200}
        />
        <Button
          variant={count > 0 ? 'light' : 'default'}
          leftSection={<IconFilter size={16} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {count > 0 ? t('activeFilters', { count }) : t('filters')}
        </Button>
        <Select
          aria-label={t('sort')}
          data={[
            { value: 'newest', label: t('sortNewest') },
            { value: 'changed', label: t('sortChanged') },
            { value: 'name', label: t('sortName') },
            { value: 'largest', label: t('sortLargest') },
          ]}
          value={order}
          onChange={(value) => change({ order: value === 'newest' ? '' : (value ?? '') })}
          allowDeselect={false}
          w={160}
        />
        <SegmentedControl
          aria-label={t('view')}
          value={view.kind}
          onChange={(kind) => onView({ ...view, kind: kind as View['kind'] })}
          data={[
            { value: 'wall', label: <IconLayoutGrid size={16} role="img" aria-label={t('viewWall')} /> },
            { value: 'list', label: <IconList size={16} role="img" aria-label={t('viewList')} /> },
          ]}
        />
        {view.kind === 'wall' && (
          <Slider
            {...tileSizes}
            thumbLabel={t('tileSize')}
            label={null}
            value={view.size}
            onChange={(size) => onView({ ...view, size })}
            w={110}
          />
        )}
        <Text size="sm" c="dimmed" ml="auto" role="status">
          {t('found', { count: total })}
        </Text>
      </Group>
      {isOpen && <FilterFields selection={selection} />}
    </>
  )
}
