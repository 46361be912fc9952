/**
 * The dialog that changes many objects at once. The server previews the change first: how many objects change, old and new
 * values of some, and what it would refuse. A change can be undone, from the notification or from the list of past changes.
 */
import { Alert, Button, Group, List, Progress, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconPlus } from '@tabler/icons-react'
import type { ChangeSelection, Infer } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { commonTexts } from '../../ui/common-texts.ts'
import { InputModal } from '../../ui/input-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Failure } from '../../ui/states.tsx'
import { useClient } from '../client.tsx'
import type { Attribute } from '../values/attribute.ts'
import { ChangedValues, useValueTexts } from './changed-values.tsx'
import { OperationRow } from './operation-row.tsx'
import { type BulkChange, type BulkKind, type ChoiceName, newOperation, toOperation } from './operations.ts'
import { texts } from './texts.ts'
import { changesKey, useBulkChanges } from './use-changes.ts'
import classes from './bulk.module.css'

interface BulkDialogProps {
  readonly kind: BulkKind
  readonly count: number
  readonly attributes: ReadonlyMap<string, Attribute>
  /** The first operation to choose from. */
  readonly first?: ChoiceName
  readonly selection: () => Promise<Infer<typeof ChangeSelection>>
  readonly onClose: () => void
}

export function BulkDialog({ kind, count, attributes, first = 'set', selection, onClose }: BulkDialogProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const bulk = useBulkChanges()
  const [operations, setOperations] = useState([newOperation(first)])
  const [name, setName] = useState('')
  const [progress, setProgress] = useState<BulkChange>()
  const [isBusy, setBusy] = useState(false)
  const [preview, setPreview] = useState<BulkChange>()
  const [fault, setFault] = useState<unknown>()
  const messages = operations.map((one) => toOperation(one, attributes))
  const isReady = messages.every((one) => one !== undefined)
  const isAsset = kind === 'asset'

  const attempt = async (work: () => Promise<void>) => {
    setFault(undefined)
    setBusy(true)
    try {
      await work()
    } catch (error) {
      setFault(error)
    } finally {
      setBusy(false)
      setProgress(undefined)
    }
  }
  const dropPreview = () => {
    if (preview) void bulk.discard(preview.id!)
    setPreview(undefined)
  }
  const edit = (changed: typeof operations) => {
    dropPreview()
    setOperations(changed)
  }
  const look = () =>
    attempt(async () => {
      const body = { kind, selection: await selection(), operations: messages.flatMap((one) => one ?? []) }
      setPreview(await bulk.preview({ ...body, ...(name.trim() && { name: name.trim() }) }, setProgress))
    })
  const apply = () =>
    attempt(async () => {
      await bulk.start(preview!, setProgress)
      onClose()
    })
  const close = () => {
    // A change that runs continues on the server.
    if (!isBusy) dropPreview()
    onClose()
  }
  const changed = Number(preview?.changed ?? 0)
  return (
    <InputModal title={t(isAsset ? 'titleAsset' : 'titleProduct', { count })} size="xl" onClose={close}>
      <Stack>
        {operations.map((operation, i) => (
          <OperationRow
            key={operation.key}
            kind={kind}
            row={i + 1}
            operation={operation}
            attributes={attributes}
            onChange={(next) => edit(operations.with(i, next))}
            onRemove={operations.length > 1 ? () => edit(operations.toSpliced(i, 1)) : undefined}
          />
        ))}
        <Group justify="space-between" align="flex-end">
          <Button
            variant="subtle"
            leftSection={<IconPlus size={16} />}
            onClick={() => edit([...operations, newOperation(first)])}
          >
            {t('addOperation')}
          </Button>
          <TextInput
            w={280}
            label={t('name')}
            maxLength={200}
            value={name}
            onChange={({ currentTarget }) => {
              dropPreview()
              setName(currentTarget.value)
            }}
          />
        </Group>
        {preview && <ChangePreview change={preview} attributes={attributes} />}
        {fault !== undefined && <Failure error={fault} />}
        {isBusy && <Working change={progress} count={count} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {word('cancel')}
          </Button>
          {preview ? (
            <Button onClick={() => void apply()} loading={isBusy} disabled={changed === 0}>
              {t(isAsset ? 'applyFiles' : 'apply', { count: changed })}
            </Button>
          ) : (
            <Button onClick={() => void look()} loading={isBusy} disabled={!isReady}>
              {t('preview')}
            </Button>
          )}
        </Group>
      </Stack>
    </InputModal>
  )
}

function Working({ change, count }: { change: BulkChange | undefined; count: number }) {
  const t = useTexts(texts)
  const done = Number(change?.processed ?? 0)
  const total = Number(change?.total ?? count)
  const label = t('working', { done, count: total })
  return (
    <div>
      <Progress value={(100 * done) / Math.max(total, 1)} animated aria-label={label} />
      <Text size="xs" c="dimmed">
        {label}
      </Text>
    </div>
  )
}

const sampleSize = 10

/** The outcome of a preview: numbers, refusals, and some objects with old and new values. */
export function ChangePreview({
  change,
  attributes,
}: {
  change: BulkChange
  attributes: ReadonlyMap<string, Attribute>
}) {
  const t = useTexts(texts)
  const { changes } = useClient()
  const { id = '', kind, changed = 0, unchanged = 0, refused = 0, reasons = [] } = change
  const { data: items = [] } = useQuery({
    queryKey: [...changesKey, id, 'sample'],
    queryFn: async () =>
      (await changes.listChangeItems({ params: { id }, query: { status: 'changed', count: String(sampleSize) } }))
        .items ?? [],
    staleTime: Infinity,
  })
  const values = useValueTexts(items, attributes)
  return (
    <Stack gap="xs">
      <Alert color="teal" icon={<IconCheck />} p="xs">
        {t(kind === 'asset' ? 'willChangeFiles' : 'willChange', { count: Number(changed) })}
        {Number(unchanged) > 0 && ` · ${t('stay', { count: Number(unchanged) })}`}
      </Alert>
      {Number(refused) > 0 && (
        <Alert color="amber" icon={<IconAlertTriangle />} title={t('willRefuse', { count: Number(refused) })} p="xs">
          <List size="sm">
            {reasons.map(({ reason = '', count = 0 }) => (
              <List.Item key={reason}>
                {reason} ({Number(count)})
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {items.length > 0 && (
        <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('changes')}>
          <Text size="sm" fw={600}>
            {t('sample', { count: items.length })}
          </Text>
          <table className={classes.items}>
            <tbody>
              {items.map((item) => (
                <tr key={item.tid}>
                  <th scope="row">{item.name ?? item.tid}</th>
                  <td>
                    <ChangedValues item={item} {...values} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Stack>
  )
}
