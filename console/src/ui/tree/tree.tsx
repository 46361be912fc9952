/**
 * A tree of which only the open part is loaded and only the visible lines are drawn.
 *
 * Up and down move, right opens, left closes or moves to the parent, Enter chooses. Items can be dragged onto others or
 * between them where the owner allows it.
 */
import { type DragEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { useRowWindow } from '../grid/row-window.ts'
import { type DropSpot, dropSpotAt } from './drop-spot.ts'
import { effectOf, type OpenPart, toLines, type TreeItem } from './lines.ts'
import { LoadingLine, TreeLine } from './tree-line.tsx'
import classes from './tree.module.css'

export type { DropSpot } from './drop-spot.ts'
export type { TreeItem } from './lines.ts'

interface TreeProps extends OpenPart {
  readonly label: string
  readonly roots: readonly TreeItem[]
  readonly onToggle: (key: string, open: boolean) => void
  readonly chosen?: string | undefined
  readonly onChoose: (key: string) => void
  /** Allows items to be dragged; `spots` are the places where an item may be dropped. */
  readonly onMove?: ((key: string, target: string, spot: DropSpot) => void) | undefined
  readonly spots?: readonly DropSpot[]
  /** Something that is not an item of this tree was dropped on an item. */
  readonly onDropOther?: ((event: DragEvent, target: string) => void) | undefined
  readonly menu?: ((item: TreeItem) => ReactNode) | undefined
}

const rowHeight = 34
/** The type of a dragged item's data. */
const dragType = 'application/x-kontor-tree'

export function Tree(props: TreeProps) {
  const { label, roots, open, chosen, onToggle, onChoose, menu } = props
  const id = useId()
  const [active, setActive] = useState<string>()
  const lines = toLines(roots, props)
  const { scroller, scrollerProps, drawn, scrollToRow } = useRowWindow(lines.length, rowHeight)
  const dragging = useDragging(props)
  const found = lines.findIndex(({ item }) => item?.key === (active ?? chosen))
  const at = Math.max(0, found)
  const activeKey = lines[at]?.item?.key
  const goTo = (index: number) => {
    const { item } = lines[index] ?? {}
    if (!item) return
    setActive(item.key)
    scrollToRow(index)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current || activeKey === undefined) return
    const effect = effectOf(event.key, lines, at, open)
    if (!effect) return
    if (effect === 'choose') onChoose(activeKey)
    else if ('open' in effect) onToggle(activeKey, effect.open)
    else goTo(effect.goTo)
    event.preventDefault()
  }
  return (
    <div
      {...scrollerProps}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={activeKey === undefined ? undefined : `${id}-${activeKey}`}
      className={classes.tree}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: drawn.height, position: 'relative' }}>
        <div role="presentation" style={{ transform: `translateY(${drawn.top}px)` }}>
          {lines.slice(drawn.first, drawn.first + drawn.count).map(({ item, level, parent }) =>
            item ? (
              <TreeLine
                key={item.key}
                id={`${id}-${item.key}`}
                item={item}
                level={level}
                height={rowHeight}
                isOpen={open.has(item.key)}
                isChosen={item.key === chosen}
                isActive={item.key === activeKey}
                onToggle={onToggle}
                onChoose={(key) => {
                  setActive(key)
                  onChoose(key)
                }}
                menu={menu}
                dragging={dragging(item.key)}
              />
            ) : (
              <LoadingLine key={`loading ${parent}`} level={level} height={rowHeight} />
            ),
          )}
        </div>
      </div>
    </div>
  )
}

/** The properties that make the line of an item draggable and a place to drop on. */
function useDragging({ onMove, onDropOther, spots = ['into'] }: TreeProps) {
  const [over, setOver] = useState<{ key: string; spot: DropSpot }>()
  const takesDrops = onMove !== undefined || onDropOther !== undefined
  return (key: string) => ({
    draggable: onMove !== undefined,
    onDragStart: (event: DragEvent) => event.dataTransfer.setData(dragType, key),
    'data-over': over?.key === key ? over.spot : undefined,
    ...(takesDrops && {
      onDragOver(event: DragEvent<HTMLElement>) {
        event.preventDefault()
        const { top, height } = event.currentTarget.getBoundingClientRect()
        const spot = dropSpotAt((event.clientY - top) / height, spots)
        setOver((before) => (before?.key === key && before.spot === spot ? before : { key, spot }))
      },
      onDragLeave: () => setOver(undefined),
      onDrop(event: DragEvent) {
        event.preventDefault()
        const spot = over?.spot ?? 'into'
        setOver(undefined)
        const moved = event.dataTransfer.getData(dragType)
        if (moved && moved !== key) onMove?.(moved, key, spot)
        else if (!moved) onDropOther?.(event, key)
      },
    }),
  })
}
