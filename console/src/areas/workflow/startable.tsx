/** The workflows that can be started, with counts of their running processes and overdue tasks. */
import { Badge, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMay } from '../../object/client.tsx'
import { useWords } from '../../object/linked/words.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { type Configuration, StartForm } from '../../object/start-form.tsx'
import { useStartable } from '../../object/start-workflow.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { texts } from './texts.ts'

export function Startable() {
  const may = useMay()
  const t = useTexts(texts)
  const words = useWords()
  const { workflow } = useClient()
  const [starting, setStarting] = useState<Configuration>()
  const [, change] = useUrlState()
  const configurations = useStartable()
  const { data: statistics } = useQuery({
    queryKey: ['workflow', 'statistics'],
    queryFn: () => workflow.retrieveStatistics(),
  })
  const countsOf = (identifier: string | undefined) =>
    statistics?.workflows?.find(({ configIdentifier }) => configIdentifier === identifier)
  return (
    <Loaded query={configurations}>
      {(all) => (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {all.map((configuration) => {
              const counts = countsOf(configuration.identifier)
              return (
                <Paper key={configuration.identifier} p="md" component="article">
                  <Stack justify="space-between" h="100%">
                    <div>
                      <Title order={2}>{words.text(configuration.name)}</Title>
                      <Text size="sm" c="dimmed">
                        {words.text(configuration.description)}
                      </Text>
                      <Group gap={6} mt="xs">
                        <Badge variant="dot" tt="none" color="harbour">
                          {t('running')}: {counts?.running ?? 0}
                        </Badge>
                        {(counts?.overdueTasks ?? 0) > 0 && (
                          <Badge variant="dot" tt="none" color="red">
                            {t('overdue', { count: Number(counts?.overdueTasks) })}
                          </Badge>
                        )}
                      </Group>
                    </div>
                    {may('create', 'workflow') && (
                      <Button
                        variant="default"
                        onClick={() => setStarting(configuration)}
                        aria-label={`${t('start')}: ${words.text(configuration.name)}`}
                      >
                        {t('start')}
                      </Button>
                    )}
                  </Stack>
                </Paper>
              )
            })}
          </SimpleGrid>
          {starting && (
            <StartForm
              configuration={starting}
              onClose={() => setStarting(undefined)}
              onStarted={() => change({ part: 'processes' }, true)}
            />
          )}
        </>
      )}
    </Loaded>
  )
}
