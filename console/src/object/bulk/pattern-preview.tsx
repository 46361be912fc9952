/** The outcome of a live preview: the files that change with old and new content, and those that do not, with the reason. */
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { commonTexts } from '../../ui/common-texts.ts'
import { useFormat } from '../../ui/format.ts'
import { InputModal } from '../../ui/input-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Failure } from '../../ui/states.tsx'
import { useClient } from '../client.tsx'
import { ChangedValues, useValueTexts } from './changed-values.tsx'
import type { BulkChange, Operation } from './operations.ts'
import { patternTexts } from './pattern-texts.ts'
import { Reason } from './reason.tsx'
import { changesKey } from './use-changes.ts'
import { type Selection, useLivePreview } from './use-live-preview.ts'
import classes from './bulk.module.css'

interface PatternModalProps {
  readonly of: 'rename' | 'linkByName'
  readonly selection: Selection
  /** Undefined while a field is missing. */
  readonly operation: Operation | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}

export function PatternModal({ of, selection, operation, onClose, children }: PatternModalProps) {
  const t = useTexts(patternTexts)
  const word = useTexts(commonTexts)
  const { change, isBusy, fault, apply, close } = useLivePreview(selection, operation, onClose)
  const count = Number(change?.changed ?? 0)
  return (
    <InputModal title={t(of)} size="xl" onClose={close}>
      <Stack>
        {children}
        {fault !== undefined && <Failure error={fault} />}
        {change && <Preview change={change} isLink={of === 'linkByName'} />}
        <Group justify="flex-end">
          {isBusy && (
            <Text size="sm" c="dimmed" role="status">
              {t('previewing')}
            </Text>
          )}
          <Button variant="default" onClick={close}>
            {word('cancel')}
          </Button>
          <Button
            onClick={() => void apply()}
            disabled={!change || count === 0}
            loading={isBusy && change !== undefined}
          >
            {t(of === 'rename' ? 'applyRename' : 'applyLink', { count })}
          </Button>
        </Group>
      </Stack>
    </InputModal>
  )
}

const statuses = ['changed', 'refused', 'unchanged'] as const
type Status = (typeof statuses)[number]
const shownItems = 100

function Preview({ change, isLink }: { change: BulkChange; isLink: boolean }) {
  const t = useTexts(patternTexts)
  const format = useFormat()
  const { changes } = useClient()
  const [chosen, setStatus] = useState<Status>('changed')
  const countOf = (status: Status) => Number(change[status] ?? 0)
  const offered = statuses.filter((status) => status === 'changed' || countOf(status) > 0)
  const status = offered.includes(chosen) ? chosen : 'changed'
  const { id = '' } = change
  const { data: items = [] } = useQuery({
    queryKey: [...changesKey, id, 'preview', status],
    queryFn: async () =>
      (await changes.listChangeItems({ params: { id }, query: { status, count: String(shownItems) } })).items ?? [],
    staleTime: Infinity,
  })
  const values = useValueTexts(items, new Map())
  const labelOf = (one: Status) =>
    t(one === 'changed' && isLink ? 'status_linked' : `status_${one}`, { count: format.number(countOf(one)) })
  return (
    <Stack gap="xs">
      <SegmentedControl
        data={offered.map((value) => ({ value, label: labelOf(value) }))}
        value={status}
        onChange={(value) => setStatus(value as Status)}
        style={{ alignSelf: 'flex-start' }}
      />
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={labelOf(status)}>
        {items.length === 0 && <Text size="sm">{t('nothing')}</Text>}
        <table className={classes.items}>
          <tbody>
            {items.map((item) => (
              <tr key={item.tid}>
                <th scope="row">{item.name ?? item.tid}</th>
                <td>{status === 'refused' ? <Reason item={item} /> : <ChangedValues item={item} {...values} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Stack>
  )
}
