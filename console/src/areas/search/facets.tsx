/** The facets of a search with their counts: values, nested paths and ranges. Selecting one narrows the search. */
import { Button, Checkbox, Group, ScrollArea, Stack, Text, Title } from '@mantine/core'
import type { Facet, FacetGroup, Infer } from '@kontor/contract'
import { ColourName } from '../../object/colours.tsx'
import { useFormat } from '../../ui/format.ts'
import { type Translate, useTexts } from '../../ui/language.tsx'
import type { UrlState } from '../../ui/url-state.ts'
import { texts } from './texts.ts'

type FacetMessage = Infer<typeof Facet>

interface FacetsProps {
  readonly groups: readonly Infer<typeof FacetGroup>[]
  readonly chosen: ReadonlyMap<string, readonly string[]>
  readonly change: (fields: UrlState) => void
  readonly onClear: () => void
}

export function Facets({ groups, chosen, change, onClear }: FacetsProps) {
  const t = useTexts(texts)
  return (
    <>
      <Group justify="space-between" p="sm" pb={4}>
        <Title order={2} fz="sm">
          {t('filters')}
        </Title>
        {chosen.size > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={onClear}>
            {t('clearFilters')}
          </Button>
        )}
      </Group>
      <ScrollArea flex={1} px="sm" pb="sm" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('filters') }}>
        <Stack gap="lg">
          {groups
            .filter(({ facets = [] }) => facets.length > 0)
            .map(({ name = '', facets = [] }) => {
              const values = chosen.get(name) ?? []
              const toggle = (value: string) => {
                const others = values.filter((one) => one !== value)
                change({ [`f.${name}`]: (others.length < values.length ? others : [...values, value]).join('|') })
              }
              const label = nameOf(name, t) ?? facets[0]?.attribute ?? name
              return (
                <section key={name} aria-label={label}>
                  <Text size="xs" fw={650} tt="uppercase" c="dimmed" mb={4}>
                    {label}
                  </Text>
                  <Values field={name} facets={facets} chosen={new Set(values)} onToggle={toggle} level={0} />
                </section>
              )
            })}
        </Stack>
      </ScrollArea>
    </>
  )
}

type TranslateFacet = Translate<keyof typeof texts.en>

/** The translated name of a field or an item type, if there is one. */
const nameOf = (name: string, t: TranslateFacet) => (Object.hasOwn(texts.en, name) ? t(name as 'itemType') : undefined)

interface ValuesProps {
  readonly field: string
  readonly facets: readonly FacetMessage[]
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (value: string) => void
  readonly level: number
}

function Values({ field, facets, chosen, onToggle, level }: ValuesProps) {
  const t = useTexts(texts)
  const format = useFormat()
  return (
    <Stack gap={0} pl={level * 14}>
      {facets.map((facet) => {
        const value = valueOf(facet)
        const label = labelOf(field, facet, t, format)
        return (
          <div key={value || label}>
            <Group justify="space-between" wrap="nowrap" gap="xs" mih={30}>
              <Checkbox
                size="sm"
                label={field === 'dominantColours' ? <ColourName name={value} label={label} /> : label}
                checked={chosen.has(value)}
                disabled={value === ''}
                onChange={() => onToggle(value)}
                styles={{ label: { overflowWrap: 'anywhere' } }}
              />
              <Text size="xs" c="dimmed">
                {format.number(Number(facet.count ?? 0))}
              </Text>
            </Group>
            {facet.children && facet.children.length > 0 && (
              <Values field={field} facets={facet.children} chosen={chosen} onToggle={onToggle} level={level + 1} />
            )}
          </div>
        )
      })}
    </Stack>
  )
}

/** Empty for documents without a value, which cannot be selected. */
function valueOf({ facetType, value, from, to }: FacetMessage): string {
  if (facetType === 'RANGED' && (from !== undefined || to !== undefined)) return `${from ?? ''}..${to ?? ''}`
  return value === undefined || value === null ? '' : String(value)
}

const isDate = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)

function labelOf(
  field: string,
  { facetType, label, value, from, to }: FacetMessage,
  t: TranslateFacet,
  format: ReturnType<typeof useFormat>,
): string {
  const boundLabel = (bound: unknown) =>
    isDate(bound) ? format.date(String(bound)) : typeof bound === 'number' ? format.number(bound) : String(bound)
  if (facetType === 'RANGED' && from !== undefined && to !== undefined)
    return t('fromTo', { from: boundLabel(from), to: boundLabel(to) })
  if (facetType === 'RANGED' && from !== undefined) return t('from', { from: boundLabel(from) })
  if (facetType === 'RANGED' && to !== undefined) return t('to', { to: boundLabel(to) })
  const kind = field === 'itemType' ? nameOf(String(value), t) : undefined
  return kind ?? label ?? (value === undefined || value === null ? t('empty') : lastPart(String(value)))
}
/** The last segment of a path; the parent facet shows the rest. */
const lastPart = (value: string) => (value.startsWith('/') ? value.slice(value.lastIndexOf('/') + 1) : value)
