/** Conditions on fields in nested AND/OR groups. */
import { ActionIcon, Box, Button, Group as Row, Paper, Select, Stack } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useTexts } from '../../ui/language.tsx'
import { useContentLocales, useLocaleName } from '../locales.ts'
import { type Condition, type Group, isGroup, isList, textOf, valuesOf, withoutValue } from './conditions.ts'
import { comparisonsOf, type Field, type FieldIndex, useComparisonText } from './fields.ts'
import { conditionsTexts as texts } from './texts.ts'
import { ValueInput } from './value-input.tsx'

interface GroupEditorProps {
  readonly index: FieldIndex
  /** The locale of labels. */
  readonly language: string
  readonly group: Group
  readonly fields: readonly Field[]
  readonly onChange: (group: Group) => void
  readonly onRemove?: () => void
}

export function GroupEditor({ group, onChange, onRemove, ...shared }: GroupEditorProps) {
  const t = useTexts(texts)
  const { fields } = shared
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
              {...shared}
              group={part}
              onChange={(changed) => replace(index, changed)}
              onRemove={() => replace(index)}
            />
          </Paper>
        ) : (
          <ConditionEditor
            {...shared}
            key={index}
            condition={part}
            onChange={(changed) => replace(index, changed)}
            onRemove={() => replace(index)}
          />
        ),
      )}
      <Row gap="xs">
        <Select
          size="xs"
          w={150}
          aria-label={t('connection')}
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

interface ConditionEditorProps extends Pick<GroupEditorProps, 'index' | 'language' | 'fields'> {
  readonly condition: Condition
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

function ConditionEditor({ index, language, condition, fields, onChange, onRemove }: ConditionEditorProps) {
  const t = useTexts(texts)
  const comparisonText = useComparisonText()
  const field = fields.find(({ fieldName }) => fieldName === condition.name)
  const { comparator } = condition
  const chooseField = (name: string) => {
    const allowed = fields.find(({ fieldName }) => fieldName === name)?.allowedOperators ?? ['EQ']
    onChange({ name, comparator: allowed.includes(comparator) ? comparator : (allowed[0] ?? 'EQ'), value: '' })
  }
  const compare = (next: string) =>
    onChange({ ...condition, comparator: next, value: isList(next) ? valuesOf(condition) : textOf(condition) })
  return (
    <Row gap="xs" align="flex-start">
      <Select
        size="xs"
        aria-label={t('field')}
        searchable
        flex="1 1 12rem"
        data={fieldOptions(fields, condition.name)}
        value={condition.name}
        onChange={(name) => name && chooseField(name)}
        allowDeselect={false}
      />
      <Select
        size="xs"
        aria-label={t('comparator')}
        flex="1 1 11rem"
        data={comparisonsOf(field ?? {}, comparator).map((value) => ({ value, label: comparisonText(value, field) }))}
        value={comparator}
        allowDeselect={false}
        onChange={(next) => next && compare(next)}
      />
      {field?.multilingual && <LanguageChoice condition={condition} onChange={onChange} />}
      {!withoutValue.has(comparator) && (
        <Box flex="2 1 12rem">
          <ValueInput
            key={`${condition.name} ${isList(comparator)}`}
            index={index}
            language={language}
            field={field}
            condition={condition}
            onChange={(value) => onChange({ ...condition, value })}
          />
        </Box>
      )}
      <Remove onRemove={onRemove} />
    </Row>
  )
}

/** Fields by label; the name tells those of the same label apart. A stored field that does not exist any more stays. */
function fieldOptions(fields: readonly Field[], stored: string) {
  const labels = Map.groupBy(fields, ({ label, fieldName }) => label ?? fieldName)
  const options = fields.map(({ fieldName: value = '', label = value }) => ({
    value,
    label: labels.get(label)!.length > 1 ? `${label} (${value})` : label,
  }))
  return options.some(({ value }) => value === stored) ? options : [...options, { value: stored, label: stored }]
}

function LanguageChoice({ condition, onChange }: Pick<ConditionEditorProps, 'condition' | 'onChange'>) {
  const t = useTexts(texts)
  const locales = useContentLocales()
  const localeName = useLocaleName()
  return (
    <Select
      size="xs"
      flex="1 1 11rem"
      aria-label={t('language')}
      data={[
        { value: '', label: t('anyLanguage') },
        ...locales.map(({ tid }) => ({ value: tid, label: localeName(tid) })),
      ]}
      value={condition.language ?? ''}
      allowDeselect={false}
      searchable
      onChange={(chosen) => onChange({ ...condition, language: chosen || undefined })}
    />
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
