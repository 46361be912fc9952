/** The feeds page: the feeds on the left, the selected one on the right. */
import { Button, NavLink, Text } from '@mantine/core'
import { IconFileExport, IconFileImport, IconPlus, IconRss } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Detail } from './detail.tsx'
import { FeedForm } from './feed-form.tsx'
import { texts } from './texts.ts'
import { type Feed, useFeeds } from './use-feeds.ts'
import { storedText } from '../../object/stored-text.ts'

export function FeedsPage() {
  const t = useTexts(texts)
  const may = useMay()
  const [{ feed: chosen }, go] = useUrlState()
  const [isAdding, setAdding] = useState(false)
  const list = useFeeds()
  const open = (name: string | undefined) => go({ feed: name }, true)
  const selected = list.data?.find(({ name }) => name === chosen)
  const isEmpty = list.data?.length === 0
  const actions = may('update', 'product') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  )
  return (
    <Page title={t('title')} actions={actions} fill>
      <Panes
        sideLabel={t('list')}
        side={
          <Loaded query={list}>
            {(all) =>
              all.map((one) => <FeedEntry key={one.name} feed={one} isChosen={one === selected} onOpen={open} />)
            }
          </Loaded>
        }
      >
        {selected ? (
          <Detail key={selected.name} feed={selected} onGone={() => open(undefined)} />
        ) : (
          <Empty icon={IconRss} title={isEmpty ? t('none') : t('choose')}>
            {isEmpty && t('noneBody')}
          </Empty>
        )}
      </Panes>
      {isAdding && <FeedForm onClose={() => setAdding(false)} onStored={open} />}
    </Page>
  )
}

interface FeedEntryProps {
  readonly feed: Feed
  readonly isChosen: boolean
  readonly onOpen: (name: string | undefined) => void
}

function FeedEntry({ feed, isChosen, onOpen }: FeedEntryProps) {
  const t = useTexts(texts)
  const format = useFormat()
  const { name = '', direction, lastRun, problem } = feed
  const Symbol = direction === 'export' ? IconFileExport : IconFileImport
  const last = lastRun?.state && `${t(lastRun.state)} · ${format.ago(lastRun.createdAt ?? '')}`
  return (
    <NavLink
      component="button"
      active={isChosen}
      aria-current={isChosen ? 'page' : undefined}
      leftSection={<Symbol size={18} aria-label={t(direction)} />}
      label={name}
      description={
        <Text span size="xs">
          {problem === undefined ? (last ?? t('noRuns')) : t('paused', { reason: storedText(problem) })}
        </Text>
      }
      onClick={() => onOpen(name)}
    />
  )
}
