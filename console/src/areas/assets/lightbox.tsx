/**
 * An asset in full size: zooms pictures, plays video and audio, shows documents. Arrow keys go to the previous and next
 * asset, i shows and hides the information about it, Escape closes.
 */
import { ActionIcon, Group, Modal, Text, Tooltip } from '@mantine/core'
import { useLocalStorage, useWindowEvent } from '@mantine/hooks'
import {
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconInfoCircle,
  IconListDetails,
  IconMinus,
  IconPlus,
  IconX,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isViewable } from '../../object/viewer/document.tsx'
import { Enlarged } from '../../object/viewer/enlarged.tsx'
import { UsageBadge } from '../../object/usage-badge.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useTabTitle } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import type { AssetMessage } from './assets.ts'
import { InfoPanel } from './info-panel.tsx'
import { useAssetActions } from './selection-bar.tsx'
import { texts } from './texts.ts'
import classes from './lightbox.module.css'

interface LightboxProps {
  readonly index: number
  readonly assets: {
    readonly total: number
    readonly row: (index: number) => AssetMessage | undefined
    onVisibleRows(first: number, last: number): void
  }
  readonly onGo: (index: number | undefined) => void
}

export function Lightbox({ index, assets, onGo }: LightboxProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const act = useAssetActions()
  const [zoom, setZoom] = useState(1)
  const [hasInfo, setInfo] = useLocalStorage({ key: 'kontor.assets.info', defaultValue: false })
  const asset = assets.row(index)
  useTabTitle(asset?.name)
  const { onVisibleRows } = assets
  useEffect(() => {
    setZoom(1)
    onVisibleRows(index, index)
  }, [index, onVisibleRows])
  const go = (to: number) => to >= 0 && to < assets.total && onGo(to)
  const keys: Record<string, () => void> = {
    ArrowLeft: () => go(index - 1),
    ArrowRight: () => go(index + 1),
    '+': () => setZoom(zoom * 1.5),
    '-': () => setZoom(Math.max(1, zoom / 1.5)),
    '0': () => setZoom(1),
    i: () => setInfo(!hasInfo),
  }
  // on the window, because a click beside the buttons takes the focus out of the viewer; players have keys of their own
  useWindowEvent('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLMediaElement) return
    if (Object.hasOwn(keys, event.key)) keys[event.key]!()
  })
  const button = (label: string, Symbol: typeof IconX, onClick: () => void, disabled = false) => (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="lg" aria-label={label} onClick={onClick} disabled={disabled}>
        <Symbol size={18} />
      </ActionIcon>
    </Tooltip>
  )
  return (
    <Modal.Root opened fullScreen onClose={() => onGo(undefined)} transitionProps={{ duration: 0 }}>
      <Modal.Content aria-label={asset?.name ?? ''}>
        <div className={classes.box}>
          <Group className={classes.head} justify="space-between" wrap="nowrap">
            <Text fw={600} truncate>
              {asset?.name}{' '}
              <Text span c="dimmed" size="sm">
                {t('ofFiles', { index: index + 1, count: assets.total })}
              </Text>
            </Text>
            <UsageBadge state={asset?.usageRights?.state} />
            <Group gap={6} wrap="nowrap">
              {asset && !isViewable(asset) && button(t('zoomOut'), IconMinus, keys['-']!, zoom === 1)}
              {asset && !isViewable(asset) && button(t('zoomIn'), IconPlus, keys['+']!)}
              {button(t(hasInfo ? 'hideInfo' : 'showInfo'), IconInfoCircle, keys.i!)}
              {asset && button(w('download'), IconDownload, () => void act.download([asset.tid!]))}
              {asset && (
                <Tooltip label={t('openDetails')}>
                  <ActionIcon
                    renderRoot={(props) => <Link to="/assets/$tid" params={{ tid: asset.tid! }} {...props} />}
                    variant="default"
                    size="lg"
                    aria-label={t('openDetails')}
                  >
                    <IconListDetails size={18} />
                  </ActionIcon>
                </Tooltip>
              )}
              {button(w('close'), IconX, () => onGo(undefined))}
            </Group>
          </Group>
          <div className={classes.body}>
            <div className={classes.stage}>
              {button(t('previousFile'), IconChevronLeft, () => go(index - 1), index === 0)}
              {asset ? <Enlarged key={asset.tid} asset={asset} zoom={zoom} /> : <Loading shape="picture" />}
              {button(t('nextFile'), IconChevronRight, () => go(index + 1), index === assets.total - 1)}
            </div>
            {hasInfo && asset && <InfoPanel asset={asset} />}
          </div>
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}
