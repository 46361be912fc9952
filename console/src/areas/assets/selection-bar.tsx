/** Actions on the selected assets, with notifications. Deleting can be undone. */
import { Button, Group, Text } from '@mantine/core'
import { IconArchive, IconCrop, IconDownload, IconFolders, IconShare, IconTrash } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { careTexts } from '../../object/care-texts.ts'
import { useClient, useMay } from '../../object/client.tsx'
import { downloadFile, downloadFiles } from '../../object/download-files.ts'
import { DownloadMenu, type Metadata } from '../../object/download-menu.tsx'
import { toItems } from '../../object/items.ts'
import { accepted, isRefused, Refused } from '../../object/records.ts'
import { RenditionSelect, useRenditionProfiles } from '../../object/rendition-select.tsx'
import { renditionTexts } from '../../object/rendition-texts.ts'
import { AddToCollection } from '../../object/sharing/add-to-collection.tsx'
import { ShareForm } from '../../object/sharing/share-form.tsx'
import { sharingTexts } from '../../object/sharing/texts.ts'
import { confirmDanger } from '../../ui/confirm.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useRefresh } from './assets.ts'
import { FileBulk } from './bulk-menu.tsx'
import { texts } from './texts.ts'
import classes from './assets-page.module.css'

type AssetActions = ReturnType<typeof useAssetActions>

export function useAssetActions() {
  const client = useClient()
  const { dam } = client
  const t = useTexts(texts)
  const c = useTexts(careTexts)
  const w = useTexts(commonTexts)
  const refresh = useRefresh()
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
    refresh()
  }
  const restore = (tids: readonly string[]) =>
    attempt(async () => {
      await dam.trash.perform(tids.map((tid) => ({ type: 'restore', dataType: 'asset', tid })))
      notifyDone(t('restored'))
    })
  return {
    restore,
    remove: (tids: readonly string[]) =>
      attempt(async () => {
        const records = await dam.assets.perform(tids.map((tid) => ({ type: 'delete', tid })))
        const refused = records.filter(isRefused)
        const gone = tids.filter((_, i) => !isRefused(records[i]!))
        if (gone.length > 0)
          notifyDone(t('deleted', { count: gone.length }), { label: w('undo'), run: () => void restore(gone) })
        if (refused.length > 0) throw new Refused(refused)
      }),
    move: (tids: readonly string[], path: string) =>
      attempt(async () => {
        const meta = { itm: toItems({ destinationDirPath: path }) }
        const records = await dam.assets.perform(tids.map((tid) => ({ type: 'move', tid, meta })))
        const refused = records.filter(isRefused)
        if (refused.length > 0) throw new Refused(refused)
        notifyDone(t('moved', { path }))
      }),
    archive: (tids: readonly string[]) =>
      attempt(async () => {
        const records = await dam.assets.perform(tids.map((tid) => ({ type: 'archive', tid })))
        const refused = records.filter(isRefused)
        if (refused.length < tids.length) notifyDone(c('archiving', { count: tids.length - refused.length }))
        if (refused.length > 0) throw new Refused(refused)
      }),
    unarchive: (tids: readonly string[]) =>
      attempt(async () => {
        await accepted(dam.assets.perform(tids.map((tid) => ({ type: 'unarchive', tid }))))
        notifyDone(c('unarchiving'))
      }),
    /** One file as it is, several as a zip. */
    download: (tids: readonly string[], metadata?: Metadata) =>
      attempt(() =>
        tids.length === 1
          ? downloadFile(client, tids[0]!, metadata)
          : downloadFiles(client, tids, metadata && { metadata }),
      ),
    /** The renditions of a profile: one as it is, several as a zip. */
    downloadAs: (tids: readonly string[], profile: string) => attempt(() => downloadFiles(client, tids, { profile })),
  }
}

interface SelectionBarProps {
  readonly tids: readonly string[]
  readonly onClear: () => void
  readonly act: AssetActions
}

export function SelectionBar({ tids, onClear, act }: SelectionBarProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const may = useMay()
  const r = useTexts(renditionTexts)
  const profiles = useRenditionProfiles()
  const [isConverting, setConverting] = useState(false)
  const s = useTexts(sharingTexts)
  const [sharing, setSharing] = useState<'collection' | 'page'>()
  const selection = useCallback(async () => ({ tids: [...tids] }), [tids])
  const count = tids.length
  const askToDelete = () =>
    confirmDanger({
      title: t('deleteAssets', { count }),
      body: t('deleteAssetsBody'),
      confirm: w('delete'),
      cancel: w('cancel'),
      onConfirm: () => void act.remove(tids).then(onClear),
    })
  const c = useTexts(careTexts)
  const askToArchive = () =>
    confirmDanger({
      title: c('archiveTitle', { count }),
      body: c('archiveBody'),
      confirm: c('archive'),
      cancel: w('cancel'),
      onConfirm: () => void act.archive(tids).then(onClear),
    })
  return (
    <Group className={classes.bar} gap="xs" role="toolbar" aria-label={w('actions')}>
      <Text size="sm" fw={600} role="status">
        {w('selected', { count })}
      </Text>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconDownload size={15} />}
        onClick={() => void act.download(tids)}
      >
        {count === 1 ? w('download') : t('zip')}
      </Button>
      <DownloadMenu size="sm" isMany={count > 1} onChoose={(metadata) => void act.download(tids, metadata)} />
      {profiles.length > 0 && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconCrop size={15} />}
          onClick={() => setConverting(true)}
        >
          {r('downloadAs')}
        </Button>
      )}
      {isConverting && <DownloadAs tids={tids} act={act} onClose={() => setConverting(false)} />}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconFolders size={15} />}
        onClick={() => setSharing('collection')}
      >
        {s('addTo')}
      </Button>
      {may('share', 'asset') && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconShare size={15} />}
          onClick={() => setSharing('page')}
        >
          {s('share')}
        </Button>
      )}
      {sharing === 'collection' && <AddToCollection tids={tids} onClose={() => setSharing(undefined)} />}
      {sharing === 'page' && <ShareForm of={{ tids: [...tids] }} onClose={() => setSharing(undefined)} />}
      <FileBulk selection={selection} count={count} label={t('changeMany')} />
      {may('update', 'asset') && (
        <Button size="compact-sm" variant="subtle" leftSection={<IconArchive size={15} />} onClick={askToArchive}>
          {c('archive')}
        </Button>
      )}
      {may('delete', 'asset') && (
        <Button
          size="compact-sm"
          variant="light"
          color="red"
          leftSection={<IconTrash size={15} />}
          onClick={askToDelete}
        >
          {w('delete')}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" ml="auto" onClick={onClear}>
        {t('clearSelection')}
      </Button>
    </Group>
  )
}

function DownloadAs({ tids, act, onClose }: { tids: readonly string[]; act: AssetActions; onClose: () => void }) {
  const r = useTexts(renditionTexts)
  const w = useTexts(commonTexts)
  const [profile, setProfile] = useState<string | null>(null)
  const start = () => act.downloadAs(tids, profile!).then(onClose)
  return (
    <FormModal title={r('downloadAs')} onSubmit={start} onClose={onClose}>
      <RenditionSelect label={r('rendition')} value={profile} onChange={setProfile} />
      <Button type="submit" disabled={profile === null}>
        {w('download')}
      </Button>
    </FormModal>
  )
}
