/** The form for a new channel: ID, name and type. */
import { Button, Group, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { nameIn } from '../../object/items.ts'
import { accepted } from '../../object/records.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useLanguage, useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { type Channel, useChannelChange } from './channels.ts'
import { texts } from './texts.ts'

interface CreateChannelProps {
  readonly below: Channel | undefined
  readonly onClose: () => void
  readonly onCreated: (tid: string) => void
}

export function CreateChannel({ below, onClose, onCreated }: CreateChannelProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { language } = useLanguage()
  const { cm } = useClient()
  const change = useChannelChange()
  const [name, setName] = useState('')
  const [tid, setTid] = useState('')
  const [type, setType] = useState<string | null>(below?.type ?? null)
  const { data: types = [] } = useQuery({
    queryKey: ['channel-types'],
    queryFn: async () => (await cm.listChannelTypes()).projectDefs?.projectDef ?? [],
    staleTime: 300_000,
  })
  const create = async () => {
    const parent = below && { parentTid: below.tid! }
    const done = await change(() =>
      accepted(cm.channels.persist([{ tid: tid.trim(), name: name.trim(), type: type!, ...parent }])),
    )
    if (!done) return
    notifyDone(t('created', { name }))
    onCreated(tid.trim())
    onClose()
  }
  const title = below ? t('createBelow', { name: below.name ?? '' }) : t('createTitle')
  return (
    <FormModal title={title} onSubmit={create} onClose={onClose}>
      <TextInput
        label={word('name')}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        required
        data-autofocus
      />
      <TextInput label={t('tid')} value={tid} onChange={({ currentTarget }) => setTid(currentTarget.value)} required />
      <Select
        label={t('kind')}
        data={types.map(({ tid: value = '', name: names }) => ({ value, label: nameIn(names, language) || value }))}
        value={type}
        onChange={setType}
        searchable
        required
      />
      <Group justify="flex-end">
        <Button type="submit" disabled={!name || !tid || !type}>
          {word('create')}
        </Button>
      </Group>
    </FormModal>
  )
}
