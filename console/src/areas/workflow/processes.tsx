/** Processes, newest first, and the details of one: its diagram and its steps. */
import { Badge, Button, Group, Modal, SegmentedControl, Stack, Text, Timeline } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import type { Infer, WorkflowProcess } from '@kontor/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useClient } from '../../object/client.tsx'
import { ObjectList } from '../../object/list.tsx'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded, Loading } from '../../ui/states.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'

const Diagram = lazy(() => import('../../object/diagram.tsx').then(({ Diagram: loaded }) => ({ default: loaded })))
type Process = Infer<typeof WorkflowProcess>

const states = ['running', 'finished', 'cancelled', 'failed'] as const
const colors: Record<string, string> = { running: 'harbour', finished: 'teal', cancelled: 'gray', failed: 'red' }

export function Processes() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const format = useFormat()
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
            <ObjectList
              label={t('processes')}
              rows={all}
              keyOf={({ id }) => String(id)}
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
                { id: 'name', title: w('name'), width: 'minmax(12rem, 2fr)', text: ({ name }) => name ?? '' },
                {
                  id: 'about',
                  title: t('about'),
                  width: 'minmax(10rem, 2fr)',
                  text: ({ linkedObjects = [] }) => linkedObjects.map(({ tid, id }) => tid ?? String(id)).join(', '),
                },
                {
                  id: 'state',
                  title: t('state'),
                  width: '9rem',
                  text: ({ state: now = '' }) => now,
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
      </Loaded>
      {process && <Details id={process} onClose={() => change({ process: '' })} />}
    </>
  )
}

function State({ process: { state = 'running' } }: { process: Process }) {
  const t = useTexts(texts)
  return (
    <Badge variant="dot" tt="none" color={colors[state] ?? 'gray'}>
      {t(state)}
    </Badge>
  )
}

function Details({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const { workflow } = useClient()
  const queryClient = useQueryClient()
  const details = useQuery({
    queryKey: ['workflow', 'process', id],
    queryFn: async () => {
      const found = await workflow.retrieveProcess({ params: { id } })
      return { ...found, xml: await workflow.retrieveDiagram({ params: { id: String(found.process?.definitionId) } }) }
    },
  })
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
    <Modal
      opened
      onClose={onClose}
      size="90%"
      title={details.data?.process?.name ?? t('tid')}
      closeButtonProps={{ 'aria-label': w('close') }}
    >
      <Loaded query={details}>
        {({ process, history = [], doneElements = [], takenFlows = [], xml }) => (
          <Stack>
            <Group justify="space-between">
              <State process={process ?? {}} />
              {process?.state === 'running' && (
                <Button variant="light" color="red" onClick={cancel}>
                  {t('cancel')}
                </Button>
              )}
            </Group>
            {process?.problem && <Text c="var(--mantine-color-error)">{process.problem}</Text>}
            <div style={{ height: '45vh', display: 'flex' }}>
              <Suspense fallback={<Loading shape="picture" />}>
                <Diagram
                  xml={xml}
                  label={t('diagram')}
                  active={process?.activeElements ?? []}
                  done={doneElements}
                  taken={takenFlows}
                />
              </Suspense>
            </div>
            <Timeline bulletSize={14} lineWidth={2}>
              {history.map(({ at, name, event, user, text }, i) => (
                <Timeline.Item key={i} title={[name, event].filter(Boolean).join(' · ')}>
                  <Text size="xs" c="dimmed">
                    {[at && format.dateTime(at), user, text].filter(Boolean).join(' · ')}
                  </Text>
                </Timeline.Item>
              ))}
            </Timeline>
          </Stack>
        )}
      </Loaded>
    </Modal>
  )
}
