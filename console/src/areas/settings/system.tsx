/** The state of the installation: version, memory, disk, queues, backup, failed jobs and last errors. */
import { Alert, Anchor, Code, List, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import type { Infer, SystemState } from '@kontor/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useClient } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { FailedJobs, LastErrors } from './system-faults.tsx'
import { systemTexts } from './system-texts.ts'

type State = Infer<typeof SystemState>
type Fact = readonly [label: string, value: ReactNode, isBad?: boolean]

export function SystemPart() {
  const t = useTexts(systemTexts)
  const { system } = useClient()
  const state = useQuery({
    queryKey: ['settings', 'system'],
    queryFn: () => system.getSystem(),
    refetchInterval: 5000,
  })
  return (
    <Loaded query={state}>
      {(data) => (
        <Stack p="lg" gap="lg" style={{ overflow: 'auto' }}>
          <SimpleGrid cols={{ base: 1, md: 2, xl: 4 }}>
            <Process state={data} />
            <Storage state={data} />
            <Queues state={data} />
            <Backup state={data} />
          </SimpleGrid>
          <FailedJobs jobs={data.failedJobs ?? []} />
          <LastErrors errors={data.errors ?? []} />
          <div>
            <Title order={2} mb="xs">
              {t('more')}
            </Title>
            <List spacing={6}>
              {[
                ['/settings?part=indexes', t('indexesLink')],
                ['/settings?part=jobs', t('jobsLink')],
                ['/settings?part=webhooks', t('webhooksLink')],
                ['/metrics', t('metrics')],
                ['/api/docs', t('reference')],
              ].map(([href, label]) => (
                <List.Item key={href}>
                  <Anchor href={href} underline="always">
                    {label}
                  </Anchor>
                </List.Item>
              ))}
            </List>
          </div>
        </Stack>
      )}
    </Loaded>
  )
}

/** A card with facts; bad ones are marked by an icon and a colour. */
function Facts({ title, facts, children }: { title: string; facts: readonly Fact[]; children?: ReactNode }) {
  const t = useTexts(systemTexts)
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <Table withRowBorders={false} verticalSpacing={3} horizontalSpacing={0}>
        <Table.Tbody>
          {facts.map(([label, value, isBad]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" fw={400} pe="sm">
                <Text size="sm" c="dimmed">
                  {label}
                </Text>
              </Table.Th>
              <Table.Td ta="end">
                <Text size="sm" {...(isBad && { c: 'red', fw: 600 })}>
                  {isBad && <IconAlertTriangle size={14} aria-label={t('problem')} />} {value}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {children}
    </Paper>
  )
}

const GB = 1e9
interface PartProps {
  readonly state: State
}

function Process({ state: { process = {} } }: PartProps) {
  const t = useTexts(systemTexts)
  const format = useFormat()
  const { memory = 0, machineFree = 0, machineMemory = 0, startedAt = '', roles = [] } = process
  const free = { free: format.bytes(Number(machineFree)), total: format.bytes(Number(machineMemory)) }
  return (
    <Facts
      title={t('process')}
      facts={[
        [t('version'), process.version],
        [t('runtime'), process.runtime],
        [
          t('running'),
          <span key="at" title={format.dateTime(startedAt)}>
            {format.ago(startedAt)}
          </span>,
        ],
        [t('roles'), roles.map((role) => t(`role_${role as 'api'}`)).join(', ')],
        [t('memory'), format.bytes(Number(memory))],
        [t('machine'), t('freeOf', free), Number(machineFree) < Number(machineMemory) * 0.05],
      ]}
    />
  )
}

function Storage({ state: { storage = {} } }: PartProps) {
  const t = useTexts(systemTexts)
  const format = useFormat()
  const { disk = 0, diskFree = 0, databaseSize = 0, files = 'folder' } = storage
  const free = { free: format.bytes(Number(diskFree)), total: format.bytes(Number(disk)) }
  return (
    <Facts
      title={t('storage')}
      facts={[
        [t('disk'), t('freeOf', free), Number(diskFree) < GB],
        [t('database'), storage.database],
        [t('databaseSize'), format.bytes(Number(databaseSize))],
        [t('files'), t(`files_${files as 'folder'}`)],
      ]}
    />
  )
}

/** Ten minutes of waiting mean that no worker runs. */
const longWait = 600_000

function Queues({ state: { queues = {} } }: PartProps) {
  const t = useTexts(systemTexts)
  const format = useFormat()
  const { waiting = 0, scheduled = 0, running = 0, failed = 0, oldestAt, searchLag = 0, changes = 0 } = queues
  const { deliveries = 0, failingWebhooks = 0 } = queues
  const isLate = oldestAt !== undefined && Date.now() - Date.parse(oldestAt) > longWait
  const oldest = oldestAt && waiting > 0 ? ` (${t('oldestJob', { ago: format.ago(oldestAt) })})` : ''
  const lag = Math.round(searchLag / 1000)
  return (
    <Facts
      title={t('queues')}
      facts={[
        [t('jobsWaiting'), format.number(waiting) + oldest, isLate],
        [t('jobsScheduled'), format.number(scheduled)],
        [t('jobsRunning'), format.number(running)],
        [t('jobsFailed'), format.number(failed), failed > 0],
        [t('searchLag'), lag > 0 ? t('seconds', { count: lag }) : t('upToDate'), lag > 60],
        [t('changes'), format.number(changes)],
        [t('deliveries'), format.number(deliveries)],
        [t('failingWebhooks'), format.number(failingWebhooks), failingWebhooks > 0],
      ]}
    />
  )
}

function Backup({ state: { backup } }: PartProps) {
  const t = useTexts(systemTexts)
  const format = useFormat()
  if (!backup)
    return (
      <Facts title={t('backup')} facts={[]}>
        <Alert color="amber" p="xs">
          {t('noBackup')}
          <Code block mt="xs">
            kontor backup /path/to/folder
          </Code>
        </Alert>
      </Facts>
    )
  const { takenAt = '', folder, missing = 0 } = backup
  return (
    <Facts
      title={t('backup')}
      facts={[
        [
          t('lastBackup'),
          <span key="at" title={format.dateTime(takenAt)}>
            {format.ago(takenAt)}
          </span>,
        ],
        [t('backupFolder'), folder],
      ]}
    >
      {missing > 0 && (
        <Alert color="red" p="xs">
          {t('backupMissing', { count: missing })}
        </Alert>
      )}
    </Facts>
  )
}
