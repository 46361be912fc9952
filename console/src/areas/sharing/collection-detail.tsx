/** A collection: its files in order, with commands to move and remove them, to share and to download. */
import { ActionIcon, Button, Group, Menu, Stack, Text, Title } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconDownload, IconEdit, IconPhoto, IconShare, IconTrash, IconX } from '@tabler/icons-react' // prettier-ignore
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient, useMay } from '../../object/client.tsx'
import { downloadFiles } from '../../object/download-files.ts'
import { type Metadata, MetadataItems } from '../../object/download-menu.tsx'
import { useRenditionProfiles } from '../../object/rendition-select.tsx'
import { ShareForm } from '../../object/sharing/share-form.tsx'
import { sharingTexts } from '../../object/sharing/texts.ts'
import { type Collection, shownAssets, useCollectionAssets, useCollectionChange } from '../../object/sharing/use-sharing.ts' // prettier-ignore
import { UsageBadge } from '../../object/usage-badge.tsx'
import { type AssetMessage, pictureOf } from '../../object/viewer/asset.ts'
import { KindIcon } from '../../object/viewer/kind-icon.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { CollectionForm } from './collection-form.tsx'
import classes from './sharing.module.css'

interface DetailProps {
  readonly collection: Collection
  readonly onGone: () => void
}

export function CollectionDetail({ collection, onGone }: DetailProps) {
  const t = useTexts(sharingTexts)
  const assets = useCollectionAssets(collection.id!)
  const { name, description, isSearch, isOwn, owner = '' } = collection
  return (
    <Stack p="md">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2}>{name}</Title>
          {description !== undefined && <Text>{description}</Text>}
          <Text size="sm" c="dimmed">
            {[
              t('files', { count: assets.data?.count ?? 0 }),
              ...(isSearch ? [t('bySearch')] : []),
              t('byOwner', { name: owner }),
            ].join(' · ')}
          </Text>
        </div>
        <Commands collection={collection} tids={assets.data?.assets.map(({ tid = '' }) => tid) ?? []} onGone={onGone} />
      </Group>
      <Loaded query={assets}>
        {(found) =>
          found.assets.length === 0 ? (
            <Empty icon={IconPhoto} title={t('noFiles')}>
              {isOwn && !isSearch && t('noFilesBody')}
            </Empty>
          ) : (
            <>
              <Tiles collection={collection} assets={found.assets} />
              {found.count > found.assets.length && <Text size="sm">{t('firstShown', { count: shownAssets })}</Text>}
            </>
          )
        }
      </Loaded>
    </Stack>
  )
}

function Tiles({ collection, assets }: { collection: Collection; assets: readonly AssetMessage[] }) {
  const t = useTexts(sharingTexts)
  const w = useTexts(commonTexts)
  const { collections } = useClient()
  const change = useCollectionChange()
  const isEditable = collection.isOwn && !collection.isSearch
  const params = { id: String(collection.id) }
  const tids = assets.map(({ tid = '' }) => tid)
  const move = (from: number, before: string | undefined) =>
    change(() => put({ move: [tids[from]!], ...(before !== undefined && { before }) }))
  const put = (body: { add?: string[]; remove?: string[]; move?: string[]; before?: string }) =>
    collections.changeCollectionAssets({ params, body })
  const take = async (index: number) => {
    const [tid, next] = [tids[index]!, tids[index + 1]]
    const restore = () =>
      change(async () => {
        await put({ add: [tid] })
        if (next !== undefined) await put({ move: [tid], before: next })
      })
    if (await change(() => put({ remove: [tid] })))
      notifyDone(t('taken', { name: assets[index]!.name ?? tid }), { label: w('undo'), run: () => void restore() })
  }
  return (
    <ol className={classes.tiles} aria-label={collection.name}>
      {assets.map((asset, i) => {
        const { tid = '', name = tid } = asset
        const picture = pictureOf(asset, 'preview') ?? pictureOf(asset, 'thumbnail')
        return (
          <li key={tid} className={classes.tile}>
            <Link to="/assets/$tid" params={{ tid }} className={classes.picture} aria-label={name}>
              {picture ? <img src={picture} alt="" loading="lazy" /> : <KindIcon type={asset.type} size={44} />}
            </Link>
            <UsageBadge state={asset.usageRights?.state} size="sm" />
            <Text size="xs" fw={550} truncate>
              {name}
            </Text>
            {isEditable && (
              <Group gap={4}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={i === 0}
                  aria-label={t('earlier', { name })}
                  onClick={() => void move(i, tids[i - 1])}
                >
                  <IconArrowLeft size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={i === tids.length - 1}
                  aria-label={t('later', { name })}
                  onClick={() => void move(i, tids[i + 2])}
                >
                  <IconArrowRight size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  ml="auto"
                  aria-label={t('take', { name })}
                  onClick={() => void take(i)}
                >
                  <IconX size={16} />
                </ActionIcon>
              </Group>
            )}
          </li>
        )
      })}
    </ol>
  )
}

function Commands({ collection, tids, onGone }: DetailProps & { readonly tids: string[] }) {
  const t = useTexts(sharingTexts)
  const w = useTexts(commonTexts)
  const may = useMay()
  const client = useClient()
  const { collections } = client
  const change = useCollectionChange()
  const profiles = useRenditionProfiles()
  const [open, setOpen] = useState<'share' | 'edit'>()
  const params = { id: String(collection.id) }
  const download = (how: { readonly profile?: string; readonly metadata?: Metadata } = {}) =>
    change(() => downloadFiles(client, tids, how))
  const remove = () =>
    confirmDanger({
      title: t('deleteCollection'),
      body: t('deleteCollectionBody'),
      confirm: w('delete'),
      cancel: w('cancel'),
      onConfirm: () => void change(() => collections.deleteCollection({ params })).then((isDone) => isDone && onGone()),
    })
  return (
    <Group gap="xs">
      {may('share', 'asset') && (
        <Button leftSection={<IconShare size={16} />} onClick={() => setOpen('share')}>
          {t('share')}
        </Button>
      )}
      {tids.length > 0 && (
        <Menu>
          <Menu.Target>
            <Button variant="default" leftSection={<IconDownload size={16} />}>
              {t('zip')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void download()}>{w('all')}</Menu.Item>
            <MetadataItems isMany onChoose={(metadata) => void download({ metadata })} />
            {profiles.map(({ tid = '', name = tid }) => (
              <Menu.Item key={tid} onClick={() => void download({ profile: tid })}>
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {collection.isOwn && (
        <>
          <Button variant="default" leftSection={<IconEdit size={16} />} onClick={() => setOpen('edit')}>
            {w('edit')}
          </Button>
          <Button variant="light" color="red" leftSection={<IconTrash size={16} />} onClick={remove}>
            {w('delete')}
          </Button>
        </>
      )}
      {open === 'share' && (
        <ShareForm of={{ collection: collection.id! }} title={collection.name} onClose={() => setOpen(undefined)} />
      )}
      {open === 'edit' && (
        <CollectionForm collection={collection} onClose={() => setOpen(undefined)} onStored={() => undefined} />
      )}
    </Group>
  )
}
