/** One attribute definition: the rules for its values, its use, and a check of what a change would break. */
import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { AttrDefinition, attributeRequirements, attributeTypes, embeddedKeys } from '@kontor/contract'
import { IconCheck, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { hide, withField, withoutEmptyTexts } from '../../object/fields.ts'
import { DraftNotice, useFormDraft } from '../../object/form-draft.tsx'
import { type FormFields, ObjectForm } from '../../object/form.tsx'
import { fact, nameIn } from '../../object/items.ts'
import { useLabels } from '../../object/labels.ts'
import { useContentLocale } from '../../object/locales.ts'
import { type Definition, modelKey } from '../../object/model.ts'
import { newId } from '../../object/new-id.ts'
import { Picker, PickOne } from '../../object/picker.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Failure } from '../../ui/states.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { DomainValues, withKeys } from './domain-values.tsx'
import { IdentifierFormat, MeasureFormat, PriceFormat } from './format-fields.tsx'
import type { DefinitionSource } from './sources.ts'
import { TagFields } from './tag-fields.tsx'
import { texts } from './texts.ts'

interface DefinitionFormProps {
  /** Absent for a new definition. */
  readonly definition: Definition | undefined
  readonly source: DefinitionSource
  readonly onClose: () => void
}

const formatFields = new Map<string, typeof MeasureFormat>([
  ['identifier', IdentifierFormat],
  ['measure', MeasureFormat],
  ['price', PriceFormat],
])

const newDefinition: Definition = { tid: '', type: 'text' }

export function DefinitionForm({ definition, source, onClose }: DefinitionFormProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const labelOf = useLabels(texts)
  const [locale] = useContentLocale()
  const draft = useFormDraft<Definition>(
    `${source.of}.attribute.${definition?.tid ?? 'new'}`,
    definition ?? newDefinition,
  )
  const { value } = draft
  const [checked, setChecked] = useState<{ fault?: unknown }>()
  const name = nameIn(value.name, locale)
  const taken = source.list.data?.map(({ tid }) => tid)
  const message = toMessage({ ...value, tid: value.tid.trim() || newId(name, taken) }, definition)
  const persist = (dryRun: boolean) => source.persist(message, dryRun)
  const check = () =>
    persist(true).then(
      () => setChecked({}),
      (fault: unknown) => setChecked({ fault }),
    )
  const save = async () => {
    if (!(await source.run(() => persist(false)))) return
    draft.discard()
    notifyDone(t('saved', { name: name || message.tid }))
    onClose()
  }
  return (
    <Stack gap="md">
      <DraftNotice draft={draft} />
      {!source.mayChange && <Text size="sm">{t('readOnly')}</Text>}
      {definition && source.usage && <Usage definition={definition} source={source} />}
      <ObjectForm
        type={AttrDefinition}
        value={value}
        onChange={(changed) => {
          setChecked(undefined)
          draft.change(changed)
        }}
        labelOf={labelOf}
        fields={useDefinitionFields(value, definition !== undefined, !source.mayChange, source.of)}
        readOnly={!source.mayChange}
        autoFocus={!definition}
      />
      {checked?.fault !== undefined && <Failure error={checked.fault} />}
      {checked && checked.fault === undefined && (
        <Alert color="teal" icon={<IconCheck />} p="xs">
          {t('fine')}
        </Alert>
      )}
      {source.mayChange && (
        <Group justify="space-between">
          {definition ? <DeleteButton definition={definition} source={source} onClose={onClose} /> : <span />}
          <Group>
            <Button variant="default" onClick={() => void check()} disabled={!name}>
              {t('check')}
            </Button>
            <Button onClick={() => void save()} disabled={!name}>
              {word('save')}
            </Button>
          </Group>
        </Group>
      )}
    </Stack>
  )
}

/**
 * Of the meta items only the unit and the tags of files are changed here; others stay as they are. An item without text removes the unit. Keys of
 * values that have none are made from their labels.
 */
function toMessage(value: Definition, stored: Definition | undefined): Definition {
  const { meta: _, domainVals, format, group, ...rest } = withoutEmptyTexts(value)
  const unit = value.type === 'number' ? fact(value, 'unit') : undefined
  const hasUnit = unit || (stored && fact(stored, 'unit'))
  const tags = embeddedKeys.flatMap((key) =>
    fact(value, key) === undefined ? [] : [{ key, value: fact(value, key)! }],
  )
  const itm = [...(hasUnit ? [{ key: 'unit', ...(unit && { value: unit }) }] : []), ...tags]
  return {
    ...rest,
    ...(itm.length > 0 && { meta: { itm } }),
    ...(domainVals && { domainVals: withKeys(domainVals) }),
    ...(formatFields.has(value.type) && format && { format }),
    ...(group?.tid !== stored?.group?.tid && { group: group?.tid ? { tid: group.tid } : {} }),
  }
}

const withUnit = ({ meta }: Definition, unit: string | undefined) => [
  ...(meta?.itm ?? []).filter(({ key }) => key !== 'unit'),
  ...(unit ? [{ key: 'unit', value: unit }] : []),
]

/** The fields that a definition of this type has, with the controls that cannot be derived from the contract. */
function useDefinitionFields(
  { type }: Definition,
  isStored: boolean,
  readOnly: boolean,
  of: string,
): FormFields<Definition> {
  const t = useTexts(texts)
  const [mayBeUnique, isFile] = [of === 'product', of === 'asset']
  const isRange = type === 'number' || type === 'date' || type === 'measure'
  const FormatFields = formatFields.get(type)
  const inputType = type === 'date' ? { inputType: 'date' as const } : {}
  return {
    ...hide('id', 'noValidateAsRichText', 'domain'),
    name: { names: { most: 4 } },
    type: { options: attributeTypes.map((value) => ({ value, label: t(`type_${value}`) })) },
    meta: (type === 'number' || isFile) && {
      control: (value, onChange) => (
        <>
          {type === 'number' && (
            <PickOne
              kind="unit"
              label={t('unit')}
              description={t('unitHint')}
              disabled={readOnly}
              value={fact(value, 'unit')}
              onChange={(unit) => onChange({ ...value, meta: { itm: withUnit(value, unit) } })}
            />
          )}
          {isFile && type !== 'table' && <TagFields value={value} readOnly={readOnly} onChange={onChange} />}
        </>
      ),
    },
    format: FormatFields !== undefined && {
      control: (value, onChange) => (
        <FormatFields value={value} readOnly={readOnly} mayBeUnique={mayBeUnique} onChange={onChange} />
      ),
    },
    // only product attributes have groups, and only their identifiers can be unique
    group: mayBeUnique && {
      control: (value, onChange) => (
        <PickOne
          kind="attributeGroup"
          label={t('group')}
          disabled={readOnly}
          value={value.group?.tid}
          onChange={(tid) => onChange({ ...value, group: tid ? { tid } : {} })}
        />
      ),
    },
    domainVals: type === 'text' && {
      control: (value, onChange) => (
        <DomainValues
          value={value.domainVals}
          readOnly={readOnly}
          onChange={(domainVals) => onChange(withField(value, 'domainVals', domainVals))}
        />
      ),
    },
    required: {
      options: attributeRequirements.map((value) => ({ value, label: t(`requirement_${value}`) })),
      fallback: 'optional',
    },
    localized: {},
    multiValued: {
      control: (value, onChange) => (
        <Checkbox
          label={t('multiValued')}
          disabled={readOnly}
          checked={value.multiValued?.value === 'true'}
          onChange={({ currentTarget: { checked } }) =>
            onChange({ ...value, multiValued: { ...value.multiValued, value: checked ? 'true' : 'false' } })
          }
        />
      ),
    },
    validation: (type === 'text' || type === 'identifier') && {
      fields: { minLength: { min: 0 }, maxLength: { min: 0 }, type: { label: t('pattern') } },
    },
    domainRange: isRange && {
      fields: { from: inputType, to: inputType, ...(type === 'date' && { intOnly: false }) },
    },
    references: type === 'table' && {
      control: (value, onChange) => (
        <Picker
          kind="attribute"
          label={t('references')}
          disabled={readOnly}
          value={value.references?.itm?.flatMap(({ key, value: tid }) => key ?? tid ?? []) ?? []}
          onChange={(tids) => onChange({ ...value, references: { itm: tids.map((tid) => ({ value: tid })) } })}
        />
      ),
    },
    tooltip: { names: { most: 4 } },
    tid: { disabled: isStored, required: false, description: isStored ? undefined : t('idHint') },
  }
}

/** The number of categories that have the attribute, and of objects that have a value of it. */
function useUsage(tid: string, { usage }: DefinitionSource): string | undefined {
  const t = useTexts(texts)
  const { data } = useQuery({
    queryKey: [...modelKey, 'usage', tid],
    queryFn: () => usage!(tid),
    enabled: usage !== undefined,
  })
  if (!data) return undefined
  const { nodes = 0, objects = 0 } = data
  return t('usage', { nodes: t('usedByNodes', { count: nodes }), objects: t('usedByObjects', { count: objects }) })
}

interface UsageProps {
  readonly definition: Definition
  readonly source: DefinitionSource
}

function Usage({ definition: { tid }, source }: UsageProps) {
  return (
    <Text size="sm" c="dimmed">
      {useUsage(tid, source) ?? '…'}
    </Text>
  )
}

function DeleteButton({ definition: { tid, name }, source, onClose }: UsageProps & { onClose: () => void }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const [locale] = useContentLocale()
  const usage = useUsage(tid, source)
  const remove = async () => {
    if (await source.run(() => source.remove!(tid))) onClose()
  }
  const confirmDelete = useConfirmDelete()
  const ask = () =>
    confirmDelete(
      t('deleteDefinition', { name: nameIn(name, locale) || tid }),
      [usage, t('deleteDefinitionBody')].filter(Boolean).join('. '),
      remove,
    )
  if (!source.remove) return <span />
  return (
    <Button variant="light" color="red" leftSection={<IconTrash size={16} />} onClick={ask}>
      {word('delete')}
    </Button>
  )
}
