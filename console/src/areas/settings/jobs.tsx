/** Background work, polled every two seconds: bulk messages, imports and exports, jobs of workflows. */
import { Anchor, Badge, Button, Drawer, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { ObjectList } from '../../object/list.tsx'
import { Facts } from '../../ui/facts.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useAttempt } from './attempt.ts'
import { type Job, isOpen, toJobs } from './job-list.ts'
import { systemTexts } from './system-texts.ts'
import { texts } from './texts.ts'
import { storedText } from '../../object/stored-text.ts'

const colours: Readonly<Record<string, string>> = { failed: 'red', refused: 'red', paused: 'amber', cancelled: 'gray' }

export function JobsPart() {
  const t = useTexts(texts)
  const s = useTexts(systemTexts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const attempt = useAttempt()
  const client = useClient()
  const [{ show = 'all' }, change] = useUrlState()
  const jobs = useJobs()
  const stateWord = useStateWords()
  const [opened, setOpened] = useState<string>()
  const proceed = ({ key, command }: Job) => {
    const id = key.split(' ')[1]!
    if (command === 'retry') return attempt(client.workflow.retryJobs({ body: { ids: [Number(id)] } }), t('retried'))
    return attempt(client.transfers.controlTransfer({ params: { id, command: 'resume' } }), t('resumed'))
  }
  const cancel = ({ key }: Job) =>
    attempt(
      client.transfers.controlTransfer({ params: { id: key.split(' ')[1]!, command: 'cancel' } }),
      s('cancelledJob'),
    )
  return (
    <Loaded query={jobs}>
      {(all) => (
        <>
          <ObjectList
            label={t('jobs')}
            onOpen={({ key }) => setOpened(key)}
            rows={all.filter((job) => show === 'all' || isOpen(job) === (show === 'open'))}
            keyOf={({ key }) => key}
            empty={<Empty icon={IconCircleCheck} title={t('noJobs')} />}
            tools={
              <SegmentedControl
                aria-label={t('state')}
                value={show}
                onChange={(value) => change({ show: value })}
                data={(['all', 'open', 'ended'] as const).map((value) => ({ value, label: t(`jobs_${value}`) }))}
              />
            }
            columns={[
              { id: 'kind', title: t('kind'), width: '9rem', text: ({ kind }) => t(`job_${kind}`) },
              { id: 'name', title: w('name'), width: 'minmax(10rem, 2fr)', text: ({ name }) => name },
              {
                id: 'state',
                title: t('state'),
                width: 'minmax(11rem, 2fr)',
                text: ({ state, problem = '' }) => `${stateWord(state)} ${problem}`,
                show: (job) => <State job={job} />,
              },
              { id: 'user', title: t('actor'), width: '8rem', text: ({ user = '' }) => user },
              {
                id: 'at',
                title: t('at'),
                width: '9rem',
                text: ({ at = '' }) => at,
                show: ({ at }) => at && <span title={format.dateTime(at)}>{format.ago(at)}</span>,
              },
              {
                id: 'command',
                title: w('actions'),
                width: '9rem',
                text: () => '',
                show: (job) =>
                  job.command && (
                    <Button size="compact-sm" variant="subtle" onClick={() => void proceed(job)}>
                      {job.command === 'retry' ? w('retry') : t('resume')}
                    </Button>
                  ),
              },
            ]}
          />
          <Detail
            job={all.find(({ key }) => key === opened)}
            onProceed={(job) => void proceed(job)}
            onCancel={(job) => void cancel(job)}
            onClose={() => setOpened(undefined)}
          />
        </>
      )}
    </Loaded>
  )
}

/** A state that the console does not know is shown as the server names it. */
function useStateWords(): (state: string) => string {
  const s = useTexts(systemTexts)
  return (state) => {
    const key = `state_${state}`
    return Object.hasOwn(systemTexts.en, key) ? s(key as 'state_done') : state
  }
}

interface DetailProps {
  readonly job: Job | undefined
  readonly onProceed: (job: Job) => void
  readonly onCancel: (job: Job) => void
  readonly onClose: () => void
}

function Detail({ job, onProceed, onCancel, onClose }: DetailProps) {
  const t = useTexts(texts)
  const s = useTexts(systemTexts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const stateWord = useStateWords()
  if (!job) return null
  const { kind, name, state, user, at, endedAt, attempts, done, total = 0, problem, page } = job
  const progress = kind === 'bulk' ? s('progressOf', { done: done ?? 0, total }) : format.percent(done ?? 0)
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t('kind'), t(`job_${kind}`)],
    [t('state'), stateWord(state)],
    [s('who'), user],
    [s('started'), at && format.dateTime(at)],
    [t('jobs_ended'), endedAt && format.dateTime(endedAt)],
    [s('attempts'), attempts?.toString()],
    [s('progress'), total > 0 ? progress : undefined],
    [s('problem'), problem && storedText(problem)],
  ]
  return (
    <Drawer opened onClose={onClose} position="right" title={name} closeButtonProps={{ 'aria-label': w('close') }}>
      <Stack>
        <Facts facts={facts} />
        {page && (
          <Anchor component={Link} to={page} size="sm" underline="always">
            {s(kind === 'transfer' ? 'openTransfer' : 'openProcess')}
          </Anchor>
        )}
        <Group>
          {job.command && (
            <Button variant="default" onClick={() => onProceed(job)}>
              {job.command === 'retry' ? w('retry') : t('resume')}
            </Button>
          )}
          {job.canCancel && (
            <Button variant="light" color="red" onClick={() => onCancel(job)}>
              {s('cancelJob')}
            </Button>
          )}
        </Group>
      </Stack>
    </Drawer>
  )
}

function State({ job }: { job: Job }) {
  const stateWord = useStateWords()
  const { state, problem, name, done = 0, total = 0 } = job
  if (isOpen(job) && total > 0)
    return <Progress w="100%" value={(100 * done) / total} aria-label={`${name}: ${done} / ${total}`} />
  return (
    <>
      <Badge variant="dot" tt="none" color={colours[state] ?? (isOpen(job) ? 'harbour' : 'teal')} flex="none">
        {stateWord(state)}
      </Badge>
      {problem && (
        <Text size="xs" c="dimmed" truncate title={storedText(problem)}>
          {storedText(problem)}
        </Text>
      )}
    </>
  )
}

function useJobs() {
  const { common, transfers, workflow } = useClient()
  return useQuery({
    queryKey: ['settings', 'jobs'],
    refetchInterval: 2000,
    queryFn: async () => {
      const [runs, files, tasks] = await Promise.all([
        common.listRuns({ query: { all: 'true', count: '200' } }),
        transfers.listTransfers(),
        workflow.queryJobs({ body: { count: 200 } }),
      ])
      return toJobs(runs.runs ?? [], files.transfers ?? [], tasks.jobs ?? [])
    },
  })
}
