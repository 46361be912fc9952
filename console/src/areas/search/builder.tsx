/** The query builder: conditions on fields in nested AND/OR groups, and a join with another search. */
import { ActionIcon, Button, Group as Row, Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { FieldCfg, Infer } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import type { UrlState } from '../../ui/url-state.ts'
import { type Condition, type Group, isGroup, joins, type SearchState, withoutValue } from './state.ts'
import { texts } from './texts.ts'

type Field = Infer<typeof FieldCfg>
type Change = (fields: UrlState) => void

export function Builder({ state, locale, change }: { state: SearchState; locale: string; change: Change }) {
  const client = useClient()
  const { data: fields = [] } = useQuery({
    queryKey: ['search', 'fields', state.tab, locale],
    queryFn: async () =>
      (await client.search.fields({ body: { index: state.tab, showAllowedOperators: true } })).fields ?? [],
    staleTime: 60_000,
  })
  const set = (conditions: Group) => change({ build: conditions.of.length === 0 ? '' : JSON.stringify(conditions) })
  return (
    <Paper p="sm">
      <Stack gap="sm">
        <GroupEditor group={state.conditions} fields={fields} onChange={set} />
        {joins[state.tab] && <JoinEditor state={state} change={change} />}
      </Stack>
    </Paper>
  )
}

interface GroupEditorProps {
  readonly group: Group
  readonly fields: readonly Field[]
  readonly onChange: (group: Group) => void
  readonly onRemove?: () => void
}

function GroupEditor({ group, fields, onChange, onRemove }: GroupEditorProps) {
  const t = useTexts(texts)
  const replace = (index: number, part?: Condition | Group) =>
    onChange({ ...group, of: group.of.flatMap((one, i) => (i === index ? (part ?? []) : one)) })
  const first = fields.find(({ fieldName }) => fieldName === 'name') ?? fields[0]
  const condition: Condition = { name: first?.fieldName ?? 'name', comparator: 'EQ', value: '' }
  return (
    <Stack gap="xs">
      {group.of.map((part, index) =>
        isGroup(part) ? (
          <Paper key={index} p="xs" ml="md">
            <GroupEditor
              group={part}
              fields={fields}
              onChange={(changed) => replace(index, changed)}
              onRemove={() => replace(index)}
            />
          </Paper>
        ) : (
          <ConditionEditor
            key={index}
            condition={part}
            fields={fields}
            onChange={(changed) => replace(index, changed)}
            onRemove={() => replace(index)}
          />
        ),
      )}
      <Row gap="xs">
        <Select
          size="xs"
          w={120}
          aria-label={t('comparator')}
          data={[
            { value: 'AND', label: t('AND') },
            { value: 'OR', label: t('OR') },
          ]}
          value={group.operator}
          allowDeselect={false}
          onChange={(operator) => onChange({ ...group, operator: operator === 'OR' ? 'OR' : 'AND' })}
        />
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange({ ...group, of: [...group.of, condition] })}
        >
          {t('addCondition')}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => onChange({ ...group, of: [...group.of, { operator: 'OR', of: [condition] }] })}
        >
          {t('addGroup')}
        </Button>
        {onRemove && <Remove onRemove={onRemove} />}
      </Row>
    </Stack>
  )
}

interface ConditionEditorProps {
  readonly condition: Condition
  readonly fields: readonly Field[]
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

function ConditionEditor({ condition, fields, onChange, onRemove }: ConditionEditorProps) {
  const t = useTexts(texts)
  const field = fields.find(({ fieldName }) => fieldName === condition.name)
  const isList = condition.comparator === 'IN' || condition.comparator === 'NOT_IN'
  return (
    <Row gap="xs">
      <Select
        size="xs"
        aria-label={t('field')}
        searchable
        w={240}
        data={fields.map(({ fieldName = '', label }) => ({
          value: fieldName,
          label: label && label !== fieldName ? `${label} (${fieldName})` : fieldName,
        }))}
        value={condition.name}
        onChange={(name) => name && onChange({ ...condition, name })}
      />
      <Select
        size="xs"
        aria-label={t('comparator')}
        w={190}
        data={field?.allowedOperators ?? ['EQ']}
        value={condition.comparator}
        allowDeselect={false}
        onChange={(comparator) => comparator && onChange({ ...condition, comparator })}
      />
      {!withoutValue.has(condition.comparator) && (
        <TextInput
          size="xs"
          flex={1}
          aria-label={t('value')}
          placeholder={t(isList ? 'values' : 'value')}
          value={condition.value}
          onChange={(event) => onChange({ ...condition, value: event.currentTarget.value })}
        />
      )}
      <Remove onRemove={onRemove} />
    </Row>
  )
}

function Remove({ onRemove }: { onRemove: () => void }) {
  const t = useTexts(texts)
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={t('removeCondition')} onClick={onRemove}>
      <IconX size={16} />
    </ActionIcon>
  )
}

function JoinEditor({ state, change }: { state: SearchState; change: Change }) {
  const t = useTexts(texts)
  const offered = joins[state.tab] ?? []
  const { join } = state
  return (
    <Row gap="xs">
      <Text size="sm">{t('join')}</Text>
      <Select
        size="xs"
        aria-label={t('joinOn')}
        data={[
          { value: '', label: t('noJoin') },
          ...offered.map(({ on, index }) => ({ value: on, label: t(index as 'PRODUCT') })),
        ]}
        value={join?.on ?? ''}
        allowDeselect={false}
        onChange={(on) => {
          const found = offered.find((one) => one.on === on)
          change({ join: found ? JSON.stringify({ ...found, text: join?.text ?? '' }) : '' })
        }}
      />
      {join && (
        <TextInput
          size="xs"
          flex={1}
          aria-label={t('joinWords')}
          placeholder={t('joinWords')}
          value={join.text}
          onChange={(event) => change({ join: JSON.stringify({ ...join, text: event.currentTarget.value }) })}
        />
      )}
    </Row>
  )
}
