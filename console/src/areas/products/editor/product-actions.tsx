/** Actions on the whole product: copy and delete. */
import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useClient } from '../../../object/client.tsx'
import { useChange } from '../../../object/change.ts'
import { modelKey } from '../../../object/model.ts'
import { toItems } from '../../../object/items.ts'
import { accepted } from '../../../object/records.ts'
import { confirmDanger } from '../../../ui/confirm.tsx'
import { openConfirmModal } from '../../../ui/dialogs.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../../ui/notifications.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { productsKey } from '../list.ts'
import type { ProductMessage } from './product.ts'
import { texts } from './texts.ts'
import { productKey } from './use-product.ts'

export function useWholeActions({ tid = '', name = '', node }: ProductMessage) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { pim } = useClient()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const refresh = () =>
    Promise.all([productsKey, modelKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  const failed = (error: unknown) => notifyFailed(word('failed'), error)

  const makeCopy = async (newProductName: string) => {
    const [record] = await accepted(
      pim.products.perform([{ type: 'copy', tid, meta: { itm: toItems({ newProductName }) } }]),
    )
    notifyDone(t('copied', { name }))
    await refresh()
    if (record?.tid) await navigate({ to: '/products/$tid', params: { tid: record.tid } })
  }
  const makeGone = async () => {
    await accepted(pim.products.perform([{ type: 'delete', tid }]))
    await refresh()
    await navigate({ to: '/products', search: { node } })
  }
  const change = useChange(productKey(tid), productsKey, modelKey, ['completeness'], ['products', 'history'])
  return {
    /** Returns whether it was accepted. */
    move: (path: string) =>
      change(async () => {
        await accepted(pim.products.persist([{ tid, node: path }]))
        notifyDone(t('moved', { name }))
      }),
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
