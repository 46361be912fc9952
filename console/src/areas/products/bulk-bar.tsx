/** Actions on the selected products, in place of the toolbar. */
import { Button, CloseButton, Text } from '@mantine/core'
import { IconEdit, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMay } from '../../object/client.tsx'
import { modelKey } from '../../object/model.ts'
import { isRefused } from '../../object/records.ts'
import { confirmDanger } from '../../ui/confirm.tsx'
import { chosenCount, everything, noSelection, type Selection } from '../../ui/grid/selection.ts'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { BulkEdit } from './bulk-edit.tsx'
import { type ProductFilter, productsKey, tidsOf } from './list.ts'
import { texts } from './texts.ts'
import classes from './products.module.css'

interface BulkBarProps {
  readonly filter: ProductFilter
  readonly selection: Selection
  readonly total: number
  readonly onSelect: (selection: Selection) => void
}

export function BulkBar({ filter, selection, total, onSelect }: BulkBarProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const client = useClient()
  const may = useMay()
  const queryClient = useQueryClient()
  const [editing, setEditing] = useState(false)
  const count = chosenCount(selection, total)
  const remove = async () => {
    const tids = await tidsOf(client, filter, selection)
    let refused = 0
    for (let from = 0; from < tids.length; from += 500) {
      const actions = tids.slice(from, from + 500).map((tid) => ({ type: 'delete' as const, tid }))
      refused += (await client.pim.products.perform(actions)).filter(isRefused).length
    }
    notifyDone(t('deleted', { count: tids.length - refused }))
    if (refused > 0) notifyFailed(word('refused', { count: refused }), { message: t('inUse', { count: refused }) })
    onSelect(noSelection)
    await queryClient.invalidateQueries({ queryKey: productsKey })
    await queryClient.invalidateQueries({ queryKey: modelKey })
  }
  const askRemove = () =>
    confirmDanger({
      title: t('deleteTitle', { count }),
      body: t('deleteBody'),
      confirm: word('delete'),
      cancel: word('cancel'),
      onConfirm: () => void remove().catch((error: unknown) => notifyFailed(word('failed'), error)),
    })
  return (
    <div className={classes.tools} data-bulk>
      <CloseButton aria-label={t('clearSelection')} onClick={() => onSelect(noSelection)} />
      <Text size="sm" fw={600} role="status">
        {word('selected', { count })}
      </Text>
      {count < total && (
        <Button size="compact-sm" variant="subtle" onClick={() => onSelect(everything)}>
          {t('selectAllFound', { count: total })}
        </Button>
      )}
      {may('update', 'product') && (
        <Button ml="auto" leftSection={<IconEdit size={16} />} onClick={() => setEditing(true)}>
          {t('bulk')}
        </Button>
      )}
      {may('delete', 'product') && (
        <Button variant="light" color="red" leftSection={<IconTrash size={16} />} onClick={askRemove}>
          {word('delete')}
        </Button>
      )}
      {editing && <BulkEdit filter={filter} selection={selection} count={count} onClose={() => setEditing(false)} />}
    </div>
  )
}
