/** The sharing page: collections, or share pages and upload requests, on the left; the selected one on the right. */
import { Badge, Button, Group, NavLink, SegmentedControl, Text } from '@mantine/core'
import { IconFileUpload, IconFolders, IconPlus, IconShare } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../object/client.tsx'
import { ShareForm } from '../../object/sharing/share-form.tsx'
import { sharingTexts } from '../../object/sharing/texts.ts'
import { type Share, useCollections, useShares } from '../../object/sharing/use-sharing.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { CollectionDetail } from './collection-detail.tsx'
import { CollectionForm } from './collection-form.tsx'
import { ShareDetail } from './share-detail.tsx'

export function SharingPage() {
  const t = useTexts(sharingTexts)
  const may = useMay()
  const [{ part = 'collections' }, go] = useUrlState()
  const [isAdding, setAdding] = useState(false)
  const isPages = part === 'pages'
  const actions = (
    <Group>
      <SegmentedControl
        aria-label={t('title')}
        value={isPages ? 'pages' : 'collections'}
        data={[
          { value: 'collections', label: t('collections') },
          { value: 'pages', label: t('pages') },
        ]}
        onChange={(value) => go({ part: value })}
      />
      {(!isPages || may('share', 'asset')) && (
        <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          {t(isPages ? 'newRequest' : 'newCollection')}
        </Button>
      )}
    </Group>
  )
  return (
    <Page title={t('title')} actions={actions} fill>
      {isPages ? <Pages /> : <Collections />}
      {isAdding && isPages && <ShareForm of="upload" onClose={() => setAdding(false)} />}
      {isAdding && !isPages && (
        <CollectionForm onClose={() => setAdding(false)} onStored={(id) => go({ collection: String(id) }, true)} />
      )}
    </Page>
  )
}

function Collections() {
  const t = useTexts(sharingTexts)
  const [{ collection: chosen }, go] = useUrlState()
  const list = useCollections()
  const selected = list.data?.find(({ id }) => String(id) === chosen)
  const isEmpty = list.data?.length === 0
  return (
    <Panes
      sideLabel={t('collections')}
      side={
        <Loaded query={list}>
          {(all) =>
            all.map(({ id, name, isSearch, count = 0, isOwn, owner = '' }) => (
              <NavLink
                key={id}
                component="button"
                active={id === selected?.id}
                aria-current={id === selected?.id ? 'page' : undefined}
                leftSection={<IconFolders size={18} aria-hidden />}
                label={name}
                description={[isSearch ? t('bySearch') : t('files', { count }), ...(isOwn ? [] : [t('byOwner', { name: owner })])].join(' · ')} // prettier-ignore
                onClick={() => go({ collection: String(id) }, true)}
              />
            ))
          }
        </Loaded>
      }
    >
      {selected ? (
        <CollectionDetail key={selected.id} collection={selected} onGone={() => go({ collection: undefined }, true)} />
      ) : (
        <Empty icon={IconFolders} title={isEmpty ? t('noCollections') : t('chooseCollection')}>
          {isEmpty && t('noCollectionsBody')}
        </Empty>
      )}
    </Panes>
  )
}

function Pages() {
  const t = useTexts(sharingTexts)
  const [{ share: chosen }, go] = useUrlState()
  const list = useShares()
  const selected = list.data?.find(({ id }) => String(id) === chosen)
  const isEmpty = list.data?.length === 0
  return (
    <Panes
      sideLabel={t('pages')}
      side={
        <Loaded query={list}>
          {(all) =>
            all.map((share) => (
              <NavLink
                key={share.id}
                component="button"
                active={share === selected}
                aria-current={share === selected ? 'page' : undefined}
                leftSection={share.kind === 'upload' ? <IconFileUpload size={18} aria-hidden /> : <IconShare size={18} aria-hidden />} // prettier-ignore
                label={share.title}
                description={<StateText share={share} />}
                rightSection={
                  (share.waiting ?? 0) > 0 && <Badge aria-label={t('waiting', { count: share.waiting! })}>{share.waiting}</Badge> // prettier-ignore
                }
                onClick={() => go({ share: String(share.id) }, true)}
              />
            ))
          }
        </Loaded>
      }
    >
      {selected ? (
        <ShareDetail key={selected.id} share={selected} />
      ) : (
        <Empty icon={IconShare} title={isEmpty ? t('noPages') : t('choosePage')}>
          {isEmpty && t('noPagesBody')}
        </Empty>
      )}
    </Panes>
  )
}

function StateText({ share: { state = 'active', expiresAt } }: { share: Share }) {
  const t = useTexts(sharingTexts)
  const format = useFormat()
  return (
    <Text span size="xs">
      {t(state)}
      {state === 'active' && ` ${t('until', { date: format.date(expiresAt) })}`}
    </Text>
  )
}
