/** Creates or edits a collection. */
import { Button, Group, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useClient, useMe } from '../../object/client.tsx'
import { Picker } from '../../object/picker.tsx'
import { sharingTexts } from '../../object/sharing/texts.ts'
import { type Collection, type Fields, useCollectionChange, withFields } from '../../object/sharing/use-sharing.ts'
import { useStoredSearches } from '../../object/stored-searches.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'

interface CollectionFormProps {
  readonly collection?: Collection
  readonly onClose: () => void
  readonly onStored: (id: number) => void
}

export function CollectionForm({ collection, onClose, onStored }: CollectionFormProps) {
  const t = useTexts(sharingTexts)
  const w = useTexts(commonTexts)
  const { collections } = useClient()
  const change = useCollectionChange()
  const { roles: own = [] } = useMe()
  const searches = useStoredSearches('ASSET').entries
  const { name = '', description, users, roles } = collection ?? {}
  const [value, setValue] = useState<Collection>(withFields<Collection>({ name }, { description, users, roles }))
  const set = (fields: Fields<Collection>) => setValue(withFields(value, fields))
  const save = async () => {
    const isDone = await change(async () => {
      const [params, body] = [{ id: String(collection?.id) }, value]
      const stored = collection ? await collections.putCollection({ params, body }) : await collections.createCollection({ body }) // prettier-ignore
      onStored(stored.id!)
    })
    if (isDone) onClose()
  }
  return (
    <FormModal title={t(collection ? 'editCollection' : 'newCollection')} onSubmit={save} onClose={onClose}>
      <TextInput
        label={w('name')}
        required
        data-autofocus
        maxLength={255}
        value={value.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t('description')}
        autosize
        value={value.description ?? ''}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      {searches.length > 0 && (
        <Select
          label={t('savedSearch')}
          description={t('savedSearchHint')}
          clearable
          searchable
          data={searches.map((one) => ({ value: one.id, label: one.name }))}
          value={value.storedSearch === undefined ? null : String(value.storedSearch)}
          onChange={(id) => set({ storedSearch: id === null ? undefined : Number(id) })}
        />
      )}
      <Picker kind="role" label={t('roles')} value={value.roles ?? []} onChange={(chosen) => set({ roles: chosen })} />
      {own.includes('admin') && (
        <Picker
          kind="user"
          label={t('users')}
          value={value.users ?? []}
          onChange={(chosen) => set({ users: chosen })}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {w('cancel')}
        </Button>
        <Button type="submit" disabled={value.name.trim() === ''}>
          {w('save')}
        </Button>
      </Group>
    </FormModal>
  )
}
