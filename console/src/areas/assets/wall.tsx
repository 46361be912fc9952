/**
 * A virtualised wall of thumbnails: only visible tiles are rendered and loaded.
 *
 * The wall is one tab stop: arrow keys move between tiles, Space selects, Enter opens, Ctrl+A selects all loaded tiles.
 * Screen readers announce it as a multi-select listbox.
 */
import { Skeleton, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconCheck, IconLock } from '@tabler/icons-react'
import { type DragEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { fact } from '../../object/items.ts'
import { useFormat } from '../../ui/format.ts'
import { windowOf } from '../../ui/grid/windowing.ts'
import { useTexts } from '../../ui/language.tsx'
import { type AssetMessage, isProcessing, pictureOf } from './assets.ts'
import { ContentBadge } from '../../object/content-badge.tsx'
import { UsageBadge } from '../../object/usage-badge.tsx'
import { KindIcon } from '../../object/viewer/kind-icon.tsx'
import { texts } from './texts.ts'
import classes from './wall.module.css'

/** Properties that the wall and the list of files share. */
export interface FilesProps {
  readonly total: number
  readonly row: (index: number) => AssetMessage | undefined
  readonly onVisibleRows: (first: number, last: number) => void
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
  readonly onOpen: (index: number) => void
  /** A new object scrolls to this file. */
  readonly jump: { readonly index: number }
}

/** The height of the name and facts below a picture, and the distances. */
const below = 66
/** The data type of assets dragged from the wall: their tids, one per line. */
export const assetDrag = 'application/x-kontor-assets'

/** `size`: the least width of a tile; tiles grow so that a row fills the width. */
export function Wall({
  total,
  row,
  onVisibleRows,
  chosen,
  onChoose,
  onOpen,
  jump,
  size,
}: FilesProps & { size: number }) {
  const t = useTexts(texts)
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const { ref: sized, width, height } = useElementSize<HTMLDivElement>()
  const [scrollTop, setScrollTop] = useState(0)
  const [active, setActive] = useState(0)
  const { columns, tile } = layoutOf(width - 16, size)
  const lines = Math.ceil(total / columns)
  const drawn = windowOf(lines, tile.height, scrollTop, height)
  const first = drawn.first * columns
  const last = Math.min(total, (drawn.first + drawn.count) * columns) - 1
  useEffect(() => {
    if (last >= first) onVisibleRows(first, last)
  }, [first, last, onVisibleRows])

  useJump(jump, (index) => {
    scroller.current!.scrollTop = Math.floor(index / columns) * tile.height
    setActive(index)
  })
  const goTo = (index: number) => {
    const at = Math.min(Math.max(index, 0), total - 1)
    setActive(at)
    const top = Math.floor(at / columns) * tile.height
    const element = scroller.current!
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + tile.height > element.scrollTop + height) element.scrollTop = top + tile.height - height
  }
  const toggle = (index: number) => {
    const tid = row(index)?.tid
    if (tid) onChoose(chosen.has(tid) ? new Set([...chosen].filter((one) => one !== tid)) : new Set([...chosen, tid]))
  }
  const loaded = () => Array.from({ length: total }, (_, i) => row(i)?.tid).filter((tid) => tid !== undefined)
  const keys: Record<string, () => void> = {
    ArrowRight: () => goTo(active + 1),
    ArrowLeft: () => goTo(active - 1),
    ArrowDown: () => goTo(active + columns),
    ArrowUp: () => goTo(active - columns),
    Home: () => goTo(0),
    End: () => goTo(total - 1),
    Enter: () => onOpen(active),
    ' ': () => toggle(active),
    Escape: () => onChoose(new Set()),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'a' && (event.ctrlKey || event.metaKey)) onChoose(new Set(loaded()))
    else if (Object.hasOwn(keys, event.key)) keys[event.key]!()
    else return
    event.preventDefault()
  }
  const onDragStart = (event: DragEvent, asset: AssetMessage) => {
    const tids = chosen.has(asset.tid!) ? [...chosen] : [asset.tid!]
    event.dataTransfer.setData(assetDrag, tids.join('\n'))
  }
  const visible = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
  return (
    <div
      ref={(element) => {
        scroller.current = element
        sized(element)
      }}
      role="listbox"
      aria-label={t('wall')}
      aria-multiselectable
      tabIndex={0}
      aria-activedescendant={row(active) && `${id}-${active}`}
      className={classes.wall}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={classes.canvas} style={{ height: lines * tile.height }}>
        {visible.map((index) => {
          const asset = row(index)
          const position = {
            transform: `translate(${(index % columns) * tile.width + 8}px, ${Math.floor(index / columns) * tile.height + 8}px)`,
            width: tile.width - 12,
            height: tile.height - 12,
          }
          if (!asset) return <Skeleton key={index} className={classes.tile} style={position} />
          return (
            <div
              key={asset.tid}
              id={`${id}-${index}`}
              role="option"
              aria-selected={chosen.has(asset.tid!)}
              data-active={index === active || undefined}
              className={classes.tile}
              style={position}
              draggable
              onDragStart={(event) => onDragStart(event, asset)}
              onClick={(event) => {
                setActive(index)
                if (event.ctrlKey || event.metaKey || chosen.size > 0) toggle(index)
                else onOpen(index)
              }}
            >
              <Mark isChosen={chosen.has(asset.tid!)} onToggle={() => toggle(index)} />
              <Tile asset={asset} isLarge={tile.width > 260} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

function layoutOf(width: number, size: number) {
  const columns = Math.max(1, Math.floor(width / size))
  const tileWidth = Math.max(size, width / columns)
  return { columns, tile: { width: tileWidth, height: Math.round(tileWidth * 0.72) + below } }
}

/** Calls `go` for each new object only, not when the layout changes. */
function useJump(jump: FilesProps['jump'], go: (index: number) => void): void {
  const latest = useRef(go)
  latest.current = go
  useEffect(() => latest.current(jump.index), [jump])
}

function Mark({ isChosen, onToggle }: { isChosen: boolean; onToggle: () => void }) {
  return (
    <span
      className={classes.mark}
      aria-hidden
      data-chosen={isChosen || undefined}
      onClick={(event) => {
        event.stopPropagation()
        onToggle()
      }}
    >
      <IconCheck size={14} stroke={2.5} />
    </span>
  )
}

function Tile({ asset, isLarge }: { asset: AssetMessage; isLarge: boolean }) {
  const t = useTexts(texts)
  const format = useFormat()
  const picture = (isLarge && pictureOf(asset, 'preview')) || pictureOf(asset, 'thumbnail')
  const lockedBy = fact(asset, 'lockedBy')
  return (
    <>
      <div className={classes.picture}>
        {picture ? (
          <img src={picture} alt="" loading="lazy" decoding="async" />
        ) : (
          <KindIcon type={asset.type} size={44} />
        )}
        {!picture && isProcessing(asset) && <Text size="xs">{t('previewComing')}</Text>}
        <UsageBadge state={asset.usageRights?.state} size="sm" className={classes.usage} />
        {!asset.usageRights && (
          <ContentBadge state={fact(asset, 'contentStatus')} size="sm" className={classes.usage} />
        )}
        {lockedBy && (
          <span className={classes.lock} title={t('locked', { user: lockedBy })}>
            <IconLock size={14} />
          </span>
        )}
      </div>
      <Text size="xs" fw={550} truncate>
        {asset.name}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {[asset.type, format.bytes(Number(fact(asset, 'fileSize') ?? 0))].join(' · ')}
      </Text>
    </>
  )
}
