/** Earlier versions of the file: compare with the current one, restore, upload a new version. */
import { Button, FileButton, Group, Modal, Paper, Stack, Text } from '@mantine/core'
import { IconHistory, IconUpload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Infer, Version } from '@kontor/contract'
import { useClient, useMayAt } from '../../../object/client.tsx'
import { fact } from '../../../object/items.ts'
import { accepted } from '../../../object/records.ts'
import { confirmDanger } from '../../../ui/confirm.tsx'
import { useFormat } from '../../../ui/format.ts'
import { useTexts } from '../../../ui/language.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import { notifyDone, notifyFailed } from '../../../ui/notifications.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { toBlob } from '../../../ui/save-file.ts'
import { type AssetMessage, containerOf, pictureOf, useRefresh } from '../assets.ts'
import { dimensionsOf } from '../asset-list.tsx'
import { texts } from '../detail-texts.ts'
import { differencesOf } from './differences.ts'
import classes from './tabs.module.css'

type VersionMessage = Infer<typeof Version>

export function VersionsTab({ asset }: { asset: AssetMessage }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const client = useClient()
  const may = useMayAt('asset', 'dir', containerOf(asset))
  const refresh = useRefresh()
  const [compared, setCompared] = useState<VersionMessage>()
  const versions = useQuery({
    queryKey: ['assets', 'versions', asset.tid],
    queryFn: () => client.dam['assets/versions'].retrieve({ tids: [asset.tid!] }).catch(() => []),
  })
  const upload = useMutation({
    mutationFn: (file: File) => client.uploads.version(file, { tid: asset.tid! }),
    onSuccess: () => notifyDone(t('versionSaved')),
    onError: (error) => notifyFailed(w('failed'), error),
    onSettled: refresh,
  })
  const restore = (version: VersionMessage) =>
    confirmDanger({
      title: t('restoreTitle'),
      body: t('restoreBody'),
      confirm: t('restore'),
      cancel: w('cancel'),
      onConfirm: () =>
        void accepted(client.dam['assets/versions'].perform([{ type: 'restore', tid: version.tid! }]))
          .then(
            () => notifyDone(t('restored')),
            (error: unknown) => notifyFailed(w('failed'), error),
          )
          .then(refresh),
    })
  return (
    <Stack gap="sm">
      {may('update') && (
        <FileButton onChange={(file) => file && upload.mutate(file)}>
          {(props) => (
            <Button {...props} variant="default" loading={upload.isPending} leftSection={<IconUpload size={16} />}>
              {t('newVersion')}
            </Button>
          )}
        </FileButton>
      )}
      <Loaded query={versions}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={IconHistory} title={t('versionsNone')}>
              {t('versionsNoneBody')}
            </Empty>
          ) : (
            all.map((version) => (
              <Row
                key={version.tid}
                version={version}
                onCompare={() => setCompared(version)}
                onRestore={may('update') ? () => restore(version) : undefined}
              />
            ))
          )
        }
      </Loaded>
      {compared && <Compare asset={asset} version={compared} onClose={() => setCompared(undefined)} />}
    </Stack>
  )
}

function Row({
  version,
  onCompare,
  onRestore,
}: {
  version: VersionMessage
  onCompare: () => void
  onRestore: (() => void) | undefined
}) {
  const t = useTexts(texts)
  const format = useFormat()
  const date = fact(version, 'fileDate') ?? fact(version, 'creationDate')
  return (
    <Paper p="sm">
      <Text size="sm" fw={600}>
        {version.name}
      </Text>
      <Text size="xs" c="dimmed">
        {[
          date && format.dateTime(date),
          fact(version, 'fileUser'),
          format.bytes(Number(fact(version, 'fileSize') ?? 0)),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {fact(version, 'comment') && <Text size="sm">{fact(version, 'comment')}</Text>}
      <Group gap="xs" mt={6}>
        <Button size="compact-sm" variant="subtle" onClick={onCompare}>
          {t('compare')}
        </Button>
        {onRestore && (
          <Button size="compact-sm" variant="subtle" onClick={onRestore}>
            {t('restore')}
          </Button>
        )}
      </Group>
    </Paper>
  )
}

/** How two files differ, in words; and both side by side, where the browser can display them. */
function Compare({ asset, version, onClose }: { asset: AssetMessage; version: VersionMessage; onClose: () => void }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const { dam } = useClient()
  const words = differencesOf(asset, version, format).map(([name, values]) => t(name, values))
  const [address, setAddress] = useState<string>()
  const isPicture = (fact(version, 'mimeType') ?? '').startsWith('image/')
  useEffect(() => {
    if (!isPicture) return
    let objectUrl: string | undefined
    void (async () => {
      const bytes = await dam.download({ query: { versionTid: version.tid! } })
      objectUrl = URL.createObjectURL(await toBlob(bytes, fact(version, 'mimeType') ?? ''))
      setAddress(objectUrl)
    })()
    return () => {
      if (objectUrl) URL.revokeObjectURL(objectUrl)
    }
  }, [dam, version, isPicture])
  return (
    <Modal opened onClose={onClose} size="90%" title={t('compare')} closeButtonProps={{ 'aria-label': w('close') }}>
      <Text size="sm" mb="sm">
        {t('comparedWith')} <strong>{words.join(', ')}</strong>
      </Text>
      <div className={classes.pair}>
        {[
          { title: t('present'), object: asset, picture: pictureOf(asset, 'fullsize') ?? pictureOf(asset, 'preview') },
          { title: version.name ?? '', object: version, picture: address },
        ].map(({ title, object, picture }) => (
          <figure key={title} style={{ margin: 0 }}>
            {picture && <img src={picture} alt={title} />}
            <figcaption>
              <Text size="sm" fw={600}>
                {title}
              </Text>
              <Text size="xs" c="dimmed">
                {[dimensionsOf(object, format), format.bytes(Number(fact(object, 'fileSize') ?? 0))]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </figcaption>
          </figure>
        ))}
      </div>
    </Modal>
  )
}
