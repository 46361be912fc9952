/** The search indexes: whether they are up to date, when they were built, and the progress of a rebuild, polled every second. */
import { Badge, Button, Progress, Table, Text } from '@mantine/core'
import { indexes } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { words } from '../../ui/words.ts'
import { useAttempt } from './attempt.ts'
import { texts } from './texts.ts'

export function IndexesPart() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const format = useFormat()
  const { search } = useClient()
  const attempt = useAttempt()
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
    <Loaded query={states}>
      {(all) => (
        <Table verticalSpacing="sm" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('index')}</Table.Th>
              <Table.Th>{t('state')}</Table.Th>
              <Table.Th>{t('builtAt')}</Table.Th>
              <Table.Th>{w('actions')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {all.map(({ index = '', mappingState, indexingState }) => {
              const [done, total] = [
                Number(indexingState?.documentsProcessed ?? 0),
                Number(indexingState?.totalDocuments ?? 0),
              ]
              const behind = Math.floor(Number(indexingState?.lag ?? 0) / 1000)
              const runs = indexingState?.state !== undefined && !['END', 'ERROR'].includes(indexingState.state)
              return (
                <Table.Tr key={index}>
                  <Table.Td fw={600}>{index}</Table.Td>
                  <Table.Td>
                    <Badge variant="dot" tt="none" color={mappingState?.outdated ? 'amber' : 'teal'}>
                      {t(mappingState?.outdated ? 'outdated' : 'upToDate')}
                    </Badge>
                    {behind > 0 && <Text size="xs">{t('behind', { seconds: behind })}</Text>}
                    {runs && (
                      <>
                        <Text size="xs">
                          {indexingState.state} · {t('rebuilding', { done, total })}
                        </Text>
                        <Progress value={total === 0 ? 0 : (done / total) * 100} size="sm" aria-label={index} />
                      </>
                    )}
                  </Table.Td>
                  <Table.Td>{mappingState?.createdAt && format.dateTime(mappingState.createdAt)}</Table.Td>
                  <Table.Td>
                    <Button
                      size="compact-sm"
                      variant="light"
                      disabled={runs}
                      onClick={() => void rebuild(index)}
                      aria-label={`${t('rebuild')}: ${index}`}
                    >
                      {t('rebuild')}
                    </Button>
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      )}
    </Loaded>
  )
}
