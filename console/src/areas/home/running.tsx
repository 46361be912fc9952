/** Bulk messages under way, with how far they are, and the state of the search index. */
import { Badge, Group, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Panel } from './panel.tsx'
import { texts } from './texts.ts'

export function useOpenRuns() {
  const { common } = useClient()
  return useQuery({
    queryKey: ['runs', 'open'],
    queryFn: async () => (await common.listRuns({ query: { state: 'open' } })).runs ?? [],
    refetchInterval: 3000,
  })
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
            <Text size="sm">{resource.split('/').slice(4).join(' ')}</Text>
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
    </Panel>
  )
}
