/** Filters the list by facets: attribute values with the number of products, counted by the search index. */
import { Badge, Button, Checkbox, Group, Popover, ScrollArea, Stack, Text } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useContentLocale } from '../../object/locales.ts'
import type { Attribute } from '../../object/values/attribute.ts'
import { failureText } from '../../ui/failure-text.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loading } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { queryOf, toggleFacet, writeFacets } from './facet-search.ts'
import type { ProductFilter } from './list.ts'
import { texts } from './texts.ts'

interface FacetFilterProps {
  readonly filter: ProductFilter
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly onChange: (facets: string) => void
}

export function FacetFilter({ filter, attributes, onChange }: FacetFilterProps) {
  const t = useTexts(texts)
  const [opened, setOpened] = useState(false)
  const { size } = filter.facets
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={320} shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant={size > 0 ? 'light' : 'default'}
          leftSection={<IconFilter size={16} />}
          onClick={() => setOpened((before) => !before)}
        >
          {size > 0 ? t('activeFilters', { count: size }) : t('filters')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <FacetList filter={filter} attributes={attributes} onChange={onChange} />
        {size > 0 && (
          <Button mt="sm" size="xs" variant="default" fullWidth onClick={() => onChange('')}>
            {t('clearFilters')}
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

const maxFacets = 12

function FacetList({ filter, attributes, onChange }: FacetFilterProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { search } = useClient()
  const [locale] = useContentLocale()
  const chosen = [...attributes.values()].filter(({ options, dataType }) => options ?? dataType === 'boolean')
  const fields = [...chosen.map(({ key }) => key).slice(0, maxFacets), 'modificationUser']
  const query = queryOf(filter)
  const { data, error } = useQuery({
    queryKey: ['products', 'facets', query, fields, locale],
    queryFn: async () => {
      const { facets = [] } = await search.search({
        body: {
          context: { searchType: 'INDEX', index: 'PRODUCT', labelLocalization: locale },
          query,
          pageSize: 1,
          aggregationEnabled: true,
          aggregationAttributes: fields,
          aggregationMaxResults: maxFacets,
        },
      })
      return facets.filter((group) => (group.facets?.length ?? 0) > 0)
    },
  })
  if (error) return <Text size="sm">{failureText(error)}</Text>
  if (!data) return <Loading />
  if (data.length === 0) return <Text size="sm">{t('noFacets')}</Text>
  return (
    <ScrollArea.Autosize mah={420} type="auto" offsetScrollbars>
      <Stack gap="md">
        {data.map(({ name = '', facets = [] }) => {
          const attribute = attributes.get(name)
          return (
            <Stack key={name} gap={6} role="group" aria-label={attribute?.label ?? t('user')}>
              <Text size="xs" fw={650} c="dimmed">
                {attribute?.label ?? t('user')}
              </Text>
              {facets.map(({ value, label, count }) => {
                const key = String(value)
                const optionLabel =
                  attribute?.dataType === 'boolean'
                    ? word(key === 'true' ? 'yes' : 'no')
                    : labelOf(attribute, key, label)
                return (
                  <Group key={key} justify="space-between" wrap="nowrap">
                    <Checkbox
                      size="xs"
                      label={optionLabel}
                      checked={filter.facets.get(name)?.has(key) ?? false}
                      onChange={() => onChange(writeFacets(toggleFacet(filter.facets, name, key)))}
                    />
                    <Badge size="sm" variant="light" color="gray">
                      {count}
                    </Badge>
                  </Group>
                )
              })}
            </Stack>
          )
        })}
      </Stack>
    </ScrollArea.Autosize>
  )
}

const labelOf = (attribute: Attribute | undefined, key: string, label: string | undefined) =>
  attribute?.options?.find(({ value }) => value === key)?.label ?? label ?? key
