/** Conditions on fields in nested AND/OR groups. */
import { ActionIcon, Button, Group as Row, Paper, Select, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { FieldCfg, Infer } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../ui/language.tsx'
import { useClient } from '../client.tsx'
import { type Condition, type Group, isGroup, withoutValue } from './conditions.ts'
import { conditionsTexts as texts } from './texts.ts'

type Field = Infer<typeof FieldCfg>

/** The fields of an index, with the comparisons that they allow. */
export function useFields(
  index: 'GLOBAL' | 'PRODUCT' | 'ASSET' | 'CHANNEL' | 'CHANNEL_2_PRODUCT' | 'FS_TABLE_WFL',
  locale: string,
) {
  const client = useClient()
  const { data = [] } = useQuery({
    queryKey: ['search', 'fields', index, locale],
    queryFn: async () => (await client.search.fields({ body: { index, showAllowedOperators: true } })).fields ?? [],
    staleTime: 60_000,
  })
  return data
}

interface GroupEditorProps {
  readonly group: Group
  readonly fields: readonly Field[]
  readonly onChange: (group: Group) => void
  readonly onRemove?: () => void
}

export function GroupEditor({ group, fields, onChange, onRemove }: GroupEditorProps) {
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
