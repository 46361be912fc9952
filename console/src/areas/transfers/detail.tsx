/** A transfer: its progress, its commands, the mapping of its columns before, and its refused rows after. */
import { Alert, Badge, Box, Button, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import { useClient, useMay } from '../../object/client.tsx'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { KnownLayout } from './known-layout.tsx'
import { Mapping } from './mapping/mapping.tsx'
import { useMapping } from './mapping/use-mapping.ts'
import { Preview } from './preview.tsx'
import { Refused } from './refused.tsx'
import { texts } from './texts.ts'
import { hasFailedAtStart, isRunning, isWaiting, save, type Transfer, useTransferChange } from './use-transfers.ts'
import { storedText } from '../../object/stored-text.ts'

type Command = 'validate' | 'start' | 'pause' | 'resume' | 'cancel'
type State = NonNullable<Transfer['state']>

/** The commands of an import by state, the primary one first. An export can only be cancelled. */
const commands: Partial<Record<State, readonly Command[]>> = {
  received: ['start', 'validate', 'cancel'],
  validated: ['start', 'validate', 'cancel'],
  validating: ['pause', 'cancel'],
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  failed: ['resume'],
}
/** Of an import that has failed before its first row. The server resumes it, and this begins with the first row. */
const startedAnew: readonly Command[] = ['resume', 'validate']
const colours: Partial<Record<State, string>> = { finished: 'teal', failed: 'red', paused: 'amber', cancelled: 'gray' }

const maxNotes = 20

interface DetailProps {
  readonly transfer: Transfer
  readonly onOpen: (id: string | undefined) => void
}

export function Detail({ transfer, onOpen }: DetailProps) {
  const t = useTexts(texts)
  const format = useFormat()
  const {
    name = '',
    state = 'received',
    user = '',
    createdAt = '',
    problem,
    direction,
    encoding,
    layout,
    refused = 0,
    notes = [],
  } = transfer
  const mapping = useMapping(transfer)
  const isMapped = mapping.query.isEnabled && !mapping.query.isError
  return (
    <Box flex={1} mih={0} style={{ overflow: 'auto' }}>
      <Stack p="md">
        <Group justify="space-between" align="flex-start">
          <div>
            <Group gap="sm">
              <Title order={2}>{name}</Title>
              <Badge variant="light" tt="none" color={colours[state] ?? 'harbour'}>
                {t(state)}
              </Badge>
            </Group>
            <Text size="sm" c="dimmed">
              {t('byWhom', { name: user, when: format.dateTime(createdAt) })}
              {encoding !== undefined && ` · ${t('readAs', { encoding })}`}
            </Text>
          </div>
          <Commands
            transfer={transfer}
            isBusy={isMapped && isWaiting(transfer) && mapping.isBusy}
            onGone={() => onOpen(undefined)}
          />
        </Group>
        {state !== 'received' && <Counts transfer={transfer} />}
        {problem !== undefined && (
          <Alert color="red" icon={<IconAlertTriangle />}>
            {storedText(problem)}
          </Alert>
        )}
        {direction === 'import' &&
          isWaiting(transfer) &&
          (layout !== undefined ? (
            <KnownLayout transfer={transfer} />
          ) : isMapped ? (
            <Mapping mapping={mapping} />
          ) : (
            <Preview id={transfer.id!} />
          ))}
        {notes.length > 0 && (
          <Alert
            color="amber"
            icon={<IconAlertTriangle />}
            title={t(transfer.direction === 'export' ? 'leftOut' : 'notImported')}
          >
            {notes.slice(0, maxNotes).map(({ place = '', reason = '', count = 1 }) => (
              <Text key={`${place} ${reason}`} size="sm">
                {t('note', { place, reason, count: Number(count) })}
              </Text>
            ))}
            {notes.length > maxNotes && <Text size="sm">{t('moreNotes', { count: notes.length - maxNotes })}</Text>}
          </Alert>
        )}
        {direction === 'import' && Number(refused) > 0 && <Refused transfer={transfer} onSent={onOpen} />}
      </Stack>
    </Box>
  )
}

function Counts({ transfer }: { readonly transfer: Transfer }) {
  const t = useTexts(texts)
  const format = useFormat()
  const { direction, processed = 0, share = 0, name = '' } = transfer
  const counts = (['created', 'updated', 'unchanged', 'refused'] as const).filter(() => direction === 'import')
  return (
    <div role="status">
      {(isRunning(transfer) || transfer.state === 'paused') && (
        <Group gap="sm" wrap="nowrap">
          <Progress flex={1} value={share * 100} aria-label={name} />
          <Text size="sm">{format.percent(share)}</Text>
        </Group>
      )}
      <Group gap="lg" mt="xs">
        <Text size="sm">{t(direction === 'export' ? 'products' : 'processed', { count: Number(processed) })}</Text>
        {counts.map((what) => (
          <Text key={what} size="sm" fw={what === 'refused' && Number(transfer[what]) > 0 ? 700 : undefined}>
            {t(what, { count: Number(transfer[what] ?? 0) })}
          </Text>
        ))}
      </Group>
    </div>
  )
}

interface CommandsProps {
  readonly transfer: Transfer
  readonly isBusy: boolean
  readonly onGone: () => void
}

function Commands({ transfer, isBusy, onGone }: CommandsProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const may = useMay()
  const { transfers } = useClient()
  const change = useTransferChange()
  const { id = '', name = '', state = 'received', direction, refused = 0 } = transfer
  const params = { id }
  const send = (command: Command) => change(() => transfers.controlTransfer({ params: { id, command } }))
  const isRepeatable = hasFailedAtStart(transfer)
  const ofImport = isRepeatable ? startedAnew : (commands[state] ?? [])
  const offered = direction === 'export' ? (isRunning(transfer) ? (['cancel'] as const) : []) : ofImport
  const remove = () =>
    confirmDanger({
      title: t('deleteTitle'),
      body: t('deleteBody'),
      confirm: w('delete'),
      cancel: w('cancel'),
      onConfirm: () => void change(() => transfers.deleteTransfer({ params })).then((isDone) => isDone && onGone()),
    })
  const download = { variant: 'default', leftSection: <IconDownload size={16} /> }
  return (
    <Group gap="xs">
      {may('update', 'product') &&
        offered.map((command, i) => (
          <Button
            key={command}
            variant={i === 0 ? 'filled' : 'default'}
            disabled={isBusy && (command === 'start' || command === 'validate' || isRepeatable)}
            onClick={() => void send(command)}
          >
            {t(command === 'resume' && isRepeatable ? 'start' : command)}
          </Button>
        ))}
      {direction === 'import' && Number(refused) > 0 && !isRunning(transfer) && (
        <Button
          {...download}
          onClick={() =>
            void change(async () => save(await transfers.downloadResult({ params }), `${name}.result.csv`))
          }
        >
          {t('result')}
        </Button>
      )}
      {(direction === 'import' || state === 'finished') && (
        <Button
          {...download}
          onClick={() => void change(async () => save(await transfers.downloadFile({ params }), name))}
        >
          {t(direction === 'export' ? 'download' : 'original')}
        </Button>
      )}
      {!isRunning(transfer) && may('update', 'product') && (
        <Button variant="light" color="red" onClick={remove}>
          {w('delete')}
        </Button>
      )}
    </Group>
  )
}
