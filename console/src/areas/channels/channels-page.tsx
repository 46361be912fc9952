/** The channels page: the tree on the left; contents, readiness and briefing of the selected channel on the right. */
import { Badge, Box, Button, Group, Tabs, Title } from '@mantine/core'
import { IconBroadcast, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../object/client.tsx'
import type { Prefetch } from '../../object/prefetch.ts'
import { useVisited } from '../../object/recent.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes, useTabTitle } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { BriefingTab } from './briefing-tab.tsx'
import { ChannelTree } from './channel-tree.tsx'
import { type Channel, rootsQuery, useChannel, useRoots } from './channels.ts'
import { CreateChannel } from './create-channel.tsx'
import { ContentsTab } from './contents-tab.tsx'
import { ReadinessTab } from './readiness-tab.tsx'
import { texts } from './texts.ts'

const tabs = { placed: ContentsTab, readiness: ReadinessTab, briefing: BriefingTab } as const
type TabName = keyof typeof tabs

export const prefetch: Prefetch = ({ client, queries }) => void queries.prefetchQuery(rootsQuery(client))

export function ChannelsPage() {
  const t = useTexts(texts)
  const may = useMay()
  const [{ channel }, change] = useUrlState()
  const [creating, setCreating] = useState<{ below?: Channel }>()
  const roots = useRoots()
  const choose = (tid: string | undefined) => change({ channel: tid, missing: undefined, at: undefined }, true)
  const create = may('create', 'project') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating({})}>
      {t('newChannel')}
    </Button>
  )
  return (
    <Page title={t('title')} actions={create} fill>
      <Loaded query={roots}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={IconBroadcast} title={t('none')}>
              {t('noneBody')}
            </Empty>
          ) : (
            <Panes
              sideLabel={t('tree')}
              side={
                <ChannelTree
                  roots={all}
                  chosen={channel ?? all[0]!.tid}
                  onChoose={choose}
                  onCreate={(below) => setCreating({ below })}
                />
              }
            >
              <ChannelDetail key={channel} tid={channel ?? all[0]!.tid!} />
            </Panes>
          )
        }
      </Loaded>
      {creating && <CreateChannel below={creating.below} onClose={() => setCreating(undefined)} onCreated={choose} />}
    </Page>
  )
}

function ChannelDetail({ tid }: { tid: string }) {
  const t = useTexts(texts)
  const [{ tab = 'placed' }, change] = useUrlState()
  const chosen = tab in tabs ? (tab as TabName) : 'placed'
  const Content = tabs[chosen]
  const channel = useChannel(tid)
  useTabTitle(channel.data?.name)
  useVisited('project', tid, channel.data?.name)
  return (
    <Loaded query={channel}>
      {(channel) => (
        <>
          <Group px="md" pt="md" gap="sm">
            <Title order={2}>{channel.name}</Title>
            <Badge variant="light" tt="none">
              {channel.type}
            </Badge>
          </Group>
          <Tabs
            value={chosen}
            onChange={(next) => change({ tab: next === 'placed' ? undefined : (next ?? undefined) }, true)}
            keepMounted={false}
            flex={1}
            mih={0}
            display="flex"
            style={{ flexDirection: 'column' }}
          >
            <Tabs.List px="md">
              {Object.keys(tabs).map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {t(name as TabName)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Box component={Tabs.Panel} value={chosen} tabIndex={0} p="md" flex={1} style={{ overflow: 'auto' }}>
              <Content channel={channel} />
            </Box>
          </Tabs>
        </>
      )}
    </Loaded>
  )
}
