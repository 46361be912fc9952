/** A feed: its schedule, its commands, and its runs with their reasons. */
import { Alert, Badge, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useScheduleText } from '../../object/schedule/schedule-input.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { OneTimeSecret } from '../../ui/one-time-secret.tsx'
import { Loaded } from '../../ui/states.tsx'
import { FeedForm } from './feed-form.tsx'
import { texts } from './texts.ts'
import { type Feed, type Run, useFeedChange, useRuns } from './use-feeds.ts'
import { storedText } from '../../object/stored-text.ts'

const colours: Readonly<Record<NonNullable<Run['state']>, string>> = {
  running: 'harbour',
  held: 'amber',
  finished: 'teal',
  failed: 'red',
  discarded: 'gray',
}

interface DetailProps {
  readonly feed: Feed
  readonly onGone: () => void
}

export function Detail({ feed, onGone }: DetailProps) {
  const t = useTexts(texts)
  const scheduleText = useScheduleText()
  const format = useFormat()
  const [address, setAddress] = useState<string>()
  const { name = '', owner = '', enabled, problem, nextRunAt, direction, place } = feed
  return (
    <Stack p="md">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2}>{name}</Title>
          <Text size="sm">
            {t(direction)} · {t(place.kind)} · {scheduleText(feed.schedule)}
          </Text>
          <Text size="sm" c="dimmed">
            {t('owner', { name: owner })}
            {nextRunAt !== undefined && ` · ${t('next', { when: format.dateTime(nextRunAt) })}`}
            {!enabled && problem === undefined && ` · ${t('disabled')}`}
          </Text>
        </div>
        <Commands feed={feed} onGone={onGone} onAddress={setAddress} />
      </Group>
      {problem !== undefined && (
        <Alert color="red" icon={<IconAlertTriangle />}>
          {t('paused', { reason: storedText(problem) })}
        </Alert>
      )}
      {address !== undefined && (
        <OneTimeSecret title={t('addressTitle')} secret={address} onClose={() => setAddress(undefined)} />
      )}
      <Runs feed={feed} />
    </Stack>
  )
}

function Commands({
  feed,
  onGone,
  onAddress,
}: DetailProps & { readonly onAddress: (url: string | undefined) => void }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { feeds } = useClient()
  const change = useFeedChange()
  const [isEditing, setEditing] = useState(false)
  const { name = '', place, hasAddress, lastRun } = feed
  const params = { name }
  const isPending = lastRun?.state === 'running' || lastRun?.state === 'held'
  const createAddress = async () => {
    const create = () => change(async () => onAddress((await feeds.createAddress({ params })).url))
    if (!hasAddress) return void (await create())
    confirmDanger({
      title: t('replaceTitle'),
      body: t('replaceBody'),
      confirm: t('newAddress'),
      cancel: w('cancel'),
      onConfirm: () => void create(),
    })
  }
  const revoke = () =>
    confirmDanger({
      title: t('revokeTitle'),
      body: t('revokeBody'),
      confirm: t('revoke'),
      cancel: w('cancel'),
      onConfirm: () => void change(() => feeds.revokeAddress({ params })).then(() => onAddress(undefined)),
    })
  const remove = () =>
    confirmDanger({
      title: t('deleteTitle'),
      body: t('deleteBody'),
      confirm: w('delete'),
      cancel: w('cancel'),
      onConfirm: () => void change(() => feeds.deleteFeed({ params })).then((isDone) => isDone && onGone()),
    })
  return (
    <Group gap="xs">
      <ActionButton disabled={isPending} action={() => change(() => feeds.runFeed({ params }))}>
        {t('run')}
      </ActionButton>
      {place.kind === 'download' && (
        <ActionButton variant="default" action={createAddress}>
          {t(hasAddress ? 'newAddress' : 'address')}
        </ActionButton>
      )}
      {hasAddress && (
        <Button variant="default" onClick={revoke}>
          {t('revoke')}
        </Button>
      )}
      <Button variant="default" onClick={() => setEditing(true)}>
        {t('edit')}
      </Button>
      <Button variant="light" color="red" onClick={remove}>
        {w('delete')}
      </Button>
      {isEditing && <FeedForm feed={feed} onClose={() => setEditing(false)} onStored={() => {}} />}
    </Group>
  )
}

function Runs({ feed }: { readonly feed: Feed }) {
  const t = useTexts(texts)
  const runs = useRuns(feed)
  return (
    <section>
      <Title order={3} mb="xs">
        {t('runs')}
      </Title>
      <Loaded query={runs}>
        {(found) =>
          found.length === 0 ? (
            <Text size="sm">{t('noRuns')}</Text>
          ) : (
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('when')}</Table.Th>
                  <Table.Th>{t('state')}</Table.Th>
                  <Table.Th>{t('file')}</Table.Th>
                  <Table.Th>{t('items')}</Table.Th>
                  <Table.Th>{t('reason')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {found.map((run) => (
                  <RunRow key={String(run.id)} run={run} name={feed.name ?? ''} />
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </Loaded>
    </section>
  )
}

function RunRow({ run, name }: { readonly run: Run; readonly name: string }) {
  const t = useTexts(texts)
  const format = useFormat()
  const { feeds } = useClient()
  const change = useFeedChange()
  const { id, state = 'running', createdAt = '', file = '', items, problem = '', nextAttemptAt } = run
  const decide = (decision: 'release' | 'discard') =>
    change(() => feeds.decideRun({ params: { name, run: String(id), decision } }))
  return (
    <Table.Tr>
      <Table.Td>{format.dateTime(createdAt)}</Table.Td>
      <Table.Td>
        <Badge variant="light" tt="none" color={colours[state]}>
          {t(state)}
        </Badge>
      </Table.Td>
      <Table.Td>{file}</Table.Td>
      <Table.Td>{items === undefined ? '' : format.number(Number(items))}</Table.Td>
      <Table.Td>
        {nextAttemptAt === undefined
          ? storedText(problem)
          : t('retryAt', { when: format.ago(nextAttemptAt), reason: storedText(problem) })}
        {state === 'held' && (
          <Group gap="xs" mt="xs">
            <ActionButton size="xs" action={() => decide('release')}>
              {t('release')}
            </ActionButton>
            <ActionButton size="xs" variant="default" action={() => decide('discard')}>
              {t('discard')}
            </ActionButton>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
