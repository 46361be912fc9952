/** A dialog that adds the selected files to a collection, or to a new one. */
import { Button, Group, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { commonTexts } from '../../ui/common-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { useClient } from '../client.tsx'
import { sharingTexts } from './texts.ts'
import { useCollectionChange, useCollections } from './use-sharing.ts'

export function AddToCollection({ tids, onClose }: { tids: readonly string[]; onClose: () => void }) {
  const t = useTexts(sharingTexts)
  const w = useTexts(commonTexts)
  const { collections } = useClient()
  const change = useCollectionChange()
  const [chosen, setChosen] = useState<string | null>(null)
  const [name, setName] = useState('')
  const own = (useCollections().data ?? []).filter(({ isOwn, isSearch }) => isOwn && !isSearch)
  const add = async () => {
    const isDone = await change(async () => {
      const id = chosen ?? String((await collections.createCollection({ body: { name: name.trim() } })).id)
      const stored = await collections.changeCollectionAssets({ params: { id }, body: { add: [...tids] } })
      notifyDone(t('added', { count: tids.length, name: stored.name }))
    })
    if (isDone) onClose()
  }
  return (
    <FormModal title={t('addTo')} onSubmit={add} onClose={onClose}>
      {own.length > 0 && (
        <Select
          label={t('collection')}
          data-autofocus
          searchable
          clearable
          data={own.map((one) => ({ value: String(one.id), label: one.name }))}
          value={chosen}
          onChange={setChosen}
        />
      )}
      <TextInput
        label={t('orNew')}
        disabled={chosen !== null}
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {w('cancel')}
        </Button>
        <Button type="submit" disabled={chosen === null && name.trim() === ''}>
          {w('add')}
        </Button>
      </Group>
    </FormModal>
  )
}
