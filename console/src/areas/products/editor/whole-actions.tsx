/** What can be done with a product as a whole: copy and delete. */
import { TextInput } from '@mantine/core'
import { openConfirmModal } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useClient } from '../../../object/client.tsx'
import { modelKey } from '../../../object/model.ts'
import { toItems } from '../../../object/items.ts'
import { accepted } from '../../../object/records.ts'
import { confirmDanger } from '../../../ui/confirm.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { tellDone, tellFailed } from '../../../ui/tell.tsx'
import { words } from '../../../ui/words.ts'
import { productsKey } from '../list.ts'
import type { ProductMessage } from './product.ts'
import { texts } from './texts.ts'

export function useWholeActions({ tid = '', name = '', node }: ProductMessage) {
  const t = useTexts(texts)
  const word = useTexts(words)
  const { pim } = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const refresh = () => Promise.all([productsKey, modelKey].map((queryKey) => queries.invalidateQueries({ queryKey })))
  const failed = (error: unknown) => tellFailed(word('failed'), error)

  const makeCopy = async (newProductName: string) => {
    const [record] = await accepted(
      pim.products.perform([{ type: 'copy', tid, meta: { itm: toItems({ newProductName }) } }]),
    )
    tellDone(t('copied', { name }))
    await refresh()
    if (record?.tid) await navigate({ to: '/products/$tid', params: { tid: record.tid } })
  }
  const makeGone = async () => {
    await accepted(pim.products.perform([{ type: 'delete', tid }]))
    await refresh()
    await navigate({ to: '/products', search: { node } as never })
  }
  return {
    copy() {
      let chosen = `${name} (2)`
      openConfirmModal({
        title: t('copy'),
        children: (
          <TextInput
            label={t('copyName')}
            defaultValue={chosen}
            onChange={({ currentTarget }) => (chosen = currentTarget.value)}
            data-autofocus
          />
        ),
        labels: { confirm: word('copy'), cancel: word('cancel') },
        onConfirm: () => void makeCopy(chosen).catch(failed),
      })
    },
    remove() {
      confirmDanger({
        title: t('delete'),
        body: t('deleteBody', { name }),
        confirm: word('delete'),
        cancel: word('cancel'),
        onConfirm: () => void makeGone().catch(failed),
      })
    },
  }
}
