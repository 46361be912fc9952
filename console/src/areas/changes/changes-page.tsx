/** Past changes of many objects: what each did, and a button that undoes it. */
import { Badge, NavLink, Progress, Text } from '@mantine/core'
import { IconPencilBolt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type BulkChange } from '../../object/bulk/operations.ts'
import { useSummary } from '../../object/bulk/summary.ts'
import { texts } from '../../object/bulk/texts.ts'
import { changesKey, isWorking } from '../../object/bulk/use-changes.ts'
import { useClient } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { ChangeDetail } from './change-detail.tsx'

export function ChangesPage() {
  const t = useTexts(texts)
  const { changes } = useClient()
  const [{ change: chosen }, go] = useUrlState()
  const list = useQuery({
    queryKey: changesKey,
    queryFn: async () => ((await changes.listChanges()).changes ?? []).filter(({ state }) => !unfinished.has(state)),
    refetchInterval: ({ state }) => (state.data?.some(isWorking) ? 1000 : 15_000),
  })
  const selected = list.data?.find(({ id }) => id === chosen) ?? list.data?.[0]
  return (
    <Page title={t('past')} fill>
      <Panes
        sideLabel={t('past')}
        side={
          <Loaded query={list}>
            {(all) =>
              all.map((one) => (
                <Entry
                  key={one.id}
                  change={one}
                  isChosen={one === selected}
                  onOpen={() => go({ change: one.id }, true)}
                />
              ))
            }
          </Loaded>
        }
      >
        {selected ? (
          <ChangeDetail key={selected.id} change={selected} />
        ) : (
          list.data && (
            <Empty icon={IconPencilBolt} title={t('none')}>
              {t('noneHint')}
            </Empty>
          )
        )}
      </Panes>
    </Page>
  )
}

/** Changes that somebody prepares in a dialog. */
const unfinished = new Set<BulkChange['state']>(['ready', 'previewing', 'previewed'])

interface EntryProps {
  readonly change: BulkChange
  readonly isChosen: boolean
  readonly onOpen: () => void
}

function Entry({ change, isChosen, onOpen }: EntryProps) {
  const t = useTexts(texts)
  const format = useFormat()
  const summary = useSummary()
  const { state = 'finished', total = 0, processed = 0, createdAt } = change
  return (
    <NavLink
      component="button"
      active={isChosen}
      aria-current={isChosen ? 'page' : undefined}
      leftSection={<IconPencilBolt size={18} aria-hidden />}
      label={summary(change)}
      description={
        <>
          <Text span size="xs">
            {t(state === 'undone' ? 'undoneState' : state)} · {createdAt && format.ago(createdAt)}
          </Text>
          {isWorking(change) && (
            <Progress
              component="span"
              size="sm"
              mt={4}
              value={(100 * Number(processed)) / Math.max(Number(total), 1)}
              aria-label={t(state === 'undone' ? 'undoneState' : state)}
            />
          )}
        </>
      }
      rightSection={
        <Badge variant="light" color="gray">
          {Number(total)}
        </Badge>
      }
      onClick={onOpen}
    />
  )
}
