/** Actions on the selected assets, with notifications. Deleting can be undone. */
import { Button, Group, Text } from '@mantine/core'
import { IconCrop, IconDownload, IconEdit, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { BulkDialog } from '../../object/bulk/bulk-dialog.tsx'
import { useClient, useMay } from '../../object/client.tsx'
import { toItems } from '../../object/items.ts'
import { useAssetAttributes } from '../../object/model.ts'
import { isRefused, Refused } from '../../object/records.ts'
import { RenditionSelect, useRenditionProfiles } from '../../object/rendition-select.tsx'
import { renditionTexts } from '../../object/rendition-texts.ts'
import { confirmDanger } from '../../ui/confirm.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { saveFile } from '../../ui/save-file.ts'
import { useRefresh } from './assets.ts'
import { texts } from './texts.ts'
import classes from './assets-page.module.css'

type AssetActions = ReturnType<typeof useAssetActions>

export function useAssetActions() {
  const { dam } = useClient()
  const t = useTexts(texts)
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
    /** One file as it is, several as a zip. */
    download: (tids: readonly string[]) =>
      attempt(async () => {
        const body = tids.length === 1 ? { tid: tids[0]!, attachment: true } : { tids: [...tids] }
        saveFile(await dam.presignedUrl({ body }))
      }),
    /** The renditions of a profile: one as it is, several as a zip. */
    downloadAs: (tids: readonly string[], profile: string) =>
      attempt(async () => saveFile(await dam.presignedUrl({ body: { tids: [...tids], profile } }))),
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
  const [isChanging, setChanging] = useState(false)
  const attributes = useAssetAttributes()
  const count = tids.length
  const askToDelete = () =>
    confirmDanger({
      title: t('deleteAssets', { count }),
      body: t('deleteAssetsBody'),
      confirm: w('delete'),
      cancel: w('cancel'),
      onConfirm: () => void act.remove(tids).then(onClear),
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
      {may('update', 'asset') && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconEdit size={15} />}
          onClick={() => setChanging(true)}
        >
          {t('changeMany')}
        </Button>
      )}
      {isChanging && (
        <BulkDialog
          kind="asset"
          first="addKeyword"
          count={count}
          attributes={attributes}
          selection={async () => ({ tids: [...tids] })}
          onClose={() => setChanging(false)}
        />
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
