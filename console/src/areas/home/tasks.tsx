/** Open tasks of the signed-in user. */
import { Badge, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient, useComponents } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Panel } from './panel.tsx'
import { texts } from './texts.ts'
import classes from './home.module.css'

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
  const format = useFormat()
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
            {list.map(({ id, name, processName, dueDate, overdue }) => (
              <Link key={String(id)} to="/tasks/$id" params={{ id: String(id) }} className={classes.row}>
                <div style={{ flex: 1, minWidth: 0 }}>
                  <Text size="sm" fw={550} truncate>
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed" truncate>
                    {processName}
                  </Text>
                </div>
                {dueDate && (
                  <Badge variant="light" color={overdue ? 'red' : 'gray'} tt="none">
                    {t('due', { date: format.ago(dueDate) })}
                  </Badge>
                )}
              </Link>
            ))}
          </>
        )}
      </Loaded>
    </Panel>
  )
}
