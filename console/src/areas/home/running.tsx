/** Running bulk jobs with their progress, and the state of the search index. */
import { Anchor, Badge, Group, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import type { UrlState } from '../../ui/url-state.ts'
import { Panel } from './panel.tsx'
import { texts } from './texts.ts'

/** The page that lists open jobs. */
export const openJobs: UrlState = { part: 'jobs', show: 'open' }

export function useOpenRuns() {
  const { common } = useClient()
  return useQuery({
    queryKey: ['runs', 'open'],
    queryFn: async () => (await common.listRuns({ query: { state: 'open' } })).runs ?? [],
    refetchInterval: 3000,
  })
}

/** The state of each search index: up to date, behind, or being built. */
function useIndexes() {
  const { search } = useClient()
  return useQuery({ queryKey: ['indexes', 'state'], queryFn: () => search.listIndexStates(), refetchInterval: 3000 })
}

function Indexes() {
  const t = useTexts(texts)
  const { data = [] } = useIndexes()
  if (data.length === 0) return null
  const building = data.filter(({ indexingState: { state = 'END' } = {} }) => state !== 'END')
  const lag = Math.max(0, ...data.map(({ indexingState }) => Number(indexingState?.lag ?? 0)))
  const behind = lag === 0 ? t('upToDate') : t('behind', { seconds: (lag / 1000).toFixed(1) })
  return (
    <Group justify="space-between" mt="sm" pt="sm" style={{ borderTop: '1px solid var(--line)' }}>
      <Anchor size="sm" renderRoot={(props) => <Link to="/settings" search={{ part: 'indexes' }} {...props} />}>
        {t('index')}
      </Anchor>
      <Badge variant="light" color={building.length > 0 || lag > 0 ? 'amber' : 'teal'} tt="none">
        {building.length > 0 ? `${t('building')}: ${building.map(({ index }) => index).join(', ')}` : behind}
      </Badge>
    </Group>
  )
}

export function Running() {
  const t = useTexts(texts)
  const { data: runs = [] } = useOpenRuns()
  return (
    <Panel title={t('running')}>
      {runs.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('nothingRunning')}
        </Text>
      )}
      {runs.map(({ id, resource = '', state, processed = 0, total = 0 }) => (
        <div key={id}>
          <Group justify="space-between">
            <Anchor size="sm" renderRoot={(props) => <Link to="/settings" search={openJobs} {...props} />}>
              {resource.split('/').slice(4).join(' ')}
            </Anchor>
            <Badge variant="light" tt="none">
              {state === 'running' ? t('runningState') : t('waiting')}
            </Badge>
          </Group>
          <Progress value={(100 * Number(processed)) / Math.max(1, Number(total))} my={6} aria-label={resource} />
          <Text size="xs" c="dimmed">
            {t('of', { done: Number(processed), total: Number(total) })}
          </Text>
        </div>
      ))}
      <Indexes />
    </Panel>
  )
}
