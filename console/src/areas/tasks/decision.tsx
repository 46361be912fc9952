/** The end of a task: fields to fill in, one comment, and a button for each outcome. Then the next task opens. */
import { Alert, Button, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient, useMay } from '../../object/client.tsx'
import type { Words } from '../../object/linked/words.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { type Field, FieldInput, initialValues } from './field-input.tsx'
import { scopeIn, type Task, useOthers, useRefusal, useTaskAttempt } from './tasks.ts'
import { texts } from './texts.ts'
import classes from './tasks.module.css'

/** More choices than this are a list, not buttons. */
const mostButtons = 5

/** The field whose values are the outcomes, the field that is the comment, and the others. */
export function partsOf(form: readonly Field[]) {
  const decision = form.find(
    ({ required, multiple, allowedValues = [] }) =>
      required && !multiple && allowedValues.length > 1 && allowedValues.length <= mostButtons,
  )
  const remark = form.find(
    ({ key, type = 'string', multiple, allowedValues = [] }) =>
      type === 'string' &&
      !multiple &&
      allowedValues.length === 0 &&
      /^(remark|comment|note|reason|answer)$/i.test(key),
  )
  return { decision, remark, others: form.filter((field) => field !== decision && field !== remark) }
}

export function Decision({ task, words }: { task: Task; words: Words }) {
  const t = useTexts(texts)
  const may = useMay()
  const { workflow } = useClient()
  const navigate = useNavigate()
  const attempt = useTaskAttempt()
  const [{ scope }] = useUrlState()
  const othersOf = useOthers(scopeIn(scope))
  const refusal = useRefusal(task)
  const { decision, remark, others } = partsOf(task.form ?? [])
  const [values, setValues] = useState(() => initialValues(others))
  const [comment, setComment] = useState('')
  const [isBusy, setBusy] = useState(false)
  const isEmpty = (value: unknown) => value === undefined || value === ''
  const isMissing =
    others.some(({ key, required }) => required && isEmpty(values[key])) || (remark?.required && comment.trim() === '')

  const complete = async (outcome?: string) => {
    setBusy(true)
    const text = comment.trim()
    const answers = {
      ...values,
      ...(decision && { [decision.key]: outcome }),
      ...(remark && text && { [remark.key]: text }),
    }
    const body = { tasks: [{ id: Number(task.id), values: answers, ...(text && { comment: text }) }] }
    if (await attempt(workflow.completeTasks({ body }))) {
      const { next, count } = await othersOf(task.id)
      notifyDone(t(next ? 'completedNext' : 'completedLast', { count }))
      if (next) void navigate({ to: '/tasks/$id', params: { id: String(next.id) }, search: { scope } })
      else void navigate({ to: '/tasks', search: { scope } })
    }
    setBusy(false)
  }
  const addComment = async () => {
    const work = workflow.commentTask({ params: { id: String(task.id) }, body: { text: comment } })
    if (await attempt(work.then(() => [{ status: 'success' }]), t('commentAdded'))) setComment('') // prettier-ignore
  }
  return (
    <Stack gap="sm" component="section" aria-label={t('decision')}>
      {refusal && <Refused task={task} refusal={refusal} words={words} />}
      {!refusal &&
        others.map((field) => (
          <FieldInput
            key={field.key}
            field={field}
            words={words}
            value={values[field.key]}
            onChange={(value) => setValues({ ...values, [field.key]: value })}
          />
        ))}
      {may('update', 'workflow') && task.state !== 'cancelled' && (
        <Textarea
          label={remark && !refusal ? words.text(remark.name ?? remark.key) : t('comment')}
          required={(!refusal && remark?.required) ?? false}
          autosize
          minRows={2}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
      )}
      {!refusal && (
        <Group gap="xs" grow={!decision} role="group" aria-label={decision && words.text(decision.name ?? 'Decision')}>
          {decision ? (
            decision.allowedValues!.map((value, i) => (
              <Button
                key={value}
                {...(i > 0 && { variant: 'default' })}
                disabled={isMissing || isBusy}
                onClick={() => void complete(value)}
              >
                {words.outcome(value)}
              </Button>
            ))
          ) : (
            <Button disabled={isMissing || isBusy} onClick={() => void complete()}>
              {t('complete')}
            </Button>
          )}
        </Group>
      )}
      {comment.trim() !== '' && (
        <Button variant="subtle" size="compact-sm" color="gray" onClick={() => void addComment()}>
          {t('onlyComment')}
        </Button>
      )}
    </Stack>
  )
}

interface RefusedProps {
  readonly task: Task
  readonly refusal: NonNullable<ReturnType<typeof useRefusal>>
  readonly words: Words
}

/** Why there is nothing to decide. */
function Refused({ task: { state, assignee = '', candidateRoles = [], ...task }, refusal, words }: RefusedProps) {
  const t = useTexts(texts)
  const format = useFormat()
  const answers = Object.values((task.values ?? {}) as Record<string, unknown>)
  const decided = answers.find((value) => typeof value === 'string' && value !== '')
  const reasons = {
    ended: () =>
      state === 'cancelled'
        ? t('cancelled')
        : t('ended', { user: task.completedBy ?? '', date: task.endedAt ? format.dateTime(task.endedAt) : '' }),
    readOnly: () => t('readOnly'),
    assigned: () => t('assigned', { user: assignee }),
    forOthers: () => t('forOthers', { roles: candidateRoles.join(', ') }),
  }
  return (
    <Alert color="gray" p="sm">
      <Text size="sm">{reasons[refusal]()}</Text>
      {refusal === 'ended' && typeof decided === 'string' && (
        <Text size="sm" fw={600}>
          {words.outcome(decided)}
        </Text>
      )}
    </Alert>
  )
}

export function Comments({ task }: { task: Task }) {
  const t = useTexts(texts)
  const format = useFormat()
  const comments = task.comments ?? []
  if (comments.length === 0) return null
  return (
    <Stack gap="xs">
      <Title order={2}>{t('comments')}</Title>
      {comments.map(({ at, user, text }, i) => (
        <Paper key={i} p="xs">
          <Text size="xs" c="dimmed">
            {user} · {at && format.ago(at)}
          </Text>
          <Text size="sm" className={classes.words}>
            {text}
          </Text>
        </Paper>
      ))}
    </Stack>
  )
}
