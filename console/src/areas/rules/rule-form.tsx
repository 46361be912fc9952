/** The form for a rule: conditions, operations, and when it runs. */
import { Button, Input, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { ruleOperations } from '@kontor/contract'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { OperationRow } from '../../object/bulk/operation-row.tsx'
import { type BulkKind, fromOperation, newOperation, toOperation } from '../../object/bulk/operations.ts'
import { texts as bulkTexts } from '../../object/bulk/texts.ts'
import { useClient } from '../../object/client.tsx'
import { groupOf, groupQuery } from '../../object/conditions/conditions.ts'
import { GroupEditor, useFields } from '../../object/conditions/group-editor.tsx'
import { useContentLocale } from '../../object/locales.ts'
import { useAssetAttributes, useAttributes } from '../../object/model.ts'
import { choiceOf, cronOf } from '../../object/schedule/schedule.ts'
import { ScheduleInput } from '../../object/schedule/schedule-input.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'
import { type Rule, useRuleChange } from './use-rules.ts'

interface RuleFormProps {
  /** Absent for a new rule. */
  readonly rule?: Rule
  readonly onClose: () => void
  readonly onStored: (name: string) => void
}

const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone

function toDraft(rule: Rule | undefined) {
  const { schedule } = rule ?? {}
  return {
    name: rule?.name ?? '',
    description: rule?.description ?? '',
    kind: (rule?.kind ?? 'product') as BulkKind,
    /** Undefined for a condition that the editor cannot show; it is kept. */
    conditions: groupOf(rule?.condition),
    operations: rule?.operations.flatMap((one) => fromOperation(rule.kind ?? 'product', one) ?? []) ?? [
      newOperation('set'),
    ],
    onChange: rule?.onChange ?? false,
    enabled: rule?.enabled ?? true,
    schedule: choiceOf(schedule?.cron),
    timeZone: schedule?.timeZone ?? (rule ? 'UTC' : localZone),
  }
}
type Draft = ReturnType<typeof toDraft>

export function RuleForm({ rule, onClose, onStored }: RuleFormProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { rules } = useClient()
  const change = useRuleChange()
  const [draft, setDraft] = useState(() => toDraft(rule))
  const ofProducts = useAttributes()
  const ofFiles = useAssetAttributes(draft.kind === 'asset')
  const set = (some: Partial<Draft>) => setDraft((before) => ({ ...before, ...some }))
  const { name, description, kind, conditions, onChange, enabled } = draft
  const attributes = kind === 'asset' ? ofFiles : ofProducts
  const operations = draft.operations.map((one) => toOperation(one, attributes))
  const store = () =>
    change(async () => {
      const cron = cronOf(draft.schedule)
      const condition = conditions ? (conditions.of.length > 0 ? groupQuery(conditions) : undefined) : rule?.condition
      const body: Rule = {
        ...(description.trim() && { description: description.trim() }),
        kind,
        ...(condition && { condition }),
        operations: operations.flatMap((one) => one ?? []),
        onChange,
        enabled,
        ...(cron !== undefined && { schedule: { cron, timeZone: draft.timeZone } }),
      }
      await rules.putRule({ params: { name: name.trim() }, body })
      onStored(name.trim())
      onClose()
    })
  return (
    <FormModal title={rule ? name : t('add')} size="xl" onSubmit={store} onClose={onClose}>
      {!rule && (
        <>
          <TextInput
            label={w('name')}
            required
            data-autofocus
            value={name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Select
            label={t('kind')}
            data={(['product', 'asset'] as const).map((value) => ({ value, label: t(value) }))}
            value={kind}
            allowDeselect={false}
            onChange={(one) => set({ ...toDraft(undefined), name, kind: one === 'asset' ? 'asset' : 'product' })}
          />
        </>
      )}
      <TextInput
        label={t('description')}
        value={description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <Conditions draft={draft} set={set} />
      <Operations draft={draft} set={set} attributes={attributes} />
      <Switch
        label={t('onChange')}
        description={t('onChangeHint')}
        checked={onChange}
        onChange={(event) => set({ onChange: event.currentTarget.checked })}
      />
      <ScheduleInput
        choice={draft.schedule}
        timeZone={draft.timeZone}
        onChange={(schedule, timeZone) => set({ schedule, timeZone })}
      />
      <Switch
        label={t('enabled')}
        checked={enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
      <Button type="submit" disabled={operations.includes(undefined)}>
        {w('save')}
      </Button>
    </FormModal>
  )
}

interface PartProps {
  readonly draft: Draft
  readonly set: (some: Partial<Draft>) => void
}

function Conditions({ draft: { kind, conditions }, set }: PartProps) {
  const t = useTexts(texts)
  const [locale] = useContentLocale()
  const fields = useFields(kind === 'asset' ? 'ASSET' : 'PRODUCT', locale)
  return (
    <Input.Wrapper label={t('conditions')} description={t('conditionsHint')} labelElement="div">
      {conditions ? (
        <GroupEditor group={conditions} fields={fields} onChange={(changed) => set({ conditions: changed })} />
      ) : (
        <Text size="sm">{t('kept')}</Text>
      )}
    </Input.Wrapper>
  )
}

function Operations({ draft, set, attributes }: PartProps & { readonly attributes: ReturnType<typeof useAttributes> }) {
  const t = useTexts(texts)
  const b = useTexts(bulkTexts)
  const { operations, kind } = draft
  return (
    <Input.Wrapper label={t('operations')} labelElement="div">
      <Stack gap="xs">
        {operations.map((operation, i) => (
          <OperationRow
            key={operation.key}
            kind={kind}
            row={i + 1}
            operation={operation}
            attributes={attributes}
            types={ruleOperations}
            onChange={(next) => set({ operations: operations.with(i, next) })}
            onRemove={operations.length > 1 ? () => set({ operations: operations.toSpliced(i, 1) }) : undefined}
          />
        ))}
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} />}
          onClick={() => set({ operations: [...operations, newOperation('set')] })}
          style={{ alignSelf: 'flex-start' }}
        >
          {b('addOperation')}
        </Button>
      </Stack>
    </Input.Wrapper>
  )
}
