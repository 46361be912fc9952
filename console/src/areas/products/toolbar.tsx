/** The toolbar of the grid: text filter, facets, columns, saved views. */
import { Button, Group, MultiSelect, Popover, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconColumns, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useAttributeOptions } from '../../object/attribute-groups.ts'
import type { Attribute } from '../../object/values/attribute.ts'
import { useTexts } from '../../ui/language.tsx'
import type { UrlState } from '../../ui/url-state.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { FacetFilter } from './facet-filter.tsx'
import type { ProductFilter } from './list.ts'
import { texts } from './texts.ts'
import { Views } from './views.tsx'
import classes from './products.module.css'

interface ToolbarProps {
  readonly fields: UrlState
  readonly changeView: (changed: Record<string, string | undefined>) => void
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly filter: ProductFilter
}

export function Toolbar({ fields, changeView, attributes, filter }: ToolbarProps) {
  const t = useTexts(texts)
  const [text, setText] = useState(fields.q ?? '')
  const find = useDebouncedCallback((q: string) => changeView({ q }), 300)
  return (
    <div className={classes.tools}>
      <TextInput
        flex={1}
        miw={180}
        maw={380}
        aria-label={t('find')}
        placeholder={t('find')}
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          find(currentTarget.value)
        }}
      />
      <Group gap="xs" ml="auto">
        <FacetFilter filter={filter} attributes={attributes} onChange={(f) => changeView({ f })} />
        <Columns fields={fields} changeView={changeView} attributes={attributes} />
        <Views fields={fields} changeView={changeView} filter={filter} />
      </Group>
    </div>
  )
}

function Columns({ fields, changeView, attributes }: Omit<ToolbarProps, 'filter'>) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const chosen = fields.columns?.split(',').filter(Boolean) ?? []
  return (
    <Popover position="bottom-end" width={340} shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns size={16} />}>
          {word('columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <MultiSelect
          label={t('attributesShown')}
          data={useAttributeOptions(attributes.values(), ({ key, label }) => `${label} (${key})`)}
          value={chosen}
          onChange={(columns) => changeView({ columns: columns.join(',') })}
          searchable
          hidePickedOptions
          maxValues={12}
          comboboxProps={{ withinPortal: false }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
