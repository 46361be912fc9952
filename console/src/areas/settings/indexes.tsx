/** The search indexes: whether they are up to date, when they were built, and the progress of a rebuild, polled every second. */
import { Badge, Button, Progress, Stack, Text } from '@mantine/core'
import { indexes, IndexStateItem, type Infer } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { adminTexts } from './admin-texts.ts'
import { useAttempt } from './attempt.ts'
import { texts } from './texts.ts'

type IndexState = Infer<typeof IndexStateItem>
const isRunning = ({ indexingState }: IndexState) =>
  indexingState?.state !== undefined && !['END', 'ERROR'].includes(indexingState.state)

export function IndexesPart() {
  const t = useTexts(texts)
  const format = useFormat()
  const { search } = useClient()
  const attempt = useAttempt()
  const nameOf = useIndexNames()
  const states = useQuery({
    queryKey: ['settings', 'indexes'],
    queryFn: () => search.listIndexStates(),
    refetchInterval: 1000,
  })
  const rebuild = (name: string) => {
    const index = indexes.find((one) => one === name)
    return index && attempt(search.commandIndex({ body: { index, command: 'REBUILD' } }), t('rebuildStarted'))
  }
  return (
    <ListPage
      type={IndexStateItem}
      label={t('indexes')}
      query={states}
      labelOf={useLabels(texts)}
      keyOf={({ index = '' }) => index}
      rowHeight={64}
      fields={{
        index: { width: 'minmax(11rem, 1fr)', text: ({ index }) => nameOf(index) },
        indexingState: {
          title: t('state'),
          width: 'minmax(14rem, 2fr)',
          text: ({ mappingState }) => t(mappingState?.outdated ? 'outdated' : 'upToDate'),
          show: (state) => <State state={state} />,
        },
        mappingState: {
          title: t('builtAt'),
          width: '12rem',
          text: ({ mappingState }) => mappingState?.createdAt ?? '',
          show: ({ mappingState }) => mappingState?.createdAt && format.dateTime(mappingState.createdAt),
        },
      }}
      actions={(state) => (
        <Button
          size="compact-sm"
          variant="subtle"
          disabled={isRunning(state)}
          onClick={() => void rebuild(state.index ?? '')}
          aria-label={`${t('rebuild')}: ${nameOf(state.index)}`}
        >
          {t('rebuild')}
        </Button>
      )}
    />
  )
}

/** An index that the console does not know is shown as the server names it. */
function useIndexNames(): (index?: string) => string {
  const a = useTexts(adminTexts)
  return (index = '') => {
    const key = `index_${index}`
    return Object.hasOwn(adminTexts.en, key) ? a(key as 'index_ASSET') : index
  }
}

function State({ state }: { state: IndexState }) {
  const t = useTexts(texts)
  const nameOf = useIndexNames()
  const { index = '', mappingState, indexingState } = state
  const [done, total] = [Number(indexingState?.documentsProcessed ?? 0), Number(indexingState?.totalDocuments ?? 0)]
  const seconds = Math.floor(Number(indexingState?.lag ?? 0) / 1000)
  return (
    <Stack gap={2} w="100%">
      <Badge variant="dot" tt="none" color={mappingState?.outdated ? 'amber' : 'teal'}>
        {t(mappingState?.outdated ? 'outdated' : 'upToDate')}
      </Badge>
      {seconds > 0 && <Text size="xs">{t('behind', { seconds })}</Text>}
      {isRunning(state) && (
        <>
          <Text size="xs">{t('rebuilding', { done, total })}</Text>
          <Progress value={total === 0 ? 0 : (done / total) * 100} size="sm" aria-label={nameOf(index)} />
        </>
      )}
    </Stack>
  )
}
