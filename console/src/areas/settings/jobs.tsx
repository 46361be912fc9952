/** Background work, polled every two seconds: bulk messages, imports and exports, jobs of workflows. */
import { Badge, Button, Progress, SegmentedControl, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { ObjectList } from '../../object/list.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useAttempt } from './attempt.ts'
import { type Job, isOpen, toJobs } from './job-list.ts'
import { texts } from './texts.ts'

const colours: Readonly<Record<string, string>> = { failed: 'red', refused: 'red', paused: 'amber', cancelled: 'gray' }

export function JobsPart() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const attempt = useAttempt()
  const client = useClient()
  const [{ show = 'all' }, change] = useUrlState()
  const jobs = useJobs()
  const proceed = ({ key, command }: Job) => {
    const id = key.split(' ')[1]!
    if (command === 'retry') return attempt(client.workflow.retryJobs({ body: { ids: [Number(id)] } }), t('retried'))
    return attempt(client.transfers.controlTransfer({ params: { id, command: 'resume' } }), t('resumed'))
  }
  return (
    <Loaded query={jobs}>
      {(all) => (
        <ObjectList
          label={t('jobs')}
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
              text: ({ state, problem = '' }) => `${state} ${problem}`,
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
                  <Button size="compact-sm" variant="light" onClick={() => void proceed(job)}>
                    {job.command === 'retry' ? w('retry') : t('resume')}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </Loaded>
  )
}

function State({ job }: { job: Job }) {
  const { state, problem, name, done = 0, total = 0 } = job
  if (isOpen(job) && total > 0)
    return <Progress w="100%" value={(100 * done) / total} aria-label={`${name}: ${done} / ${total}`} />
  return (
    <>
      <Badge variant="dot" tt="none" color={colours[state] ?? (isOpen(job) ? 'harbour' : 'teal')} flex="none">
        {state}
      </Badge>
      {problem && (
        <Text size="xs" c="dimmed" truncate title={problem}>
          {problem}
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
