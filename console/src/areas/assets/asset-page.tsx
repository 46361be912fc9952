/** An asset: its picture, and tabs for overview, metadata, versions, variations, usage and history. */
import { Alert, Button, Group, Tabs } from '@mantine/core'
import { IconArchiveOff, IconArrowLeft, IconDownload, IconLock, IconLockOpen, IconPhotoX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Client } from '@kontor/sdk'
import { useClient, useMayAt, useMe } from '../../object/client.tsx'
import { DownloadMenu } from '../../object/download-menu.tsx'
import { fact } from '../../object/items.ts'
import type { Prefetch } from '../../object/prefetch.ts'
import { accepted } from '../../object/records.ts'
import { Enlarged } from '../../object/viewer/enlarged.tsx'
import { useFormat } from '../../ui/format.ts'
import { ContentBadge } from '../../object/content-badge.tsx'
import { careTexts } from '../../object/care-texts.ts'
import { UsageBadge } from '../../object/usage-badge.tsx'
import { useVisited } from '../../object/recent.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { usePathParam, useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { type AssetMessage, containerOf, isProcessing, retrieve, useRefresh } from './assets.ts'
import { texts } from './detail-texts.ts'
import { useAssetActions } from './selection-bar.tsx'
import { HistoryTab } from './tabs/history-tab.tsx'
import { MetadataTab } from './tabs/metadata-tab.tsx'
import { OverviewTab } from './tabs/overview-tab.tsx'
import { RightsTab } from './tabs/rights-tab.tsx'
import { UsageTab } from './tabs/usage-tab.tsx'
import { VariationsTab } from './tabs/variations-tab.tsx'
import { VersionsTab } from './tabs/versions-tab.tsx'
import classes from './asset-page.module.css'

const tabs = {
  overview: OverviewTab,
  metadata: MetadataTab,
  rights: RightsTab,
  versions: VersionsTab,
  variations: VariationsTab,
  usage: UsageTab,
  history: HistoryTab,
}
type TabName = keyof typeof tabs

const assetQuery = (client: Client, tid: string) => ({
  queryKey: ['assets', 'one', tid],
  queryFn: async () => (await retrieve(client, [tid]))[0] ?? null,
})

export const prefetch: Prefetch = ({ client, queries }, { tid = '' }) =>
  void queries.prefetchQuery(assetQuery(client, tid))

export function AssetPage() {
  const t = useTexts(texts)
  const client = useClient()
  const tid = usePathParam('tid')!
  const asset = useQuery({
    ...assetQuery(client, tid),
    refetchInterval: ({ state }) => (state.data && isProcessing(state.data) ? 2000 : false),
  })
  useVisited('file', tid, asset.data?.name)
  return (
    <Loaded query={asset}>
      {(found) =>
        found ? (
          <AssetDetails asset={found} />
        ) : (
          <Page title={t('missing')}>
            <Empty icon={IconPhotoX} title={t('missing')} />
          </Page>
        )
      }
    </Loaded>
  )
}

function AssetDetails({ asset }: { asset: AssetMessage }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const [{ tab = 'overview' }, change] = useUrlState()
  const Content = tabs[tab as TabName] ?? OverviewTab
  const directory = asset.path!.slice(0, asset.path!.lastIndexOf('/'))
  return (
    <Page
      fill
      title={asset.name ?? ''}
      subtitle={asset.path}
      before={
        <Button
          renderRoot={(props) => <Link to="/assets" search={{ dir: directory }} {...props} />}
          variant="subtle"
          px="xs"
          aria-label={`${w('back')}: ${directory}`}
        >
          <IconArrowLeft size={18} />
        </Button>
      }
      actions={<Actions asset={asset} />}
    >
      <UsageBadge state={asset.usageRights?.state} size="lg" />
      <ContentBadge state={fact(asset, 'contentStatus')} size="lg" />
      <LockNotice asset={asset} />
      <Panes
        endLabel={w('details')}
        end={
          <Tabs
            value={tab}
            onChange={(value) => change({ tab: value === 'overview' ? '' : (value ?? '') })}
            keepMounted={false}
          >
            <Tabs.List className={classes.tabs}>
              {Object.keys(tabs).map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {name === 'history' ? w('history') : t(name as Exclude<TabName, 'history'>)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={tab} p="md">
              <Content asset={asset} />
            </Tabs.Panel>
          </Tabs>
        }
      >
        <div className={classes.stage}>
          <Enlarged asset={asset} />
        </div>
      </Panes>
    </Page>
  )
}

function Actions({ asset }: { asset: AssetMessage }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const c = useTexts(careTexts)
  const may = useMayAt('asset', 'dir', containerOf(asset))
  const me = useMe()
  const act = useAssetActions()
  const lock = useLock(asset)
  const lockedBy = fact(asset, 'lockedBy')
  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        onClick={() => void act.download([asset.tid!])}
      >
        {w('download')}
      </Button>
      <DownloadMenu isMany={false} onChoose={(metadata) => void act.download([asset.tid!], metadata)} />
      {may('update') && fact(asset, 'contentStatus') === 'archived' && (
        <Button
          variant="default"
          leftSection={<IconArchiveOff size={16} />}
          onClick={() => void act.unarchive([asset.tid!])}
        >
          {c('unarchive')}
        </Button>
      )}
      {may('checkout') && !lockedBy && (
        <Button
          variant="default"
          leftSection={<IconLock size={16} />}
          onClick={() => void lock('checkout', t('checkedOut'))}
        >
          {t('checkOut')}
        </Button>
      )}
      {lockedBy === me.name && lockedBy !== undefined && (
        <Button leftSection={<IconLockOpen size={16} />} onClick={() => void lock('checkin', t('checkedIn'))}>
          {t('checkIn')}
        </Button>
      )}
    </Group>
  )
}

function LockNotice({ asset }: { asset: AssetMessage }) {
  const t = useTexts(texts)
  const format = useFormat()
  const me = useMe()
  const lock = useLock(asset)
  const user = fact(asset, 'lockedBy')
  if (!user) return null
  const since = fact(asset, 'lockedDate')
  return (
    <Alert color="amber" icon={<IconLock size={18} />} mb="sm" py="xs">
      <Group justify="space-between">
        {t('locked', { user, date: since ? format.dateTime(since) : '' })}
        {user !== me.name && me.roles?.includes('admin') && (
          <Button size="compact-sm" variant="subtle" onClick={() => void lock('cleanCheckout', t('checkedIn'))}>
            {t('breakLock')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

function useLock({ tid }: AssetMessage) {
  const { dam } = useClient()
  const w = useTexts(commonTexts)
  const refresh = useRefresh()
  return async (type: 'checkout' | 'checkin' | 'cleanCheckout', done: string) => {
    try {
      await accepted(dam.assets.perform([{ type, tid: tid! }]))
      notifyDone(done)
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
    refresh()
  }
}
