/** The care of files: virus scanner, passes over all files, the archive, and the files that nobody gets. */
import {
  Alert,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Paper,
  SimpleGrid,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core'
import type { CareState, Infer } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { careTexts } from '../../object/care-texts.ts'
import { useClient } from '../../object/client.tsx'
import { PickOne } from '../../object/picker.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { useAttempt } from './attempt.ts'
import { HeldFilesList } from './held-files.tsx'
import { ScrubRunsList } from './scrub-runs.tsx'

type State = Infer<typeof CareState>

export function CarePart() {
  const { care } = useClient()
  const state = useQuery({
    queryKey: ['settings', 'care'],
    queryFn: () => care.getCare(),
    refetchInterval: 5000,
  })
  return (
    <Loaded query={state}>
      {(data) => (
        <Stack p="lg" gap="lg" style={{ overflow: 'auto' }}>
          <SimpleGrid cols={{ base: 1, md: 3 }}>
            <Scanner state={data} />
            <Scrub state={data} />
            <Archive state={data} />
          </SimpleGrid>
          <HeldFilesList />
          <ScrubRunsList />
        </Stack>
      )}
    </Loaded>
  )
}

type Fact = readonly [label: string, value: ReactNode, isBad?: boolean]

function Card({ title, facts, children }: { title: string; facts: readonly Fact[]; children?: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      {facts.length > 0 && (
        <Table withRowBorders={false} verticalSpacing={3} horizontalSpacing={0} mb="xs">
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
                    {value}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {children}
    </Paper>
  )
}

function Scanner({ state: { scanner = {} } }: { state: State }) {
  const t = useTexts(careTexts)
  const format = useFormat()
  const attempt = useAttempt()
  const { care } = useClient()
  const { isConfigured = false, isReachable = false, waiting = 0, infected = 0, tooLarge = 0 } = scanner
  const facts: Fact[] = [
    [t('waiting'), format.number(waiting)],
    [t('quarantined'), format.number(infected), infected > 0],
    [t('uncheckable'), format.number(tooLarge)],
  ]
  return (
    <Card
      title={t('scanner')}
      facts={isConfigured ? [[t('answers'), t(isReachable ? 'yes' : 'no'), !isReachable], ...facts] : facts}
    >
      {isConfigured ? (
        <Button size="compact-sm" variant="default" onClick={() => void attempt(care.rescan(), t('rescanStarted'))}>
          {t('rescan')}
        </Button>
      ) : (
        <Alert color="amber" p="xs">
          {t('scannerOff')}
        </Alert>
      )}
    </Card>
  )
}

function Scrub({ state: { scrub = {} } }: { state: State }) {
  const t = useTexts(careTexts)
  const format = useFormat()
  const attempt = useAttempt()
  const { care } = useClient()
  const { days = 0, faults = 0, last } = scrub
  const isRunning = last !== undefined && last.endedAt === undefined
  return (
    <Card
      title={t('scrub')}
      facts={[
        [t('interval'), days === 0 ? t('scrubOff') : t('scrubEvery', { count: days }), days === 0],
        [t('faults'), format.number(faults), faults > 0],
        ...(last ? [[t('lastRun'), isRunning ? t('running') : format.ago(last.endedAt!)] as const] : []),
      ]}
    >
      <Button
        size="compact-sm"
        variant="default"
        disabled={isRunning}
        onClick={() => void attempt(care.startScrub(), t('scrubStarted'))}
      >
        {t('startScrub')}
      </Button>
    </Card>
  )
}

function Archive({ state: { archive = {} } }: { state: State }) {
  const t = useTexts(careTexts)
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { isConfigured = false, files = 0, bytes = 0, leaving = 0, returning = 0 } = archive
  if (!isConfigured)
    return (
      <Card title={t('archive')} facts={[]}>
        <Text size="sm" c="dimmed">
          {t('archiveOff')}
        </Text>
      </Card>
    )
  return (
    <Card
      title={t('archive')}
      facts={[
        [t('archiveFiles'), `${format.number(Number(files))} (${format.bytes(Number(bytes))})`],
        [t('leaving'), format.number(Number(leaving))],
        [t('returning'), format.number(Number(returning))],
      ]}
    >
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        {t('archiveFolder')}
      </Button>
      {isOpen && <ArchiveFolder onClose={() => setOpen(false)} />}
    </Card>
  )
}

function ArchiveFolder({ onClose }: { onClose: () => void }) {
  const t = useTexts(careTexts)
  const attempt = useAttempt()
  const { care } = useClient()
  const [folder, setFolder] = useState('')
  const [months, setMonths] = useState(12)
  const [onlyUnlinked, setOnlyUnlinked] = useState(true)
  const submit = async () => {
    const ordered = care.archiveFolder({ body: { folder, months, onlyUnlinked } })
    const order = await ordered.catch(() => undefined)
    await attempt(ordered, t('archiveOrdered', { count: Number(order?.files ?? 0) }))
    if (order) onClose()
  }
  return (
    <FormModal title={t('archiveFolder')} onSubmit={submit} onClose={onClose}>
      <Text size="sm">{t('archiveBody')}</Text>
      <PickOne kind="folder" label={t('folder')} required value={folder} onChange={(value) => setFolder(value ?? '')} />
      <NumberInput
        label={t('months')}
        min={0}
        max={1200}
        value={months}
        onChange={(value) => setMonths(Number(value))}
      />
      <Checkbox
        label={t('onlyUnlinked')}
        checked={onlyUnlinked}
        onChange={(event) => setOnlyUnlinked(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button type="submit" disabled={folder === ''}>
          {t('archive')}
        </Button>
      </Group>
    </FormModal>
  )
}
