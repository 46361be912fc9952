/** The form for a new channel text (product extension object): product, template and name. */
import { Button, Group, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { DraftNotice, useFormDraft } from '../../object/form-draft.tsx'
import { accepted } from '../../object/records.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { type Channel, useChannelChange } from './channels.ts'
import { useProductSearch } from './add-products.tsx'
import { texts } from './texts.ts'

interface NewPeo {
  readonly product?: { readonly value: string; readonly label: string } | undefined
  readonly template?: string | undefined
  readonly name?: string
}

export function CreatePeo({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { peo } = useClient()
  const change = useChannelChange()
  const [search, setSearch] = useState('')
  const draft = useFormDraft<NewPeo>(`peo.${channel.tid}`, {})
  const { product, template, name = '' } = draft.value
  // the label of a chosen product is not a search text
  const { data: products = [] } = useProductSearch(search === product?.label ? '' : search)
  const found = products.map(({ tid = '', name: label = tid }) => ({ value: tid, label: `${label} (${tid})` }))
  const isFound = found.some(({ value }) => value === product?.value)
  const { data: templates = [] } = useQuery({
    queryKey: ['peo-templates'],
    queryFn: async () => (await peo.listTemplates()).templates?.template ?? [],
    staleTime: 60_000,
  })
  const create = async () => {
    const nodes = { node: [{ tid: channel.tid! }] }
    const created = { name: name.trim(), productTid: product!.value, templateTid: template!, nodes }
    if (!(await change(() => accepted(peo.peos.persist([created]))))) return
    draft.discard()
    notifyDone(t('created', { name }))
    onClose()
  }
  return (
    <FormModal title={t('newPeo')} keepsInput onSubmit={create} onClose={onClose}>
      <DraftNotice draft={draft} />
      <Select
        label={t('extends')}
        data={product && !isFound ? [product, ...found] : found}
        filter={({ options }) => options}
        value={product?.value ?? null}
        onChange={(_, option) => draft.change({ ...draft.value, product: option ?? undefined })}
        searchValue={search}
        onSearchChange={setSearch}
        searchable
        required
      />
      <Select
        label={t('template')}
        data={templates.map(({ tid = '', name: label = tid }) => ({ value: tid, label }))}
        value={template ?? null}
        onChange={(tid) => draft.change({ ...draft.value, template: tid ?? undefined })}
        required
      />
      <TextInput
        label={t('peoName')}
        value={name}
        onChange={({ currentTarget }) => draft.change({ ...draft.value, name: currentTarget.value })}
        required
      />
      <Group justify="flex-end">
        <Button type="submit" disabled={!name || !product || !template}>
          {word('create')}
        </Button>
      </Group>
    </FormModal>
  )
}
