/** The form for a rule: conditions, operations, and when it runs. */
import { Button, Group, Input, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { ruleOperations } from '@kontor/contract'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { OperationRow } from '../../object/bulk/operation-row.tsx'
import { type BulkKind, fromOperation, newOperation, toOperation } from '../../object/bulk/operations.ts'
import { texts as bulkTexts } from '../../object/bulk/texts.ts'
import { useClient } from '../../object/client.tsx'
import { areComplete, groupOf, groupQuery } from '../../object/conditions/conditions.ts'
import { useFields } from '../../object/conditions/fields.ts'
import { GroupEditor } from '../../object/conditions/group-editor.tsx'
import { DraftNotice, useFormDraft } from '../../object/form-draft.tsx'
import { useContentLocale } from '../../object/locales.ts'
import { useAssetAttributes, useAttributes } from '../../object/model.ts'
import { choiceOf, cronOf } from '../../object/schedule/schedule.ts'
import { ScheduleInput } from '../../object/schedule/schedule-input.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'
import { type Rule, useRuleChange, useRules } from './use-rules.ts'

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
  const [initial] = useState(() => toDraft(rule))
  const form = useFormDraft(`rule.${rule ? rule.name : 'new'}`, initial)
  const draft = form.value
  const taken = new Set(useRules().data?.map((one) => one.name))
  const ofProducts = useAttributes()
  const ofFiles = useAssetAttributes(draft.kind === 'asset')
  const set = (some: Partial<Draft>) => form.change({ ...draft, ...some })
  const { name, description, kind, conditions, onChange, enabled } = draft
  const attributes = kind === 'asset' ? ofFiles : ofProducts
  const isTaken = !rule && taken.has(name.trim())
  const operations = draft.operations.map((one) => toOperation(one, attributes))
  const isReady = !isTaken && !operations.includes(undefined) && (!conditions || areComplete(conditions))
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
      form.discard()
      onStored(name.trim())
      onClose()
    })
  return (
    <FormModal title={rule ? name : t('add')} size="60rem" keepsInput onSubmit={store} onClose={onClose}>
      <DraftNotice draft={form} />
      {!rule && (
        <>
          <TextInput
            label={w('name')}
            required
            data-autofocus
            value={name}
            error={isTaken && w('nameTaken')}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Select
            label={t('kind')}
            data={(['product', 'asset'] as const).map((value) => ({ value, label: t(value) }))}
            value={kind}
            allowDeselect={false}
            onChange={(one) =>
              set({
                conditions: groupOf(undefined),
                operations: [newOperation('set')],
                kind: one === 'asset' ? 'asset' : 'product',
              })
            }
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
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {w('cancel')}
        </Button>
        <Button type="submit" disabled={!isReady}>
          {w('save')}
        </Button>
      </Group>
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
  const index = kind === 'asset' ? 'ASSET' : 'PRODUCT'
  const fields = useFields(index, locale)
  return (
    <Input.Wrapper label={t('conditions')} description={t('conditionsHint')} labelElement="div">
      {conditions ? (
        <GroupEditor
          index={index}
          language={locale}
          group={conditions}
          fields={fields}
          onChange={(changed) => set({ conditions: changed })}
        />
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
