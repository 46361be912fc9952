/** The form for a new product: name, category and the values that the category requires. The editor has the rest. */
import { Button, Group, Select, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useContentLocale } from '../../object/locales.ts'
import { modelKey, namesOfPath, toNodeTree, useClassificationTree } from '../../object/model.ts'
import { accepted } from '../../object/records.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { RequiredFields, useRequiredValues } from './editor/required-values.tsx'
import { productsKey } from './list.ts'
import { texts } from './texts.ts'

export function CreateProduct({ node, onClose }: { node: string | undefined; onClose: () => void }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { pim } = useClient()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [locale] = useContentLocale()
  const { data: nodes = [] } = useClassificationTree()
  const tree = toNodeTree(nodes, locale, () => '')
  const [path, setPath] = useState<string | null>(node ?? null)
  const [name, setName] = useState('')
  const [tid, setTid] = useState('')
  const [refusal, setRefusal] = useState<unknown>()
  const required = useRequiredValues('p', path ?? undefined, refusal)
  const create = async () => {
    try {
      const message = { name: name.trim(), node: path!, ...(tid && { tid }), vals: required.vals }
      const [record] = await accepted(pim.products.persist([message]))
      notifyDone(t('created', { name }))
      void queryClient.invalidateQueries({ queryKey: productsKey })
      void queryClient.invalidateQueries({ queryKey: modelKey })
      onClose()
      await navigate({ to: '/products/$tid', params: { tid: record!.tid ?? tid } })
    } catch (error) {
      setRefusal(error)
    }
  }
  return (
    <FormModal title={t('create')} onSubmit={create} onClose={onClose}>
      <TextInput
        label={t('createName')}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        required
        data-autofocus
      />
      <Select
        label={t('createIn')}
        data={nodes.map(({ path = '' }) => ({ value: path, label: namesOfPath(tree, path, locale).join(' › ') }))}
        value={path}
        onChange={(chosen) => {
          setPath(chosen)
          setRefusal(undefined)
        }}
        searchable
        required
      />
      <TextInput label={t('createTid')} value={tid} onChange={({ currentTarget }) => setTid(currentTarget.value)} />
      <RequiredFields {...required} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {word('cancel')}
        </Button>
        <Button type="submit" disabled={!name || !path}>
          {word('create')}
        </Button>
      </Group>
    </FormModal>
  )
}
