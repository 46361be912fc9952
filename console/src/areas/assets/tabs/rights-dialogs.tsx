/** Dialogs about a file that must not be used: allow it for a while, or replace it in all places. */
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useBulkChanges } from '../../../object/bulk/use-changes.ts'
import { useClient } from '../../../object/client.tsx'
import { toItems } from '../../../object/items.ts'
import { PickOne } from '../../../object/picker.tsx'
import { accepted } from '../../../object/records.ts'
import { usageTexts } from '../../../object/usage-texts.ts'
import { commonTexts } from '../../../ui/common-texts.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { FormModal } from '../../../ui/form-modal.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../../ui/notifications.tsx'
import { type AssetMessage, useRefresh } from '../assets.ts'
import { UsageTab } from './usage-tab.tsx'

interface DialogProps {
  readonly asset: AssetMessage
  readonly onClose: () => void
}

function usePerform({ asset, onClose }: DialogProps) {
  const w = useTexts(commonTexts)
  const { dam } = useClient()
  const refresh = useRefresh()
  return async (type: 'overrideUsage', facts: Record<string, string>, done: string) => {
    try {
      await accepted(dam.assets.perform([{ type, tid: asset.tid!, meta: { itm: toItems(facts) } }]))
      notifyDone(done)
      refresh()
      onClose()
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
  }
}

export function OverrideDialog({ asset, onClose }: DialogProps) {
  const t = useTexts(usageTexts)
  const w = useTexts(commonTexts)
  const perform = usePerform({ asset, onClose })
  const [until, setUntil] = useState('')
  const [reason, setReason] = useState('')
  const save = (end: string) => perform('overrideUsage', { until: end, reason }, t('overrideDone'))
  return (
    <FormModal title={t('overrideTitle')} onSubmit={() => save(until)} onClose={onClose}>
      <Text size="sm">{t('overrideHint')}</Text>
      <DateField label={t('overrideUntil')} required value={until} onChange={setUntil} />
      <TextInput
        label={t('overrideReason')}
        required
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        {asset.usageRights?.overrideUntil && (
          <Button variant="default" onClick={() => void save('')}>
            {t('overrideEnd')}
          </Button>
        )}
        <Button type="submit" disabled={until === '' || reason.trim() === ''}>
          {w('save')}
        </Button>
      </Group>
    </FormModal>
  )
}

/** Shows first where the file is used. */
export function ReplaceDialog({ asset, onClose }: DialogProps) {
  const t = useTexts(usageTexts)
  const w = useTexts(commonTexts)
  const { run } = useBulkChanges()
  const [other, setOther] = useState<string>()
  const replace = async () => {
    const operations = [{ type: 'replaceFile' as const, to: other! }]
    try {
      await run({ kind: 'asset', selection: { tids: [asset.tid!] }, operations }, (count) =>
        t('replaceDone', { count }),
      )
      onClose()
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
  }
  return (
    <FormModal title={t('replaceTitle', { name: asset.name ?? '' })} size="lg" onSubmit={replace} onClose={onClose}>
      <Text size="sm">{t('replaceHint')}</Text>
      <UsageTab asset={asset} />
      <PickOne kind="file" label={t('replacement')} required value={other} onChange={setOther} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {w('cancel')}
        </Button>
        <Button type="submit" disabled={other === undefined || other === asset.tid}>
          {t('replace')}
        </Button>
      </Group>
    </FormModal>
  )
}
