/** A task: its linked objects, the form that completes it, comments, and the diagram of its process. */
import { Anchor, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconArrowLeft, IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useClient, useMe } from '../../object/client.tsx'
import { askName } from '../../ui/ask-name.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { usePathParam } from '../../ui/url-state.ts'
import { Empty, Loaded, Loading } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { Comments } from './task-comments.tsx'
import { TaskForm } from './task-form.tsx'
import { Due } from './tasks-page.tsx'
import { pageOf, type Task, useTaskAttempt } from './tasks.ts'
import { texts } from './texts.ts'

const Diagram = lazy(() => import('../../object/diagram.tsx').then(({ Diagram: loaded }) => ({ default: loaded })))

export function TaskPage() {
  const t = useTexts(texts)
  const { workflow } = useClient()
  const id = usePathParam('id')!
  const task = useQuery({
    queryKey: ['tasks', 'one', id],
    queryFn: () =>
      workflow
        .retrieveTask({ params: { id } })
        .catch((error: { status?: number }) => (error.status === 404 ? null : Promise.reject(error))),
  })
  return (
    <Loaded query={task}>
      {(found) =>
        found ? (
          <TaskDetails task={found} />
        ) : (
          <Page title={t('missing')}>
            <Empty icon={IconChecklist} title={t('missing')} />
          </Page>
        )
      }
    </Loaded>
  )
}

function TaskDetails({ task }: { task: Task }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  return (
    <Page
      fill
      title={task.name ?? ''}
      subtitle={[task.processName, task.item].filter(Boolean).join(' · ')}
      before={
        <Button
          renderRoot={(props) => <Link to="/tasks" {...props} />}
          variant="subtle"
          px="xs"
          aria-label={`${w('back')}: ${t('title')}`}
        >
          <IconArrowLeft size={18} />
        </Button>
      }
      actions={<Owner task={task} />}
    >
      <Panes
        endLabel={t('form')}
        end={
          <Stack p="md" gap="lg">
            <Due task={task} />
            {task.state === 'open' ? (
              <TaskForm task={task} />
            ) : (
              <Text size="sm">{t('ended', { state: t(task.state === 'cancelled' ? 'cancelled' : 'done') })}</Text>
            )}
            <Comments task={task} />
          </Stack>
        }
      >
        <Stack p="md" gap="md" h="100%">
          {task.description && <Text size="sm">{task.description}</Text>}
          <Group gap="xs">
            {(task.linkedObjects ?? []).map(({ type = '', tid, id }) => {
              const name = tid ?? String(id)
              const page = pageOf(type, name)
              return (
                <Paper key={`${type} ${name}`} p="sm">
                  <Badge variant="light" tt="none" mb={4}>
                    {type}
                  </Badge>
                  <div>
                    {page ? <Anchor renderRoot={(props) => <Link {...page} {...props} />}>{name}</Anchor> : name}
                  </div>
                </Paper>
              )
            })}
          </Group>
          <ProcessDiagram task={task} />
        </Stack>
      </Panes>
    </Page>
  )
}

function Owner({ task }: { task: Task }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { workflow } = useClient()
  const me = useMe()
  const attempt = useTaskAttempt()
  const ids = [Number(task.id)]
  if (task.state !== 'open') return null
  const delegate = () =>
    askName(
      { title: t('delegate'), label: t('delegateTo'), confirm: t('delegate'), cancel: w('cancel') },
      (assignee) =>
        void attempt(workflow.delegateTasks({ body: { ids, assignee } }), t('delegated', { name: assignee })),
    )
  return (
    <>
      <Button variant="subtle" onClick={delegate}>
        {t('delegate')}
      </Button>
      {task.assignee === me.name ? (
        <Button variant="default" onClick={() => void attempt(workflow.unclaimTasks({ body: { ids } }), t('released'))}>
          {t('unclaim')}
        </Button>
      ) : (
        <Button variant="light" onClick={() => void attempt(workflow.claimTasks({ body: { ids } }), t('claimed'))}>
          {t('claim')}
        </Button>
      )}
    </>
  )
}

/** The diagram of the process, with its current step marked. */
function ProcessDiagram({ task }: { task: Task }) {
  const t = useTexts(texts)
  const { workflow } = useClient()
  const diagram = useQuery({
    queryKey: ['tasks', 'diagram', task.processId],
    queryFn: async () => {
      const details = await workflow.retrieveProcess({ params: { id: String(task.processId) } })
      const xml = await workflow.retrieveDiagram({ params: { id: String(details.process?.definitionId) } })
      return { details, xml }
    },
    enabled: task.processId !== undefined,
  })
  if (!diagram.data) return null
  const { details, xml } = diagram.data
  return (
    <Suspense fallback={<Loading shape="picture" />}>
      <Diagram
        xml={xml}
        label={t('diagram')}
        active={details.process?.activeElements ?? []}
        done={details.doneElements ?? []}
        taken={details.takenFlows ?? []}
      />
    </Suspense>
  )
}
