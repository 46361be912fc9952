/** The quality of the top channels: how many products reach which score, and which checks fail most. Counted by search. */
import { Anchor, Text } from '@mantine/core'
import type { Infer, Search } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../object/client.tsx'
import { useContentLocale, useLocaleName } from '../../object/locales.ts'
import { qualityTexts } from '../../object/quality-texts.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Hint, Panel } from './panel.tsx'
import { texts } from './texts.ts'
import { useTopReadiness } from './use-readiness.ts'
import classes from './home.module.css'

const bands = ['below50', 'below80', 'below100', 'perfect'] as const
const maxFailing = 5

function useScores() {
  const { search } = useClient()
  const [locale] = useContentLocale()
  return useQuery({
    queryKey: ['search', 'scores', locale],
    staleTime: 60_000,
    queryFn: async () => {
      const body: Infer<typeof Search> = {
        context: { searchType: 'INDEX', index: 'CHANNEL_2_PRODUCT', labelLocalization: locale },
        language: locale,
        pageSize: 1,
        resultAttributes: ['id'],
        aggregationEnabled: true,
        aggregationAttributes: ['quality', 'qualityFaults'],
      }
      const { facets = [], totalHitCount = 0 } = await search.search({ body })
      const groupOf = (name: string) => facets.find((one) => one.name === name)?.facets ?? []
      const scores = groupOf('quality').map(({ count, from, to }) => ({ count: Number(count ?? 0), from, to }))
      const failing = groupOf('qualityFaults').flatMap(({ value, label, count }) =>
        value === 'none' ? [] : [{ value: String(value), label: label ?? String(value), count: Number(count ?? 0) }],
      )
      return { total: Number(totalHitCount), scores, failing }
    },
  })
}

const tabOf = (fields: Record<string, string>) => ({ index: 'CHANNEL_2_PRODUCT', ...fields })

export function Scores() {
  const t = useTexts(qualityTexts)
  const home = useTexts(texts)
  const format = useFormat()
  const [locale] = useContentLocale()
  const localeName = useLocaleName()(locale)
  const scores = useScores()
  const channels = useTopReadiness()
  const row = (label: string, count: number, search: Record<string, string>) => (
    <div key={label} className={classes.row}>
      <Text size="sm" flex={1}>
        {label}
      </Text>
      <Anchor
        size="sm"
        aria-label={`${label}: ${t('places', { count })}`}
        renderRoot={(props) => <Link to="/search" search={tabOf(search)} {...props} />}
      >
        {format.number(count)}
      </Anchor>
    </div>
  )
  return (
    <Panel title={t('scores')} to="/search">
      <Loaded query={scores}>
        {({ total, scores: bandCounts, failing }) => {
          if (total === 0 || channels.data?.length === 0) return <Hint>{home('noPlacesHint')}</Hint>
          if (bandCounts.every(({ count }) => count === 0)) return <Hint>{t('scoresRestricted')}</Hint>
          return (
            <>
              {bandCounts.map(({ count, from, to }, i) =>
                row(t(bands[i] ?? 'perfect'), count, { 'f.quality': `${from ?? ''}..${to ?? ''}` }),
              )}
              <Text size="xs" c="dimmed" mt="sm">
                {failing.length === 0 ? t('noFaults') : t('failing', { locale: localeName })}
              </Text>
              {failing
                .slice(0, maxFailing)
                .map(({ value, label, count }) => row(label, count, { 'f.qualityFaults': value }))}
            </>
          )
        }}
      </Loaded>
    </Panel>
  )
}
