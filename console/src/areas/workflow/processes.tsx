/** Processes, newest first. A click opens the details of one. */
import { SegmentedControl } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import type { Infer, WorkflowProcess } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { useSubjects } from '../../object/linked/subject.tsx'
import { useWords } from '../../object/linked/words.ts'
import { ObjectList } from '../../object/list.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { ProcessDetails } from './process-details.tsx'
import { State } from './state.tsx'
import { texts } from './texts.ts'

type Process = Infer<typeof WorkflowProcess>

const states = ['running', 'finished', 'cancelled', 'failed'] as const

export function Processes() {
  const t = useTexts(texts)
  const { workflow } = useClient()
  const [{ state = '', process }, change] = useUrlState()
  const processes = useQuery({
    queryKey: ['workflow', 'processes', state],
    queryFn: async () =>
      (await workflow.queryProcesses({ body: { count: 500, ...(state && { states: [state as 'running'] }) } }))
        .processes ?? [],
    refetchInterval: 5000,
  })
  return (
    <>
      <Loaded query={processes}>
        {(all) =>
          all.length === 0 && state === '' ? (
            <Empty icon={IconRoute} title={t('none')}>
              {t('noneHint')}
            </Empty>
          ) : (
            <ProcessList processes={all} />
          )
        }
      </Loaded>
      {process && <ProcessDetails key={process} id={process} onClose={() => change({ process: '' })} />}
    </>
  )
}

function ProcessList({ processes }: { processes: readonly Process[] }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const [{ state = '' }, change] = useUrlState()
  const subjects = useSubjects(processes)
  const words = useWords()
  return (
    <ObjectList
      label={t('processes')}
      rows={processes}
      keyOf={({ id }) => String(id)}
      rowHeight={48}
      onOpen={({ id }) => change({ process: String(id) }, true)}
      tools={
        <SegmentedControl
          size="xs"
          value={state}
          onChange={(value) => change({ state: value })}
          data={[{ value: '', label: w('all') }, ...states.map((one) => ({ value: one, label: t(one) }))]}
        />
      }
      columns={[
        {
          id: 'about',
          title: t('about'),
          width: 'minmax(12rem, 2fr)',
          text: subjects.textOf,
          show: (one) => subjects.show(one),
        },
        { id: 'name', title: w('name'), width: 'minmax(10rem, 2fr)', text: ({ name }) => words.text(name) },
        {
          id: 'state',
          title: t('state'),
          width: '9rem',
          text: ({ state: now = 'running' }) => t(now),
          show: (one) => <State process={one} />,
        },
        { id: 'tasks', title: t('openTasks'), width: '8rem', text: ({ openTasks = 0 }) => String(openTasks) },
        { id: 'starter', title: t('starter'), width: '9rem', text: ({ starter }) => starter ?? '' },
        {
          id: 'startedAt',
          title: t('startedAt'),
          width: '9rem',
          text: ({ startedAt }) => startedAt ?? '',
          show: ({ startedAt }) => startedAt && format.ago(startedAt),
        },
      ]}
    />
  )
}
