/** Open tasks of the signed-in user. */
import { Badge, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Infer, WorkflowTask } from '@kontor/contract'
import { Link } from '@tanstack/react-router'
import { useClient, useComponents } from '../../object/client.tsx'
import { useSubjects } from '../../object/linked/subject.tsx'
import { useWords } from '../../object/linked/words.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Panel } from './panel.tsx'
import { texts } from './texts.ts'
import classes from './home.module.css'

type Task = Infer<typeof WorkflowTask>

export function useTasks() {
  const { workflow } = useClient()
  const components = useComponents()
  return useQuery({
    queryKey: ['tasks', 'inbox', 'home'],
    enabled: components['workflow'] === 'active',
    queryFn: () => workflow.queryTasks({ body: { scope: 'inbox', sort: 'dueDate', count: 6 } }),
  })
}

export function MyTasks() {
  const t = useTexts(texts)
  const components = useComponents()
  const tasks = useTasks()
  if (components['workflow'] !== 'active') return null
  return (
    <Panel title={t('toDo')} to="/tasks">
      <Loaded query={tasks}>
        {({ tasks: list = [] }) => (
          <>
            {list.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('noTasks')}
              </Text>
            )}
            <TaskRows tasks={list} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function TaskRows({ tasks }: { tasks: readonly Task[] }) {
  const t = useTexts(texts)
  const format = useFormat()
  const subjects = useSubjects(tasks)
  const words = useWords(subjects.nameOf)
  return tasks.map((task) => (
    <Link key={String(task.id)} to="/tasks/$id" params={{ id: String(task.id) }} className={classes.row}>
      <div style={{ flex: 1, minWidth: 0 }}>
        {subjects.show(task)}
        <Text size="xs" c="dimmed" truncate>
          {[words.text(task.name, task), words.text(task.processName)].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {task.dueDate && (
        <Badge variant="light" color={task.overdue ? 'red' : 'gray'} tt="none">
          {t('due', { date: format.ago(task.dueDate) })}
        </Badge>
      )}
    </Link>
  ))
}
