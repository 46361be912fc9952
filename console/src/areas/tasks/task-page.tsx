/** One task: what it is about beside the form that decides it, comments, and where the process stands. */
import {
  Anchor,
  Badge,
  Button,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { IconArrowLeft, IconChecklist } from '@tabler/icons-react'
import type { FormField, Infer } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useClient, useMe } from '../../object/client.tsx'
import { askName } from '../../ui/ask-name.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { usePathParam } from '../../ui/url-state.ts'
import { Empty, Loaded, Loading } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { Due } from './tasks-page.tsx'
import { placeOf, type Task, useTaskAttempt } from './tasks.ts'
import { texts } from './texts.ts'

const Diagram = lazy(() => import('../../object/diagram.tsx').then(({ Diagram: shown }) => ({ default: shown })))

type Values = Readonly<Record<string, unknown>>
type FieldMessage = Infer<typeof FormField>

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
          <Found task={found} />
        ) : (
          <Page title={t('missing')}>
            <Empty icon={IconChecklist} title={t('missing')} />
          </Page>
        )
      }
    </Loaded>
  )
}

function Found({ task }: { task: Task }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  return (
    <Page
      fill
      title={task.name ?? ''}
      subtitle={[task.processName, task.item].filter(Boolean).join(' · ')}
      before={
        <Button component={Link} to="/tasks" variant="subtle" px="xs" aria-label={`${w('back')}: ${t('title')}`}>
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
              <Form task={task} />
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
              const place = placeOf[type]
              return (
                <Paper key={`${type} ${name}`} p="sm">
                  <Badge variant="light" tt="none" mb={4}>
                    {type}
                  </Badge>
                  <div>
                    {place ? (
                      <Anchor component={Link} to={place(name)}>
                        {name}
                      </Anchor>
                    ) : (
                      name
                    )}
                  </div>
                </Paper>
              )
            })}
          </Group>
          <Position task={task} />
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
  const ids = [task.id!]
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
        <Button
          variant="default"
          onClick={() => void attempt(workflow.unclaimTasks({ body: { ids } }), t('givenBack'))}
        >
          {t('unclaim')}
        </Button>
      ) : (
        <Button variant="light" onClick={() => void attempt(workflow.claimTasks({ body: { ids } }), t('taken'))}>
          {t('claim')}
        </Button>
      )}
    </>
  )
}

function Form({ task }: { task: Task }) {
  const t = useTexts(texts)
  const { workflow } = useClient()
  const navigate = useNavigate()
  const attempt = useTaskAttempt()
  const fields = task.form ?? []
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(
      fields.flatMap(({ key, defaultValue, type }) =>
        defaultValue === undefined
          ? type === 'boolean'
            ? [[key, false]]
            : []
          : [[key, type === 'boolean' ? defaultValue === 'true' : defaultValue]],
      ),
    ),
  )
  const [comment, setComment] = useState('')
  const missing = fields.some(({ key, required }) => required && (values[key] === undefined || values[key] === ''))
  const complete = async () => {
    const body = { tasks: [{ id: task.id!, values: values as never, ...(comment && { comment }) }] }
    if (await attempt(workflow.completeTasks({ body }), t('completed'))) void navigate({ to: '/tasks' })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void complete()
      }}
    >
      <Stack gap="sm">
        <Title order={2}>{t('form')}</Title>
        {fields.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('noForm')}
          </Text>
        )}
        {fields.map((field) => (
          <FieldInput
            key={field.key}
            field={field}
            value={values[field.key]}
            onChange={(value) => setValues({ ...values, [field.key]: value })}
          />
        ))}
        <Textarea
          label={t('comment')}
          autosize
          minRows={2}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        <Button type="submit" disabled={missing}>
          {t('complete')}
        </Button>
      </Stack>
    </form>
  )
}

function FieldInput({
  field,
  value,
  onChange,
}: {
  field: FieldMessage
  value: unknown
  onChange: (value: unknown) => void
}) {
  const label = field.name ?? field.key
  const required = field.required ?? false
  if (field.multiple)
    return (
      <TagsInput
        label={label}
        required={required}
        data={field.allowedValues ?? []}
        value={(value as string[] | undefined) ?? []}
        onChange={onChange}
      />
    )
  if (field.allowedValues && field.allowedValues.length > 0)
    return (
      <Select
        label={label}
        required={required}
        data={field.allowedValues}
        value={(value as string | undefined) ?? null}
        onChange={(chosen) => onChange(chosen ?? undefined)}
      />
    )
  if (field.type === 'boolean')
    return <Switch label={label} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
  if (field.type === 'integer' || field.type === 'long' || field.type === 'double')
    return (
      <NumberInput
        label={label}
        required={required}
        allowDecimal={field.type === 'double'}
        value={(value as number | undefined) ?? ''}
        onChange={onChange}
      />
    )
  return (
    <TextInput
      label={label}
      required={required}
      value={(value as string | undefined) ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function Comments({ task }: { task: Task }) {
  const t = useTexts(texts)
  const format = useFormat()
  const { workflow } = useClient()
  const attempt = useTaskAttempt()
  const [text, setText] = useState('')
  const add = async () => {
    const work = workflow
      .commentTask({ params: { id: String(task.id) }, body: { text } })
      .then(() => [{ status: 'success' }])
    if (await attempt(work, t('addComment'))) setText('')
  }
  return (
    <Stack gap="xs">
      <Title order={2}>{t('comments')}</Title>
      {(task.comments ?? []).map(({ at, user, text: said }, i) => (
        <Paper key={i} p="xs">
          <Text size="xs" c="dimmed">
            {user} · {at && format.ago(at)}
          </Text>
          <Text size="sm">{said}</Text>
        </Paper>
      ))}
      <Textarea
        aria-label={t('comments')}
        autosize
        minRows={1}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button variant="light" disabled={text.trim() === ''} onClick={() => void add()}>
        {t('addComment')}
      </Button>
    </Stack>
  )
}

/** The diagram of the process, with its current step marked. */
function Position({ task }: { task: Task }) {
  const t = useTexts(texts)
  const { workflow } = useClient()
  const position = useQuery({
    queryKey: ['tasks', 'position', task.processId],
    queryFn: async () => {
      const details = await workflow.retrieveProcess({ params: { id: String(task.processId) } })
      const xml = await workflow.retrieveDiagram({ params: { id: String(details.process?.definitionId) } })
      return { details, xml }
    },
    enabled: task.processId !== undefined,
  })
  if (!position.data) return null
  const { details, xml } = position.data
  return (
    <Suspense fallback={<Loading />}>
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
