/** The workflows that can be started, how they are doing, and a form made from what each of them asks for. */
import {
  Badge,
  Button,
  Group,
  Modal,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import type { Infer, ParameterRule, WorkflowConfiguration } from '@kontor/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Loaded } from '../../ui/states.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'

type Configuration = Infer<typeof WorkflowConfiguration>

export function Startable() {
  const t = useTexts(texts)
  const { workflow } = useClient()
  const [begun, setBegun] = useState<Configuration>()
  const configurations = useQuery({
    queryKey: ['workflow', 'configurations'],
    queryFn: async () =>
      ((await workflow.listConfigurations()).configurations ?? []).filter(({ enabled }) => enabled !== false),
  })
  const { data: statistics } = useQuery({
    queryKey: ['workflow', 'statistics'],
    queryFn: () => workflow.retrieveStatistics(),
  })
  const countsOf = (identifier: string | undefined) =>
    statistics?.workflows?.find(({ configIdentifier }) => configIdentifier === identifier)
  return (
    <Loaded query={configurations}>
      {(all) => (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {all.map((configuration) => {
              const counts = countsOf(configuration.identifier)
              return (
                <Paper key={configuration.identifier} p="md" component="article">
                  <Stack justify="space-between" h="100%">
                    <div>
                      <Title order={2}>{configuration.name}</Title>
                      <Text size="sm" c="dimmed">
                        {configuration.description}
                      </Text>
                      <Group gap={6} mt="xs">
                        <Badge variant="dot" tt="none" color="harbour">
                          {t('running')}: {counts?.running ?? 0}
                        </Badge>
                        {(counts?.overdueTasks ?? 0) > 0 && (
                          <Badge variant="dot" tt="none" color="red">
                            {t('overdue', { count: Number(counts?.overdueTasks) })}
                          </Badge>
                        )}
                      </Group>
                    </div>
                    <Button
                      variant="light"
                      onClick={() => setBegun(configuration)}
                      aria-label={`${t('start')}: ${configuration.name}`}
                    >
                      {t('start')}
                    </Button>
                  </Stack>
                </Paper>
              )
            })}
          </SimpleGrid>
          {begun && <StartForm configuration={begun} onClose={() => setBegun(undefined)} />}
        </>
      )}
    </Loaded>
  )
}

function StartForm({ configuration, onClose }: { configuration: Configuration; onClose: () => void }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { workflow } = useClient()
  const queries = useQueryClient()
  const [, change] = useUrlState()
  const kinds = configuration.linkedTypes ?? []
  const [kind, setKind] = useState(kinds[0])
  const [tids, setTids] = useState<string[]>([])
  const [together, setTogether] = useState(false)
  const rules = configuration.parameters ?? []
  const [values, setValues] = useState<Readonly<Record<string, readonly string[]>>>(() =>
    Object.fromEntries(rules.map((rule) => [rule.key, shownFirst(rule)])),
  )
  const start = async () => {
    const linked = tids.map((tid) => ({ type: kind!, tid }))
    const groups = tids.length === 0 ? [[]] : together ? [linked] : linked.map((one) => [one])
    const parameters = rules.flatMap(({ key, type }) =>
      values[key]?.length ? [{ key, type: type ?? 'string', values: [...values[key]] }] : [],
    )
    try {
      const replies = await workflow.start({
        body: {
          configIdentifier: configuration.identifier,
          processStartRequests: groups.map((linkedObjects) => ({ linkedObjects, parameters })),
        } as never,
      })
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
      change({ part: 'processes' }, true)
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
    void queries.invalidateQueries({ queryKey: ['workflow'] })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('startTitle', { name: configuration.name ?? '' })}
      closeButtonProps={{ 'aria-label': w('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <Stack>
          {kinds.length > 1 && (
            <Select
              label={t('objectKind')}
              data={[...kinds]}
              value={kind ?? null}
              allowDeselect={false}
              onChange={(value) => setKind(kinds.find((one) => one === value))}
            />
          )}
          {kinds.length > 0 && (
            <TagsInput
              label={t('objects')}
              value={tids}
              onChange={setTids}
              splitChars={[',', ' ', ';']}
              data-autofocus
            />
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
      </form>
    </Modal>
  )
}

type Rule = Infer<typeof ParameterRule>
const isSwitch = ({ type, multiple, allowedValues }: Rule) => type === 'boolean' && !multiple && !allowedValues?.length

/** A switch that is off says no. */
const shownFirst = (rule: Rule): readonly string[] =>
  rule.defaultValues?.length ? rule.defaultValues : isSwitch(rule) ? ['false'] : []

function Parameter({
  rule,
  values,
  onChange,
}: {
  rule: Rule
  values: readonly string[]
  onChange: (values: readonly string[]) => void
}) {
  const label = rule.name ?? rule.key
  const required = rule.required ?? false
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
