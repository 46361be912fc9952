/** The form that starts a workflow, generated from the parameters of its configuration. */
import { Button, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core'
import type { Infer, ParameterRule, WorkflowConfiguration } from '@kontor/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { commonTexts } from '../ui/common-texts.ts'
import { FormModal } from '../ui/form-modal.tsx'
import { useTexts } from '../ui/language.tsx'
import { notifyDone, notifyFailed } from '../ui/notifications.tsx'
import { useClient } from './client.tsx'
import { useWords } from './linked/words.ts'
import { Picker, PickOne } from './picker.tsx'
import type { PickerKind } from './picker-sources.ts'
import { texts } from './start-texts.ts'

export type Configuration = Infer<typeof WorkflowConfiguration>

type LinkedKind = NonNullable<Configuration['linkedTypes']>[number]
interface StartFormProps {
  readonly configuration: Configuration
  /** The objects, if they are chosen already. */
  readonly kind?: LinkedKind
  readonly tids?: readonly string[]
  readonly onClose: () => void
  readonly onStarted?: () => void
}

/** The most objects that are shown to choose from. */
const mostShown = 100
/** The most processes that are started by one call. */
const atOnce = 200

export function StartForm({ configuration, onClose, onStarted, ...given }: StartFormProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const words = useWords()
  const { workflow } = useClient()
  const queryClient = useQueryClient()
  const kinds = configuration.linkedTypes ?? []
  const [kind, setKind] = useState(given.kind ?? kinds[0])
  const [tids, setTids] = useState<string[]>([...(given.tids ?? [])])
  const [together, setTogether] = useState(false)
  const rules = configuration.parameters ?? []
  const [values, setValues] = useState<Readonly<Record<string, readonly string[]>>>(() =>
    Object.fromEntries(rules.map((rule) => [rule.key, initialValues(rule)])),
  )
  const start = async () => {
    const linked = tids.map((tid) => ({ type: kind!, tid }))
    const groups = tids.length === 0 ? [[]] : together ? [linked] : linked.map((one) => [one])
    const parameters = rules.flatMap(({ key, type }) =>
      values[key]?.length ? [{ key, type: type ?? 'string', values: [...values[key]] }] : [],
    )
    try {
      const replies = []
      for (let from = 0; from < groups.length; from += atOnce) {
        const some = groups.slice(from, from + atOnce).map((linkedObjects) => ({ linkedObjects, parameters }))
        replies.push(
          ...(await workflow.start({
            body: { configIdentifier: configuration.identifier, processStartRequests: some },
          })),
        )
      }
      const refused = replies.filter(({ status }) => status !== 'success')
      if (refused.length > 0)
        throw new Error(
          refused
            .flatMap(({ issues = [] }) =>
              issues.map((issue) => [issue.description, issue.content].filter(Boolean).join(': ')),
            )
            .join('; '),
        )
      notifyDone(t('started', { count: replies.length }))
      onClose()
      onStarted?.()
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
    void queryClient.invalidateQueries({ queryKey: ['workflow'] })
  }
  return (
    <FormModal
      size="lg"
      title={t('startTitle', { name: words.text(configuration.name) })}
      onSubmit={start}
      onClose={onClose}
    >
      <Stack>
        {kinds.length > 1 && !given.tids && (
          <Select
            label={t('objectKind')}
            data={kinds.map((value) => ({ value, label: t(`objects_${value}`) }))}
            value={kind ?? null}
            allowDeselect={false}
            onChange={(value) => {
              setKind(kinds.find((one) => one === value))
              setTids([])
            }}
          />
        )}
        {kinds.length > 0 && tids.length <= mostShown && (
          <Picker key={kind} kind={kind!} label={t(`objects_${kind!}`)} value={tids} onChange={setTids} autoFocus />
        )}
        {tids.length > 1 && (
          <Switch
            label={t('together')}
            checked={together}
            onChange={(event) => setTogether(event.currentTarget.checked)}
          />
        )}
        {rules.map((rule) => (
          <Parameter
            key={rule.key}
            rule={rule}
            values={values[rule.key] ?? []}
            onChange={(changed) => setValues({ ...values, [rule.key]: changed })}
          />
        ))}
        <Button type="submit">{t('start')}</Button>
      </Stack>
    </FormModal>
  )
}

export type Rule = Infer<typeof ParameterRule>
const isSwitch = ({ type, multiple, allowedValues }: Rule) => type === 'boolean' && !multiple && !allowedValues?.length

/** The default values of a parameter. A switch without a default is off, which answers "no". */
const initialValues = (rule: Rule): readonly string[] =>
  rule.defaultValues?.length ? rule.defaultValues : isSwitch(rule) ? ['false'] : []

/** Languages, roles, attributes and folders are chosen. The contract has a type for languages only, so names tell the others. */
export function parameterKind({ key, type, allowedValues }: Rule): PickerKind | undefined {
  if (allowedValues?.length) return undefined
  if (type === 'language') return 'locale'
  if (type !== 'string') return undefined
  return namedKinds.find(([name]) => name.test(key))?.[1]
}
const namedKinds: readonly (readonly [RegExp, PickerKind])[] = [
  [/attribute$/i, 'attribute'],
  [/^(editors|reviewers|translators|approvers)$|roles?$/i, 'role'],
]

interface ParameterProps {
  readonly rule: Rule
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

function Parameter({ rule, values, onChange }: ParameterProps) {
  const words = useWords()
  const label = words.text(rule.name ?? rule.key)
  const required = rule.required ?? false
  const kind = parameterKind(rule)
  if (kind && rule.multiple)
    return <Picker kind={kind} label={label} required={required} value={values} onChange={onChange} />
  if (kind)
    return (
      <PickOne
        kind={kind}
        label={label}
        required={required}
        value={values[0]}
        onChange={(value) => onChange(value === undefined ? [] : [value])}
      />
    )
  if (rule.multiple)
    return (
      <TagsInput
        label={label}
        required={required}
        data={rule.allowedValues ?? []}
        value={[...values]}
        onChange={onChange}
      />
    )
  if (rule.allowedValues?.length)
    return (
      <Select
        label={label}
        required={required}
        data={rule.allowedValues}
        value={values[0] ?? null}
        onChange={(value) => onChange(value ? [value] : [])}
      />
    )
  if (isSwitch(rule))
    return (
      <Switch
        label={label}
        checked={values[0] === 'true'}
        onChange={(event) => onChange([String(event.currentTarget.checked)])}
      />
    )
  return (
    <TextInput
      label={label}
      required={required}
      value={values[0] ?? ''}
      onChange={(event) => onChange(event.currentTarget.value ? [event.currentTarget.value] : [])}
    />
  )
}
