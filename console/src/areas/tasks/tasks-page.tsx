/** The task inbox: open tasks of the user and of their roles, coloured by due date. */
import { Badge, SegmentedControl, Text } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMe } from '../../object/client.tsx'
import { useSubjects } from '../../object/linked/subject.tsx'
import { useWords } from '../../object/linked/words.ts'
import { ObjectList } from '../../object/list.tsx'
import type { Prefetch } from '../../object/prefetch.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { scopeIn, scopes, type Task, taskListQuery, useTaskList } from './tasks.ts'
import { texts } from './texts.ts'

export const prefetch: Prefetch = ({ client, queries }, { scope }) =>
  void queries.prefetchQuery(taskListQuery(client, scopeIn(scope)))

export function TasksPage() {
  const t = useTexts(texts)
  const { roles = [] } = useMe()
  const [{ scope: asked }, change] = useUrlState()
  const scope = scopeIn(asked)
  const tasks = useTaskList(scope)
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
          {({ tasks: all }) =>
            all.length === 0 ? (
              <Empty icon={IconChecklist} title={t('none')}>
                {t('noneHint')}
              </Empty>
            ) : (
              <TaskList tasks={all} />
            )
          }
        </Loaded>
      </Panes>
    </Page>
  )
}

function TaskList({ tasks }: { tasks: readonly Task[] }) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const [{ scope }] = useUrlState()
  const subjects = useSubjects(tasks)
  const words = useWords(subjects.nameOf)
  return (
    <ObjectList
      label={t('title')}
      rows={tasks}
      keyOf={({ id }) => String(id)}
      rowHeight={48}
      onOpen={({ id }) => void navigate({ to: '/tasks/$id', params: { id: String(id) }, search: { scope } })}
      columns={[
        {
          id: 'about',
          title: t('about'),
          width: 'minmax(14rem, 2fr)',
          text: subjects.textOf,
          show: (task) => subjects.show(task),
        },
        {
          id: 'name',
          title: t('task'),
          width: 'minmax(12rem, 2fr)',
          text: (task) => words.text(task.name, task),
        },
        {
          id: 'workflow',
          title: t('workflow'),
          width: 'minmax(10rem, 1fr)',
          text: ({ processName }) => words.text(processName),
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
