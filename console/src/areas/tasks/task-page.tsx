/** A task: what it is about, large; the decision and the comments beside it; the diagram of its process folded away. */
import { Anchor, Button, Collapse, Stack, Text } from '@mantine/core'
import { IconArrowLeft, IconChecklist, IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Client } from '@kontor/sdk'
import { useClient } from '../../object/client.tsx'
import { useLinked } from '../../object/linked/linked.ts'
import { useWords, type Words } from '../../object/linked/words.ts'
import type { Prefetch } from '../../object/prefetch.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { usePathParam, useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded, Loading } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { Comments, Decision } from './decision.tsx'
import { Owner } from './owner.tsx'
import { Subject } from './subject.tsx'
import { Due } from './tasks-page.tsx'
import { scopeIn, type Task, useTaskList } from './tasks.ts'
import { texts } from './texts.ts'
import classes from './tasks.module.css'

const Diagram = lazy(() => import('../../object/diagram.tsx').then(({ Diagram: loaded }) => ({ default: loaded })))

const taskQuery = ({ workflow }: Client, id: string) => ({
  queryKey: ['tasks', 'one', id],
  queryFn: () =>
    workflow
      .retrieveTask({ params: { id } })
      .catch((error: { status?: number }) => (error.status === 404 ? null : Promise.reject(error))),
})

export const prefetch: Prefetch = ({ client, queries }, { id = '' }) =>
  void queries.prefetchQuery(taskQuery(client, id))

export function TaskPage() {
  const t = useTexts(texts)
  const id = usePathParam('id')!
  const task = useQuery(taskQuery(useClient(), id))
  return (
    <Loaded query={task}>
      {(found) =>
        found ? (
          <TaskDetails key={id} task={found} />
        ) : (
          <Page title={t('missing')}>
            <Empty icon={IconChecklist} title={t('missing')}>
              <Anchor renderRoot={(props) => <Link to="/tasks" {...props} />}>{t('toList')}</Anchor>
            </Empty>
          </Page>
        )
      }
    </Loaded>
  )
}

function TaskDetails({ task }: { task: Task }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const [{ scope }] = useUrlState()
  const nameOf = useLinked((task.linkedObjects ?? []).slice(0, mostNamed))
  const words = useWords(nameOf)
  return (
    <Page
      fill
      title={words.text(task.name, task)}
      subtitle={words.text(task.processName)}
      before={
        <Button
          renderRoot={(props) => <Link to="/tasks" search={{ scope }} {...props} />}
          variant="subtle"
          px="xs"
          aria-label={`${w('back')}: ${t('title')}`}
        >
          <IconArrowLeft size={18} />
        </Button>
      }
      actions={
        <>
          <Owner task={task} />
          <Skip task={task} />
        </>
      }
    >
      <Panes
        endLabel={t('decision')}
        end={
          <Stack p="md" gap="lg">
            <Due task={task} />
            {task.description && (
              <Text size="sm" className={classes.words}>
                {words.text(task.description, task)}
              </Text>
            )}
            <Decision task={task} words={words} />
            <Comments task={task} />
          </Stack>
        }
      >
        <Subject task={task} nameOf={nameOf} />
        <ProcessDiagram task={task} words={words} />
      </Panes>
    </Page>
  )
}
/** A process can have thousands of objects; the first ones are named in texts and offered to look at. */
const mostNamed = 50

/** The way to the next task without completing this one. */
function Skip({ task }: { task: Task }) {
  const t = useTexts(texts)
  const [{ scope }] = useUrlState()
  const { data } = useTaskList(scopeIn(scope))
  const tasks = data?.tasks ?? []
  const at = tasks.findIndex(({ id }) => id === task.id)
  const next = tasks[at + 1] ?? tasks[0]
  if (!data || !next || next.id === task.id) return null
  return (
    <Button
      renderRoot={(props) => <Link to="/tasks/$id" params={{ id: String(next.id) }} search={{ scope }} {...props} />}
      variant="default"
      rightSection={<IconChevronRight size={16} />}
    >
      {t('nextTask', { count: data.total - (at < 0 ? 0 : 1) })}
    </Button>
  )
}

/** The diagram of the process, with its current step marked. It is loaded when somebody wants to see it. */
function ProcessDiagram({ task, words }: { task: Task; words: Words }) {
  const t = useTexts(texts)
  const { workflow } = useClient()
  const [isOpen, setOpen] = useState(false)
  const diagram = useQuery({
    queryKey: ['tasks', 'diagram', task.processId],
    queryFn: async () => {
      const details = await workflow.retrieveProcess({ params: { id: String(task.processId) } })
      const xml = await workflow.retrieveDiagram({ params: { id: String(details.process?.definitionId) } })
      return { details, xml }
    },
    enabled: isOpen && task.processId !== undefined,
  })
  return (
    <div className={classes.fold}>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        aria-expanded={isOpen}
        leftSection={isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
        onClick={() => setOpen(!isOpen)}
      >
        {t('diagram')}
      </Button>
      <Collapse expanded={isOpen}>
        <div className={classes.diagram}>
          {diagram.data && (
            <Suspense fallback={<Loading shape="picture" />}>
              <Diagram
                xml={diagram.data.xml}
                label={t('diagram')}
                words={words.text}
                active={diagram.data.details.process?.activeElements ?? []}
                done={diagram.data.details.doneElements ?? []}
                taken={diagram.data.details.takenFlows ?? []}
              />
            </Suspense>
          )}
        </div>
      </Collapse>
    </div>
  )
}
