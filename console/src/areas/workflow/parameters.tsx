/** The parameters with which a process was started: languages, roles and attributes by name, dates as people write them. */
import { Text, Title } from '@mantine/core'
import type { Infer, WorkflowProcessDetails } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import type { Words } from '../../object/linked/words.ts'
import { useNames } from '../../object/picker.tsx'
import type { PickerKind } from '../../object/picker-sources.ts'
import { parameterKind, type Rule } from '../../object/start-form.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'
import classes from './workflow.module.css'

type Details = Infer<typeof WorkflowProcessDetails>

export function Parameters({ details, words }: { details: Details; words: Words }) {
  const t = useTexts(texts)
  const { workflow } = useClient()
  const { data = [] } = useQuery({
    queryKey: ['workflow', 'configurations', 'all'],
    queryFn: async () => (await workflow.listConfigurations()).configurations ?? [],
    staleTime: 60_000,
  })
  const configuration = data.find(({ identifier }) => identifier === details.process?.configIdentifier)
  const variables = (details.variables ?? {}) as Readonly<Record<string, unknown>>
  const given = (configuration?.parameters ?? []).flatMap((rule) => {
    const values = [variables[rule.key]].flat().filter((value) => value !== undefined && value !== null && value !== '')
    return values.length > 0 ? [{ rule, values: values.map(String) }] : []
  })
  if (given.length === 0) return null
  return (
    <div>
      <Title order={3}>{t('parameters')}</Title>
      <dl className={classes.parameters}>
        {given.map(({ rule, values }) => (
          <div key={rule.key}>
            <Text component="dt" size="sm" c="dimmed">
              {words.text(rule.name ?? rule.key)}
            </Text>
            <Text component="dd" size="sm">
              <Values rule={rule} values={values} />
            </Text>
          </div>
        ))}
      </dl>
    </div>
  )
}

function Values({ rule, values }: { rule: Rule; values: readonly string[] }) {
  const w = useTexts(commonTexts)
  const format = useFormat()
  const kind = parameterKind(rule)
  if (kind) return <Names kind={kind} values={values} />
  if (rule.type === 'boolean') return values.map((value) => w(value === 'true' ? 'yes' : 'no')).join(', ')
  if (rule.type === 'date') return values.map((value) => format.dateTime(value)).join(', ')
  return values.join(', ')
}

function Names({ kind, values }: { kind: PickerKind; values: readonly string[] }) {
  const nameOf = useNames(kind, values)
  return values.map(nameOf).join(', ')
}
