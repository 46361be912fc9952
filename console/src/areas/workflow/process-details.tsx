/** A process: what it is about, how it was started, where it stands and what has happened. */
import { Anchor, Button, Group, Modal, Stack, Text, Timeline, Title } from '@mantine/core'
import type { Infer, ProcessEvent, WorkflowProcessDetails } from '@kontor/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useClient, useMay, useMe } from '../../object/client.tsx'
import { kindOf, pageOf, useLinked } from '../../object/linked/linked.ts'
import { useWords, type Words } from '../../object/linked/words.ts'
import { Thumbnail, usePictures } from '../../object/pictures.tsx'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded, Loading } from '../../ui/states.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { Parameters } from './parameters.tsx'
import { State } from './state.tsx'
import { texts } from './texts.ts'
import { storedText } from '../../object/stored-text.ts'

const Diagram = lazy(() => import('../../object/diagram.tsx').then(({ Diagram: loaded }) => ({ default: loaded })))
type Details = Infer<typeof WorkflowProcessDetails>

export function ProcessDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const w = useTexts(commonTexts)
  const words = useWords()
  const { workflow } = useClient()
  const details = useQuery({
    queryKey: ['workflow', 'process', id],
    queryFn: async () => {
      const found = await workflow.retrieveProcess({ params: { id } })
      return { ...found, xml: await workflow.retrieveDiagram({ params: { id: String(found.process?.definitionId) } }) }
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      size="90%"
      title={words.text(details.data?.process?.name)}
      closeButtonProps={{ 'aria-label': w('close') }}
    >
      <Loaded query={details}>{(found) => <Content id={id} details={found} />}</Loaded>
    </Modal>
  )
}

function Content({ id, details }: { id: string; details: Details & { readonly xml: string } }) {
  const t = useTexts(texts)
  const format = useFormat()
  const { process = {}, tasks = [], xml } = details
  const nameOf = useLinked((process.linkedObjects ?? []).slice(0, mostNamed))
  const words = useWords(nameOf)
  const open = tasks.filter(({ state }) => state === 'open')
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          <State process={process} />
          <Text size="sm" c="dimmed">
            {t('startedBy', {
              user: process.starter ?? '',
              date: process.startedAt ? format.dateTime(process.startedAt) : '',
            })}
          </Text>
        </Group>
        <Cancel id={id} process={process} />
      </Group>
      {process.problem && <Text c="red">{words.text(storedText(process.problem), process)}</Text>}
      <Objects process={process} nameOf={nameOf} />
      {open.length > 0 && (
        <div>
          <Title order={3}>{t('openTasks')}</Title>
          {open.map((task) => (
            <Group key={String(task.id)} gap="xs">
              <Anchor
                size="sm"
                renderRoot={(props) => <Link to="/tasks/$id" params={{ id: String(task.id) }} {...props} />}
              >
                {words.text(task.name, { ...process, item: task.item })}
              </Anchor>
              <Text size="xs" c="dimmed">
                {task.assignee ?? [...(task.candidateUsers ?? []), ...(task.candidateRoles ?? [])].join(', ')}
              </Text>
            </Group>
          ))}
        </div>
      )}
      <Parameters details={details} words={words} />
      <div style={{ height: '40vh', display: 'flex' }}>
        <Suspense fallback={<Loading shape="picture" />}>
          <Diagram
            xml={xml}
            label={t('diagram')}
            words={words.text}
            active={process.activeElements ?? []}
            done={details.doneElements ?? []}
            taken={details.takenFlows ?? []}
          />
        </Suspense>
      </div>
      <Steps details={details} words={words} />
    </Stack>
  )
}
const mostNamed = 50

type Process = NonNullable<Details['process']>

function Objects({ process, nameOf }: { process: Process; nameOf: ReturnType<typeof useLinked> }) {
  const t = useTexts(texts)
  const all = process.linkedObjects ?? []
  const named = all.slice(0, mostNamed)
  const pictures = usePictures([named.flatMap((one) => nameOf(one)?.picture ?? [])])
  if (all.length === 0) return null
  return (
    <Group gap="md">
      {named.map((one) => {
        const { tid = '' } = one
        const entry = nameOf(one)
        const page = pageOf(kindOf(one), tid)
        const label = entry?.label ?? tid
        return (
          <Group key={`${one.type} ${tid}`} gap={6} wrap="nowrap">
            {entry?.picture && <Thumbnail picture={pictures.get(entry.picture)} size={40} />}
            {page ? (
              <Anchor size="sm" renderRoot={(props) => <Link {...page} {...props} />}>
                {label}
              </Anchor>
            ) : (
              <Text size="sm">{label}</Text>
            )}
          </Group>
        )
      })}
      {all.length > named.length && (
        <Text size="sm" c="dimmed">
          {t('moreObjects', { count: all.length - named.length })}
        </Text>
      )}
    </Group>
  )
}

/** Only the user who started a process and administrators may cancel it. */
function Cancel({ id, process: { state, starter } }: { id: string; process: Process }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const me = useMe()
  const may = useMay()
  const { workflow } = useClient()
  const queryClient = useQueryClient()
  const isAllowed = may('update', 'workflow') && (starter === me.name || me.roles?.includes('admin'))
  if (state !== 'running' || !isAllowed) return null
  const cancel = () =>
    confirmDanger({
      title: t('cancelTitle'),
      body: t('cancelBody'),
      confirm: t('cancel'),
      cancel: w('cancel'),
      onConfirm: () =>
        void workflow
          .cancelProcesses({ body: { ids: [Number(id)] } })
          .then(
            () => notifyDone(t('cancelDone')),
            (error: unknown) => notifyFailed(w('failed'), error),
          )
          .then(() => queryClient.invalidateQueries({ queryKey: ['workflow'] })),
    })
  return (
    <Button variant="light" color="red" onClick={cancel}>
      {t('cancel')}
    </Button>
  )
}

type Event = Infer<typeof ProcessEvent>
const events = [
  'started',
  'finished',
  'cancelled',
  'failed',
  'entered',
  'completed',
  'error',
  'timer',
  'message',
] as const

/** Steps that mean something to people: of the process itself, of tasks, and jobs that are done. */
const isTold = ({ type, event }: Event) =>
  type === undefined ||
  type === 'userTask' ||
  (type === 'serviceTask' && event !== 'entered') ||
  event === 'error' ||
  event === 'timer' ||
  event === 'message'

function Steps({ details: { process, history = [] }, words }: { details: Details; words: Words }) {
  const t = useTexts(texts)
  const format = useFormat()
  const steps = history.flatMap((event) => {
    const what = events.find((one) => one === event.event)
    return what && isTold(event) ? [{ ...event, what }] : []
  })
  return (
    <div>
      <Title order={3} mb="xs">
        {t('history')}
      </Title>
      <Timeline bulletSize={14} lineWidth={2}>
        {steps.map(({ at, name, what, user, text }, i) => (
          <Timeline.Item key={i} title={[words.text(name), t(`event_${what}`)].filter(Boolean).join(' · ')}>
            <Text size="xs" c="dimmed">
              {[at && format.dateTime(at), user, text && words.text(text, process)].filter(Boolean).join(' · ')}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </div>
  )
}
