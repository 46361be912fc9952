/** One change: its numbers, the outcome for each object with values before and after, and undo. */
import { Alert, Badge, Button, Group, List, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconArrowBackUp, IconPlayerStop } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ChangedValues, useValueTexts } from '../../object/bulk/changed-values.tsx'
import type { BulkChange, BulkItem } from '../../object/bulk/operations.ts'
import { Reason } from '../../object/bulk/reason.tsx'
import { useSummary } from '../../object/bulk/summary.ts'
import { texts } from '../../object/bulk/texts.ts'
import { changesKey, isWorking, useBulkChanges } from '../../object/bulk/use-changes.ts'
import classes from '../../object/bulk/bulk.module.css'
import { useChange } from '../../object/change.ts'
import { useClient } from '../../object/client.tsx'
import { useAssetAttributes, useAttributes } from '../../object/model.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { openConfirmModal } from '../../ui/dialogs.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { storedText } from '../../object/stored-text.ts'

/** The outcomes that people can filter by, as parameters of the call. */
const filters = {
  all: {},
  status_changed: { status: 'changed' },
  status_refused: { status: 'refused' },
  undo_refused: { undo: 'refused' },
} as const
type Filter = keyof typeof filters

export function ChangeDetail({ change }: { readonly change: BulkChange }) {
  const t = useTexts(texts)
  const format = useFormat()
  const summary = useSummary()
  const [filter, setFilter] = useState<Filter>('all')
  const { kind, user = '', createdAt = '', total = 0, changed = 0, refused = 0, undone = 0, undoRefused = 0 } = change
  const counts: Record<Filter, number> = {
    all: Number(total),
    status_changed: Number(changed),
    status_refused: Number(refused),
    undo_refused: Number(undoRefused),
  }
  const offered = (Object.keys(filters) as Filter[]).filter((name) => name === 'all' || counts[name] > 0)
  return (
    <Stack p="md" gap="md">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2}>{summary(change)}</Title>
          <Text size="sm" c="dimmed">
            {t('by', { user, time: format.dateTime(createdAt) })} ·{' '}
            {t(kind === 'asset' ? 'objectFiles' : 'objects', { count: Number(total) })}
            {Number(undone) > 0 && ` · ${t('undoneCount', { count: Number(undone) })}`}
          </Text>
        </div>
        <Controls change={change} />
      </Group>
      <Reasons change={change} />
      <SegmentedControl
        data={offered.map((value) => ({ value, label: `${t(value)} (${format.number(counts[value])})` }))}
        value={filter}
        onChange={(value) => setFilter(value as Filter)}
        aria-label={t('result')}
        style={{ alignSelf: 'flex-start' }}
      />
      <Items key={filter} change={change} filter={filter} />
    </Stack>
  )
}

function Controls({ change }: { readonly change: BulkChange }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { changes } = useClient()
  const { undo } = useBulkChanges()
  const attempt = useChange(changesKey)
  const [isBusy, setBusy] = useState(false)
  const { id = '' } = change
  const ask = () =>
    openConfirmModal({
      title: t('undoTitle'),
      children: <Text size="sm">{t('undoBody')}</Text>,
      labels: { confirm: word('undo'), cancel: word('cancel') },
      closeButtonProps: { 'aria-label': word('close') },
      onConfirm() {
        setBusy(true)
        void undo(id).finally(() => setBusy(false))
      },
    })
  if (isWorking(change) && !isBusy)
    return (
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={16} />}
        onClick={() => void attempt(() => changes.controlChange({ params: { id, command: 'cancel' } }))}
      >
        {t('cancel')}
      </Button>
    )
  if (!change.undoable && !isBusy) return null
  return (
    <Button leftSection={<IconArrowBackUp size={16} />} loading={isBusy} onClick={ask}>
      {t('undo')}
    </Button>
  )
}

/** Why objects were refused or not undone. */
function Reasons({ change: { id = '', processed, undone, undoRefused, problem } }: { readonly change: BulkChange }) {
  const t = useTexts(texts)
  const { changes } = useClient()
  const { data } = useQuery({
    queryKey: [...changesKey, id, 'reasons', Number(processed), Number(undone), Number(undoRefused)],
    queryFn: async () => (await changes.getChange({ params: { id } })).reasons ?? [],
  })
  if (!problem && !data?.length) return null
  return (
    <Alert color="amber" icon={<IconAlertTriangle />} title={t(problem ? 'failed' : 'status_refused')} p="xs">
      {problem && storedText(problem)}
      <List size="sm">
        {data?.map(({ reason = '', count = 0 }) => (
          <List.Item key={reason}>
            {storedText(reason)} ({Number(count)})
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

const pageSize = 50

function Items({ change, filter }: { readonly change: BulkChange; readonly filter: Filter }) {
  const t = useTexts(texts)
  const { changes } = useClient()
  const { id = '', kind, state, processed, undone } = change
  const ofProducts = useAttributes()
  const ofFiles = useAssetAttributes(kind === 'asset')
  const attributes = kind === 'asset' ? ofFiles : ofProducts
  const query = useInfiniteQuery({
    queryKey: [...changesKey, id, 'items', filter, state, Number(processed), Number(undone)],
    initialPageParam: '0',
    queryFn: async ({ pageParam }) => {
      const query = { ...filters[filter], after: pageParam, count: String(pageSize) }
      return (await changes.listChangeItems({ params: { id }, query })).items ?? []
    },
    getNextPageParam: (last) => (last.length < pageSize ? undefined : String(last.at(-1)!.number)),
  })
  const items = query.data?.pages.flat() ?? []
  const values = useValueTexts(items, attributes)
  const isHidden = items.some((item) => item.status === 'changed' && !item.changes)
  return (
    <Loaded query={query}>
      {() => (
        <>
          {isHidden && <Text c="dimmed">{t('hidden')}</Text>}
          <table className={classes.items}>
            <thead>
              <tr>
                <th scope="col">{t('object')}</th>
                <th scope="col">{t('changes')}</th>
                <th scope="col">{t('result')}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <tr key={String(item.number)}>
                  <th scope="row">
                    <ObjectLink kind={kind} item={item} />
                  </th>
                  <td>
                    <ChangedValues item={item} {...values} />
                  </td>
                  <td>
                    <Outcome item={item} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {query.hasNextPage && (
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t('more')}
            </Button>
          )}
        </>
      )}
    </Loaded>
  )
}

function ObjectLink({ kind, item: { tid = '', name = tid } }: { kind: BulkChange['kind']; item: BulkItem }) {
  return kind === 'asset' ? (
    <Link to="/assets/$tid" params={{ tid }}>
      {name}
    </Link>
  ) : (
    <Link to="/products/$tid" params={{ tid }}>
      {name}
    </Link>
  )
}

const colours = { changed: 'teal', unchanged: 'gray', refused: 'amber' } as const

function Outcome({ item }: { readonly item: BulkItem }) {
  const { status = 'changed', reason, undo, undoReason } = item
  const t = useTexts(texts)
  return (
    <Stack gap={4} align="flex-start">
      <Badge variant="light" tt="none" color={undo === 'undone' ? 'gray' : undo ? 'amber' : colours[status]}>
        {undo ? t(`undo_${undo}`) : t(`status_${status}`)}
      </Badge>
      {(undoReason ?? reason) && <Text size="xs">{undoReason ? storedText(undoReason) : <Reason item={item} />}</Text>}
    </Stack>
  )
}
