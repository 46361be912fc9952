/** The results of a search: facets on the left, the number of hits, the order and the hits on the right. */
import { Anchor, Group, Select, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTexts } from '../../ui/language.tsx'
import { Panes } from '../../ui/page.tsx'
import { Empty, Failure, Loading } from '../../ui/states.tsx'
import type { UrlState } from '../../ui/url-state.ts'
import { Facets } from './facets.tsx'
import { Hits } from './hits.tsx'
import type { SearchState } from './state.ts'
import { texts } from './texts.ts'
import { useSearch } from './use-search.ts'

interface ResultsProps {
  readonly state: SearchState
  readonly locale: string
  readonly change: (changed: UrlState, push?: boolean) => void
  readonly onClearFilters: () => void
}

export function Results({ state, locale, change, onClearFilters }: ResultsProps) {
  const t = useTexts(texts)
  const found = useSearch(state, locale)
  const { first } = found
  const content = () => {
    if (found.error) return <Failure error={found.error} onRetry={found.refetch} />
    if (found.loading) return <Loading />
    if (found.total > 0) return <Hits {...found} />
    const corrections = <Corrections suggestions={first?.suggest ?? []} onChoose={(q) => change({ q }, true)} />
    return (
      <Empty icon={IconSearch} title={t('nothing')} action={corrections}>
        {t('nothingHint')}
      </Empty>
    )
  }
  return (
    <div style={{ flex: 1, minHeight: 0 }}>
      <Panes
        sideLabel={t('filters')}
        side={<Facets groups={first?.facets ?? []} chosen={state.facets} change={change} onClear={onClearFilters} />}
      >
        <Group p="xs" justify="space-between">
          <Text size="sm" role="status">
            {first && t(first.exactHitCount === false ? 'atLeast' : 'hits', { count: found.total })}
            {first && (
              <Text span c="dimmed" size="sm">
                {' · '}
                {t('took', { ms: Number(first.processingTimeMillis ?? 0) })}
              </Text>
            )}
          </Text>
          <Select
            aria-label={t('sort')}
            size="xs"
            data={[
              { value: '', label: t('relevance') },
              { value: 'newest', label: t('newest') },
              { value: 'name', label: t('byName') },
            ]}
            value={state.sort}
            allowDeselect={false}
            onChange={(sort) => change({ sort: sort ?? '' })}
          />
        </Group>
        {content()}
      </Panes>
    </div>
  )
}

interface CorrectionsProps {
  readonly suggestions: readonly string[]
  readonly onChoose: (text: string) => void
}

function Corrections({ suggestions, onChoose }: CorrectionsProps) {
  const t = useTexts(texts)
  if (suggestions.length === 0) return null
  return (
    <Text size="sm">
      {t('didYouMean')}{' '}
      {suggestions.slice(0, 5).map((text, i) => (
        <span key={text}>
          {i > 0 && ', '}
          <Anchor component="button" type="button" size="sm" onClick={() => onChoose(text)}>
            {text}
          </Anchor>
        </span>
      ))}
    </Text>
  )
}
