/** The quality of the products: what many of them lack. The numbers are searches, so they count what the user may read. */
import { Anchor, Badge, Group, Text } from '@mantine/core'
import type { Infer, Search } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../object/client.tsx'
import { useContentLocale, useLocaleName } from '../../object/locales.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Hint, Panel } from './panel.tsx'
import { texts } from './texts.ts'
import classes from './home.module.css'

interface Condition {
  readonly name: string
  readonly comparator: 'IS_EMPTY' | 'LT' | 'EQ'
  readonly value: string
}
const isProduct: Condition = { name: 'itemType', comparator: 'EQ', value: 'product' }
const checks = {
  withoutPicture: { name: 'assets', comparator: 'IS_EMPTY', value: '' },
  withoutChannel: { name: 'channels', comparator: 'IS_EMPTY', value: '' },
  incomplete: { name: 'completeness', comparator: 'LT', value: '100' },
} as const satisfies Record<string, Condition>
type Check = keyof typeof checks

type Query = NonNullable<Infer<typeof Search>['query']>
const toQuery = ({ name, comparator, value }: Condition): Query => ({
  queryType: 'FIELD',
  name,
  comparator,
  ...(comparator === 'EQ' && { value, keyword: true }),
  ...(comparator === 'LT' && { value: Number(value) }),
})

function useQuality() {
  const { search } = useClient()
  const [locale] = useContentLocale()
  const ask = async (conditions: readonly Condition[], more: Partial<Infer<typeof Search>> = {}) =>
    search.search({
      body: {
        context: { searchType: 'INDEX', index: 'PRODUCT' },
        query: { queryType: 'COMBINED', operator: 'AND', queries: conditions.map(toQuery) },
        language: locale,
        pageSize: 1,
        resultAttributes: ['tid'],
        ...more,
      },
    })
  return useQuery({
    queryKey: ['search', 'quality', locale],
    staleTime: 60_000,
    queryFn: async () => {
      const names = { aggregationEnabled: true, aggregationAttributes: ['name'], aggregationMaxResults: 50 }
      const [all, ...found] = await Promise.all([
        ask([isProduct], names),
        ...Object.values(checks).map((condition) => ask([isProduct, condition])),
      ])
      const counts = found.map((reply) => Number(reply.totalHitCount ?? 0))
      const shared = (all.facets ?? [])
        .flatMap(({ facets = [] }) => facets)
        .filter(({ count = 0 }) => Number(count) > 1)
        .map(({ label, value, count }) => ({ name: label ?? String(value), count: Number(count) }))
      return { total: Number(all.totalHitCount ?? 0), counts, shared }
    },
  })
}

export function Quality() {
  const t = useTexts(texts)
  const format = useFormat()
  const quality = useQuality()
  const [locale] = useContentLocale()
  const localeName = useLocaleName()(locale)
  const row = (label: string, count: number, search: Record<string, string>, total: number) => (
    <div key={label} className={classes.row}>
      <Text size="sm" flex={1}>
        {label}
      </Text>
      {count === 0 ? (
        <Badge variant="light" color="teal" tt="none">
          {t('none')}
        </Badge>
      ) : (
        <Group gap={8} wrap="nowrap">
          <Text size="xs" c="dimmed">
            {Math.min(100, Math.max(1, Math.round((100 * count) / Math.max(1, total))))} %
          </Text>
          <Anchor
            size="sm"
            aria-label={`${label}: ${format.number(count)}`}
            renderRoot={(props) => <Link to="/search" search={{ index: 'PRODUCT', ...search }} {...props} />}
          >
            {format.number(count)}
          </Anchor>
        </Group>
      )}
    </div>
  )
  return (
    <Panel title={t('quality')} to="/search">
      <Loaded query={quality}>
        {({ total, counts, shared }) => {
          if (total === 0) return <Hint>{t('noProductsHint')}</Hint>
          return (
            <>
              {(Object.keys(checks) as Check[]).map((check, i) =>
                row(
                  t(check, { locale: localeName }),
                  counts[i] ?? 0,
                  { build: JSON.stringify({ operator: 'AND', of: [isProduct, checks[check]] }) },
                  total,
                ),
              )}
              {shared.length === 0
                ? row(t('sameName'), 0, {}, total)
                : shared
                    .slice(0, 3)
                    .map(({ name, count }) => row(t('sharedName', { name }), count, { q: `"${name}"` }, total))}
            </>
          )
        }}
      </Loaded>
    </Panel>
  )
}
