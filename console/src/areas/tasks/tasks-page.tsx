/** The task inbox: open tasks of the user and of their roles, coloured by due date. */
import { Badge, SegmentedControl, Text } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useClient, useMe } from '../../object/client.tsx'
import { ObjectList } from '../../object/list.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import type { Task } from './tasks.ts'
import { texts } from './texts.ts'

const scopes = ['inbox', 'mine', 'candidate', 'all'] as const

export function TasksPage() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { workflow } = useClient()
  const { roles = [] } = useMe()
  const navigate = useNavigate()
  const [{ scope = 'inbox' }, change] = useUrlState()
  const tasks = useQuery({
    queryKey: ['tasks', scope],
    queryFn: async () =>
      (await workflow.queryTasks({ body: { scope: scope as 'inbox', states: ['open'], sort: 'dueDate', count: 500 } }))
        .tasks ?? [],
    refetchInterval: 15_000,
  })
  const offered = scopes.filter((one) => one !== 'all' || roles.includes('admin'))
  return (
    <Page
      fill
      title={t('title')}
      actions={
        <SegmentedControl
          value={scope}
          onChange={(value) => change({ scope: value }, true)}
          data={offered.map((value) => ({ value, label: t(value) }))}
        />
      }
    >
      <Panes>
        <Loaded query={tasks}>
          {(all) =>
            all.length === 0 ? (
              <Empty icon={IconChecklist} title={t('none')}>
                {t('noneHint')}
              </Empty>
            ) : (
              <ObjectList
                label={t('title')}
                rows={all}
                keyOf={({ id }) => String(id)}
                onOpen={({ id }) => void navigate({ to: '/tasks/$id', params: { id: String(id) } })}
                columns={[
                  { id: 'name', title: w('name'), width: 'minmax(14rem, 2fr)', text: ({ name }) => name ?? '' },
                  { id: 'about', title: t('about'), width: 'minmax(12rem, 2fr)', text: subjectOf },
                  {
                    id: 'workflow',
                    title: t('workflow'),
                    width: 'minmax(10rem, 1fr)',
                    text: ({ processName }) => processName ?? '',
                  },
                  {
                    id: 'assignee',
                    title: t('assignee'),
                    width: '9rem',
                    text: ({ assignee }) => assignee ?? t('nobody'),
                  },
                  {
                    id: 'due',
                    title: t('due'),
                    width: '11rem',
                    text: ({ dueDate }) => dueDate ?? '',
                    show: (task) => <Due task={task} />,
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Panes>
    </Page>
  )
}

const subjectOf = ({ linkedObjects = [], item }: Task) =>
  [item, ...linkedObjects.map(({ tid, id }) => tid ?? String(id))].filter(Boolean).join(', ')

export function Due({ task: { dueDate, overdue } }: { task: Task }) {
  const t = useTexts(texts)
  const format = useFormat()
  if (!dueDate) return null
  const soon = new Date(dueDate).getTime() - Date.now() < 86_400_000
  return (
    <Badge variant="dot" tt="none" color={overdue ? 'red' : soon ? 'amber' : 'teal'}>
      <Text span size="xs">
        {overdue ? `${t('overdue')} · ` : ''}
        {format.ago(dueDate)}
      </Text>
    </Badge>
  )
}
