/** Actions on the selected products, in place of the toolbar. */
import { Button, CloseButton, Group, Text } from '@mantine/core'
import { IconEdit, IconFileExport, IconRoute, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { BulkDialog } from '../../object/bulk/bulk-dialog.tsx'
import { useClient, useMay } from '../../object/client.tsx'
import { modelKey, useAttributes } from '../../object/model.ts'
import { isRefused } from '../../object/records.ts'
import { StartWorkflow } from '../../object/start-workflow.tsx'
import { confirmDanger } from '../../ui/confirm.tsx'
import { chosenCount, everything, noSelection, type Selection } from '../../ui/grid/selection.ts'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { BulkExport } from './bulk-export.tsx'
import { type ProductFilter, productsKey, selectionOf, tidsOf } from './list.ts'
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
  const attributes = useAttributes()
  const [dialog, setDialog] = useState<'change' | 'export'>()
  const [starting, setStarting] = useState<readonly string[]>()
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
  const startWorkflow = async () => {
    if (count > mostProcesses) throw new Error(t('tooMany', { count: mostProcesses }))
    setStarting(await tidsOf(client, filter, selection))
  }
  const failed = (error: unknown) => notifyFailed(word('failed'), error)
  const close = () => setDialog(undefined)
  const askRemove = () =>
    confirmDanger({
      title: t('deleteTitle', { count }),
      body: t('deleteBody'),
      confirm: word('delete'),
      cancel: word('cancel'),
      onConfirm: () => void remove().catch(failed),
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
      <Group gap="xs" ml="auto">
        {may('update', 'product') && (
          <Button leftSection={<IconEdit size={16} />} onClick={() => setDialog('change')}>
            {t('bulk')}
          </Button>
        )}
        {may('create', 'workflow') && (
          <Button
            variant="default"
            leftSection={<IconRoute size={16} />}
            onClick={() => void startWorkflow().catch(failed)}
          >
            {t('bulkWorkflow')}
          </Button>
        )}
        <Button variant="default" leftSection={<IconFileExport size={16} />} onClick={() => setDialog('export')}>
          {t('bulkExport')}
        </Button>
        {may('delete', 'product') && (
          <Button variant="light" color="red" leftSection={<IconTrash size={16} />} onClick={askRemove}>
            {word('delete')}
          </Button>
        )}
      </Group>
      {dialog === 'change' && (
        <BulkDialog
          kind="product"
          count={count}
          attributes={attributes}
          selection={() => selectionOf(client, filter, selection)}
          onClose={close}
        />
      )}
      {dialog === 'export' && (
        <BulkExport count={count} tids={() => tidsOf(client, filter, selection)} onClose={close} />
      )}
      {starting && <StartWorkflow kind="product" tids={starting} onClose={() => setStarting(undefined)} />}
    </div>
  )
}

/** A process for each product has tasks for people, so more are taken for a mistake. */
const mostProcesses = 1000
