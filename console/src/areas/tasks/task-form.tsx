/** The form that completes a task, generated from the fields that the task asks for. */
import { Button, NumberInput, Select, Stack, Switch, TagsInput, Text, Textarea, TextInput, Title } from '@mantine/core'
import type { FormField, Infer } from '@kontor/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { type Task, useTaskAttempt } from './tasks.ts'
import { texts } from './texts.ts'

type Field = Infer<typeof FormField>
type Values = Readonly<Record<string, unknown>>

export function TaskForm({ task }: { task: Task }) {
  const t = useTexts(texts)
  const { workflow } = useClient()
  const navigate = useNavigate()
  const attempt = useTaskAttempt()
  const fields = task.form ?? []
  const [values, setValues] = useState(() => initialValues(fields))
  const [comment, setComment] = useState('')
  const missing = fields.some(({ key, required }) => required && (values[key] === undefined || values[key] === ''))
  const complete = async () => {
    const body = { tasks: [{ id: Number(task.id), values, ...(comment && { comment }) }] }
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

/** The defaults of the fields. A switch without a default is off, which answers "no". */
function initialValues(fields: readonly Field[]): Values {
  const values: Record<string, unknown> = {}
  for (const { key, defaultValue, type } of fields) {
    if (type === 'boolean') values[key] = defaultValue === 'true'
    else if (defaultValue !== undefined) values[key] = defaultValue
  }
  return values
}

interface FieldInputProps {
  readonly field: Field
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function FieldInput({ field, value, onChange }: FieldInputProps) {
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
