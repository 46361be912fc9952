/** One attribute definition: the rules for its values, its use, and a check of what a change would break. */
import { Alert, Button, Checkbox, Group, Stack, TagsInput, Text } from '@mantine/core'
import { AttrDefinition, attributeRequirements, attributeTypes } from '@kontor/contract'
import { IconCheck, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { hide, withField, withoutEmptyTexts } from '../../object/fields.ts'
import { DraftNotice, useFormDraft } from '../../object/form-draft.tsx'
import { type FormFields, ObjectForm } from '../../object/form.tsx'
import { toItems } from '../../object/items.ts'
import { useLabels } from '../../object/labels.ts'
import { type Definition, modelKey } from '../../object/model.ts'
import { accepted } from '../../object/records.ts'
import { useTexts } from '../../ui/language.tsx'
import { Failure } from '../../ui/states.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { DomainValues } from './domain-values.tsx'
import { texts } from './texts.ts'
import { useModelChange } from './use-model.ts'

interface DefinitionFormProps {
  /** Absent for a new definition. */
  readonly definition: Definition | undefined
  readonly onClose: () => void
}

const newDefinition: Definition = { tid: '', type: 'text' }

export function DefinitionForm({ definition, onClose }: DefinitionFormProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const model = useModelChange()
  const labelOf = useLabels(texts)
  const draft = useFormDraft<Definition>(`attribute.${definition?.tid ?? 'new'}`, definition ?? newDefinition)
  const { value } = draft
  const [checked, setChecked] = useState<{ fault?: unknown }>()
  const { meta: _, ...message } = withoutEmptyTexts(value)
  const persist = (dryRun: boolean) => accepted(model.pim['attribute-definitions'].persist([message], { dryRun }))
  const check = () =>
    persist(true).then(
      () => setChecked({}),
      (fault: unknown) => setChecked({ fault }),
    )
  const save = async () => {
    if (!(await model.run(() => persist(false)))) return
    draft.discard()
    notifyDone(t('saved', { name: value.tid }))
    onClose()
  }
  return (
    <Stack gap="md">
      <DraftNotice draft={draft} />
      {definition && <Usage definition={definition} />}
      <ObjectForm
        type={AttrDefinition}
        value={value}
        onChange={(changed) => {
          setChecked(undefined)
          draft.change(changed)
        }}
        labelOf={labelOf}
        fields={useDefinitionFields(value, definition !== undefined)}
        readOnly={!model.mayDefinitions}
        autoFocus={!definition}
      />
      {checked?.fault !== undefined && <Failure error={checked.fault} />}
      {checked && checked.fault === undefined && (
        <Alert color="teal" icon={<IconCheck />} p="xs">
          {t('fine')}
        </Alert>
      )}
      {model.mayDefinitions && (
        <Group justify="space-between">
          {definition ? <DeleteButton definition={definition} onClose={onClose} /> : <span />}
          <Group>
            <Button variant="default" onClick={() => void check()} disabled={!value.tid}>
              {t('check')}
            </Button>
            <Button onClick={() => void save()} disabled={!value.tid}>
              {word('save')}
            </Button>
          </Group>
        </Group>
      )}
    </Stack>
  )
}

/** The fields that a definition of this type has, with the controls that cannot be derived from the contract. */
function useDefinitionFields({ type }: Definition, isStored: boolean): FormFields<Definition> {
  const t = useTexts(texts)
  const isRange = type === 'number' || type === 'date'
  const inputType = type === 'date' ? { inputType: 'date' as const } : {}
  return {
    ...hide('id', 'noValidateAsRichText', 'domain'),
    tid: { disabled: isStored },
    type: { options: attributeTypes.map((value) => ({ value, label: t(`type_${value}`) })) },
    name: { names: { most: 4 } },
    tooltip: { names: { most: 4 } },
    required: {
      options: attributeRequirements.map((value) => ({ value, label: t(`requirement_${value}`) })),
      fallback: 'optional',
    },
    localized: {},
    multiValued: {
      control: (value, onChange) => (
        <Checkbox
          label={t('multiValued')}
          checked={value.multiValued?.value === 'true'}
          onChange={({ currentTarget: { checked } }) =>
            onChange({ ...value, multiValued: { ...value.multiValued, value: checked ? 'true' : 'false' } })
          }
        />
      ),
    },
    validation: type === 'text' && {
      fields: { minLength: { min: 0 }, maxLength: { min: 0 }, type: { label: t('pattern') } },
    },
    domainRange: isRange && {
      fields: { from: inputType, to: inputType, ...(type === 'date' && { intOnly: false }) },
    },
    domainVals: type === 'text' && {
      control: (value, onChange) => (
        <DomainValues
          value={value.domainVals}
          onChange={(domainVals) => onChange(withField(value, 'domainVals', domainVals))}
        />
      ),
    },
    references: type === 'table' && {
      control: (value, onChange) => (
        <TagsInput
          label={t('references')}
          value={value.references?.itm?.flatMap(({ key, value: tid }) => key ?? tid ?? []) ?? []}
          onChange={(tids) => onChange({ ...value, references: { itm: tids.map((tid) => ({ value: tid })) } })}
        />
      ),
    },
  }
}

/** The number of categories that have the attribute, and of objects that have a value of it. */
function useUsage(tid: string): string | undefined {
  const t = useTexts(texts)
  const { pim } = useModelChange()
  const { data } = useQuery({
    queryKey: [...modelKey, 'usage', tid],
    queryFn: async () => (await pim.attributeUsage({ body: { tids: [tid] } })).attributes?.[0] ?? {},
  })
  if (!data) return undefined
  const { nodes = 0, objects = 0 } = data
  return t('usage', { nodes: t('usedByNodes', { count: nodes }), objects: t('usedByObjects', { count: objects }) })
}

function Usage({ definition: { tid } }: { definition: Definition }) {
  return (
    <Text size="sm" c="dimmed">
      {useUsage(tid) ?? '…'}
    </Text>
  )
}

function DeleteButton({ definition: { tid }, onClose }: { definition: Definition; onClose: () => void }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const model = useModelChange()
  const usage = useUsage(tid)
  const remove = async () => {
    const meta = { itm: toItems({ force: 'true' }) }
    const action = { type: 'delete', tid, meta } as const
    if (await model.run(() => accepted(model.pim['attribute-definitions'].perform([action])))) onClose()
  }
  const confirmDelete = useConfirmDelete()
  const ask = () =>
    confirmDelete(t('deleteDefinition', { name: tid }), `${usage}. ${t('deleteDefinitionBody')}`, remove)
  return (
    <Button variant="subtle" color="red" leftSection={<IconTrash size={16} />} onClick={ask} disabled={!usage}>
      {word('delete')}
    </Button>
  )
}
