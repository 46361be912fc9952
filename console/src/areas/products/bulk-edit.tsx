/**
 * The dialog that sets one value in many products. A dry run shows first what the server would refuse. The change can
 * be undone, because the previous values are read before it.
 */
import { Alert, Button, Checkbox, Group, List, Modal, Progress, Select, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useContentLocale } from '../../object/locales.ts'
import { useAttributes } from '../../object/model.ts'
import type { Texts } from '../../object/values/draft.ts'
import { ValueField } from '../../object/values/value-field.tsx'
import type { Selection } from '../../ui/grid/selection.ts'
import { useTexts } from '../../ui/language.tsx'
import { Failure } from '../../ui/states.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { applyChange, type BulkOutcome, undoChange } from './bulk-change.ts'
import { type ProductFilter, productsKey, tidsOf } from './list.ts'
import { texts } from './texts.ts'

interface BulkEditProps {
  readonly filter: ProductFilter
  readonly selection: Selection
  readonly count: number
  readonly onClose: () => void
}

export function BulkEdit({ filter, selection, count, onClose }: BulkEditProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const client = useClient()
  const queryClient = useQueryClient()
  const attributes = useAttributes()
  const [contentLocale] = useContentLocale()
  const [key, setKey] = useState<string | null>(null)
  const [written, setWritten] = useState<Texts>([])
  const [removing, setRemoving] = useState(false)
  const [done, setDone] = useState<number>()
  const [preview, setPreview] = useState<BulkOutcome>()
  const [fault, setFault] = useState<unknown>()
  const attribute = key === null ? undefined : attributes.get(key)
  const locale = attribute?.localized ? contentLocale : ''

  const run = async (dryRun: boolean) => {
    setFault(undefined)
    setDone(0)
    try {
      const tids = await tidsOf(client, filter, selection)
      const outcome = await applyChange(
        client,
        tids,
        { attribute: attribute!, locale, texts: removing ? [] : written },
        { dryRun, onProgress: setDone },
      )
      if (dryRun) return setPreview(outcome)
      onClose()
      await queryClient.invalidateQueries({ queryKey: productsKey })
      const revert = async () => {
        await undoChange(client, outcome)
        await queryClient.invalidateQueries({ queryKey: productsKey })
        notifyDone(t('undone'))
      }
      const undo = () => void revert().catch((error: unknown) => notifyFailed(word('failed'), error))
      notifyDone(t('changed', { count: outcome.changed }), { label: word('undo'), run: undo })
    } catch (error) {
      setFault(error)
    } finally {
      setDone(undefined)
    }
  }
  const edit = (texts: Texts) => {
    setWritten(texts)
    setPreview(undefined)
  }
  const ready = attribute && (removing || written.some(Boolean))
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('bulkTitle', { count })}
      size="lg"
      closeButtonProps={{ 'aria-label': word('close') }}
    >
      <Stack>
        <Select
          label={t('attribute')}
          data={[...attributes.values()]
            .filter(({ dataType, readOnly }) => dataType !== 'table' && !readOnly)
            .map(({ key, label }) => ({ value: key, label: `${label} (${key})` }))}
          value={key}
          onChange={(chosen) => {
            setKey(chosen)
            edit([])
          }}
          searchable
        />
        {attribute && (
          <>
            <ValueField
              attribute={attribute}
              texts={removing ? [] : written}
              onChange={edit}
              disabled={removing}
              label={attribute.localized ? `${t('value')} (${locale})` : t('value')}
            />
            <Checkbox
              label={t('clearValue')}
              checked={removing}
              onChange={({ currentTarget }) => {
                setRemoving(currentTarget.checked)
                setPreview(undefined)
              }}
            />
          </>
        )}
        {preview && <Preview outcome={preview} />}
        {fault !== undefined && <Failure error={fault} />}
        {done !== undefined && (
          <>
            <Progress value={(100 * done) / count} animated aria-label={t('working', { done, count })} />
            <Text size="xs" c="dimmed">
              {t('working', { done, count })}
            </Text>
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {word('cancel')}
          </Button>
          {preview ? (
            <Button onClick={() => void run(false)} loading={done !== undefined} disabled={preview.changed === 0}>
              {t('applyTo', { count: preview.changed })}
            </Button>
          ) : (
            <Button onClick={() => void run(true)} loading={done !== undefined} disabled={!ready}>
              {t('preview')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

function Preview({ outcome: { changed, refused } }: { outcome: BulkOutcome }) {
  const t = useTexts(texts)
  const reasons = Map.groupBy(refused, ({ reason }) => reason)
  return (
    <Stack gap="xs">
      <Alert color="teal" icon={<IconCheck />} p="xs">
        {t('willChange', { count: changed })}
      </Alert>
      {refused.length > 0 && (
        <Alert color="amber" icon={<IconAlertTriangle />} title={t('willRefuse', { count: refused.length })} p="xs">
          <List size="sm">
            {[...reasons].slice(0, 5).map(([reason, those]) => (
              <List.Item key={reason}>
                {reason} ({those.length})
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  )
}
