/** Dialogs that create the missing parts of the data model: an attribute for a column, and the first category. */
import { Alert, Button, Checkbox, Group, Select, Text, TextInput } from '@mantine/core'
import { IconSitemap } from '@tabler/icons-react'
import { useState } from 'react'
import { useModelChange } from '../../../object/model-change.ts'
import { useClassificationTree } from '../../../object/model.ts'
import { commonTexts } from '../../../ui/common-texts.ts'
import { FormModal } from '../../../ui/form-modal.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { kindOf, nameOfFile, newTypes } from './attribute-column.ts'
import { texts } from './texts.ts'
import type { Column, MappedColumn, MappingState } from './use-mapping.ts'
import { type NewAttribute, useCreateAttribute, useCreateCategory } from './use-new-model.ts'

interface AttributeFormProps {
  readonly column: MappedColumn
  readonly target: Column | undefined
  readonly mapping: MappingState
  readonly onClose: () => void
}

export function AttributeForm({ column, target, mapping, onClose }: AttributeFormProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { column: heading = '', samples = [] } = column
  const separator = mapping.profile.separator ?? '|'
  const create = useCreateAttribute(mapping)
  const [draft, setDraft] = useState<NewAttribute>(() => {
    const cells = samples.map(({ cell = '' }) => cell)
    return { name: heading, localized: false, ...kindOf(cells, separator) }
  })
  const name = draft.name.trim()
  const submit = async () => {
    if (await create(heading, target, { ...draft, name })) onClose()
  }
  return (
    <FormModal title={t('newAttribute', { name: heading })} onSubmit={submit} onClose={onClose}>
      <TextInput
        label={t('name')}
        required
        data-autofocus
        value={draft.name}
        onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
      />
      <Select
        label={t('type')}
        data={newTypes.map((value) => ({ value, label: t(`type_${value}`) }))}
        value={draft.type}
        allowDeselect={false}
        onChange={(type) => setDraft({ ...draft, type: type as NewAttribute['type'] })}
      />
      <Checkbox
        label={t('localized')}
        checked={draft.localized}
        onChange={(event) => setDraft({ ...draft, localized: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('multiValued')}
        description={t('multiValuedHint', { separator })}
        checked={draft.multiValued}
        onChange={(event) => setDraft({ ...draft, multiValued: event.currentTarget.checked })}
      />
      <Group justify="flex-end">
        <Button type="submit" disabled={name === ''}>
          {w('create')}
        </Button>
      </Group>
    </FormModal>
  )
}

/** Shown to those who may create categories, as long as there are none. */
export function FirstCategory({ mapping }: { readonly mapping: MappingState }) {
  const t = useTexts(texts)
  const { mayNodes } = useModelChange()
  const { data: nodes } = useClassificationTree()
  const [isOpen, setOpen] = useState(false)
  if (!mayNodes || nodes?.length !== 0) return null
  const column = mapping.profile.columns?.find(({ field }) => field === 'node')?.column
  return (
    <Alert icon={<IconSitemap />} title={t('noCategories')}>
      <Text size="sm">{t('noCategoriesHint')}</Text>
      {column !== undefined && <Text size="sm">{t('leavesOut', { column })}</Text>}
      <Button mt="sm" variant="default" disabled={mapping.isBusy} onClick={() => setOpen(true)}>
        {t('newCategory')}
      </Button>
      {isOpen && <CategoryForm mapping={mapping} onClose={() => setOpen(false)} />}
    </Alert>
  )
}

function CategoryForm({ mapping, onClose }: { readonly mapping: MappingState; readonly onClose: () => void }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const create = useCreateCategory(mapping)
  const [name, setName] = useState(() => nameOfFile(mapping.fileName))
  const submit = async () => {
    if (await create(name.trim())) onClose()
  }
  return (
    <FormModal title={t('newCategory')} onSubmit={submit} onClose={onClose}>
      <TextInput
        label={t('name')}
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button type="submit" disabled={name.trim() === ''}>
          {w('create')}
        </Button>
      </Group>
    </FormModal>
  )
}
