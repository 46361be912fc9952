/** Above the grid: find by text, choose columns, saved views. */
import { ActionIcon, Button, Group, Menu, MultiSelect, Popover, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback, useLocalStorage } from '@mantine/hooks'
import { IconBookmark, IconColumns, IconSearch, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Attribute } from '../../object/values/attribute.ts'
import { useTexts } from '../../ui/language.tsx'
import type { PlaceFields } from '../../ui/place.ts'
import { words } from '../../ui/words.ts'
import { FacetFilter } from './facet-filter.tsx'
import type { ProductFilter } from './list.ts'
import { texts } from './texts.ts'
import classes from './products.module.css'

interface ToolsProps {
  readonly fields: PlaceFields
  readonly show: (changed: Record<string, string | undefined>) => void
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly filter: ProductFilter
}

export function Tools({ fields, show, attributes, filter }: ToolsProps) {
  const t = useTexts(texts)
  const [text, setText] = useState(fields.q ?? '')
  const find = useDebouncedCallback((q: string) => show({ q }), 300)
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
        <FacetFilter filter={filter} attributes={attributes} onChange={(f) => show({ f })} />
        <Columns fields={fields} show={show} attributes={attributes} />
        <Views fields={fields} show={show} />
      </Group>
    </div>
  )
}

function Columns({ fields, show, attributes }: Omit<ToolsProps, 'filter'>) {
  const t = useTexts(texts)
  const word = useTexts(words)
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
          data={[...attributes.values()].map(({ key, label }) => ({ value: key, label: `${label} (${key})` }))}
          value={chosen}
          onChange={(columns) => show({ columns: columns.join(',') })}
          searchable
          hidePickedOptions
          maxValues={12}
          comboboxProps={{ withinPortal: false }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

/** A view is what the address says, under a name; kept in this browser. */
interface View {
  readonly name: string
  readonly fields: Record<string, string | undefined>
}
const viewFields = ['node', 'q', 'f', 'sort', 'columns'] as const

function Views({ fields, show }: Pick<ToolsProps, 'fields' | 'show'>) {
  const t = useTexts(texts)
  const word = useTexts(words)
  const [views, setViews] = useLocalStorage<View[]>({ key: 'kontor.product-views', defaultValue: [] })
  const [name, setName] = useState('')
  const save = () => {
    const kept = Object.fromEntries(viewFields.map((field) => [field, fields[field]]))
    setViews((before) => [...before.filter((view) => view.name !== name), { name, fields: kept }])
    setName('')
  }
  const open = (view: View) => show(Object.fromEntries(viewFields.map((field) => [field, view.fields[field]])))
  return (
    <Menu width={260} position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconBookmark size={16} />}>
          {t('views')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {views.length === 0 && <Menu.Label>{t('noViews')}</Menu.Label>}
        {views.map((view) => (
          <Menu.Item
            key={view.name}
            onClick={() => open(view)}
            rightSection={
              <Tooltip label={word('delete')}>
                <ActionIcon
                  component="span"
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={`${word('delete')}: ${view.name}`}
                  onClick={(event) => {
                    event.stopPropagation()
                    setViews((before) => before.filter((other) => other.name !== view.name))
                  }}
                >
                  <IconTrash size={14} />
                </ActionIcon>
              </Tooltip>
            }
          >
            {view.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Group p="xs" gap="xs" wrap="nowrap">
          <TextInput
            size="xs"
            flex={1}
            aria-label={t('viewName')}
            placeholder={t('viewName')}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button size="xs" disabled={name.trim() === ''} onClick={save}>
            {word('save')}
          </Button>
        </Group>
      </Menu.Dropdown>
    </Menu>
  )
}
