/**
 * A tree of which only the open part is known and only what is in sight is drawn.
 *
 * Arrows go up and down, right opens, left closes or goes to the parent, Enter chooses. Items can be dragged onto others
 * or between them where the owner allows it.
 */
import { Skeleton, Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type DragEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useTexts } from '../language.tsx'
import { words } from '../words.ts'
import classes from './tree.module.css'

export interface TreeItem {
  readonly key: string
  readonly label: string
  readonly icon?: ReactNode
  /** Shown at the end: a count, a badge. */
  readonly end?: ReactNode
  readonly hasChildren: boolean
}
/** Where something is dropped: into an item, or before or after it. */
export type DropSpot = 'into' | 'before' | 'after'

export interface TreeProps {
  readonly label: string
  readonly roots: readonly TreeItem[]
  /** Undefined while they are being loaded. */
  readonly childrenOf: (key: string) => readonly TreeItem[] | undefined
  readonly open: ReadonlySet<string>
  readonly onToggle: (key: string, open: boolean) => void
  readonly chosen?: string | undefined
  readonly onChoose: (key: string) => void
  /** Allows dragging; `spots` are the places where an item may go. */
  readonly onMove?: (key: string, target: string, spot: DropSpot) => void
  readonly spots?: readonly DropSpot[]
  /** Something that is not of this tree was dropped on an item. */
  readonly onDropOther?: (event: DragEvent, target: string) => void
  readonly menu?: (item: TreeItem) => ReactNode
}

interface Line {
  readonly item?: TreeItem
  readonly level: number
  readonly parent?: string
}

const rowHeight = 34
/** What is dragged, as the browser hands it over. */
const dragType = 'application/x-kontor-tree'

export function Tree(props: TreeProps) {
  const { label, roots, open, chosen } = props
  const t = useTexts(words)
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string>()
  const [over, setOver] = useState<{ key: string; spot: DropSpot }>()
  const lines = [...linesOf(roots, props, 1)]
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const at = Math.max(
    0,
    lines.findIndex(({ item }) => item?.key === (active ?? chosen)),
  )
  const goTo = (index: number) => {
    const { item } = lines[index] ?? {}
    if (!item) return
    setActive(item.key)
    virtual.scrollToIndex(index)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return
    const line = lines[at]
    const item = line?.item
    if (!item) return
    const isOpen = open.has(item.key)
    const act: Record<string, () => void> = {
      ArrowDown: () => goTo(Math.min(at + 1, lines.length - 1)),
      ArrowUp: () => goTo(Math.max(at - 1, 0)),
      Home: () => goTo(0),
      End: () => goTo(lines.length - 1),
      ArrowRight: () => (item.hasChildren && !isOpen ? props.onToggle(item.key, true) : goTo(at + 1)),
      ArrowLeft: () =>
        isOpen ? props.onToggle(item.key, false) : goTo(lines.findIndex((one) => one.item?.key === line.parent)),
      Enter: () => props.onChoose(item.key),
      ' ': () => props.onChoose(item.key),
    }
    if (!Object.hasOwn(act, event.key)) return
    act[event.key]!()
    event.preventDefault()
  }
  const spotAt = (event: DragEvent<HTMLElement>): DropSpot => {
    const { top, height } = event.currentTarget.getBoundingClientRect()
    const part = (event.clientY - top) / height
    const { spots = ['into'] } = props
    if (!spots.includes('before')) return 'into'
    return part < 0.25
      ? 'before'
      : part > 0.75
        ? 'after'
        : spots.includes('into')
          ? 'into'
          : part < 0.5
            ? 'before'
            : 'after'
  }
  const onDrop = (event: DragEvent, key: string) => {
    event.preventDefault()
    const spot = over?.spot ?? 'into'
    setOver(undefined)
    const moved = event.dataTransfer.getData(dragType)
    if (moved && moved !== key) props.onMove?.(moved, key, spot)
    else if (!moved) props.onDropOther?.(event, key)
  }
  const takesDrops = Boolean(props.onMove ?? props.onDropOther)
  const activeKey = lines[at]?.item?.key
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={activeKey === undefined ? undefined : `${id}-${activeKey}`}
      className={classes.tree}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const { item, level } = lines[index]!
          const place = {
            transform: `translateY(${start}px)`,
            height: rowHeight,
            paddingLeft: `${level * 0.9 - 0.4}rem`,
          }
          if (!item)
            return (
              <div key={`loading-${index}`} role="presentation" className={classes.line} style={place}>
                <Skeleton height={9} width="60%" radius="xl" />
              </div>
            )
          const isOpen = open.has(item.key)
          return (
            <div
              key={item.key}
              id={`${id}-${item.key}`}
              role="treeitem"
              aria-level={level}
              aria-expanded={item.hasChildren ? isOpen : undefined}
              aria-selected={item.key === chosen}
              data-active={item.key === activeKey || undefined}
              data-over={over?.key === item.key ? over.spot : undefined}
              className={classes.line}
              style={place}
              onClick={() => {
                setActive(item.key)
                props.onChoose(item.key)
              }}
              draggable={props.onMove !== undefined}
              onDragStart={(event) => event.dataTransfer.setData(dragType, item.key)}
              onDragOver={
                takesDrops
                  ? (event) => {
                      event.preventDefault()
                      const spot = spotAt(event)
                      setOver((before) =>
                        before?.key === item.key && before.spot === spot ? before : { key: item.key, spot },
                      )
                    }
                  : undefined
              }
              onDragLeave={() => setOver(undefined)}
              onDrop={takesDrops ? (event) => onDrop(event, item.key) : undefined}
            >
              <button
                type="button"
                tabIndex={-1}
                className={classes.toggle}
                data-open={isOpen || undefined}
                data-hidden={!item.hasChildren || undefined}
                aria-label={isOpen ? t('collapse') : t('expand')}
                aria-hidden
                onClick={(event) => {
                  event.stopPropagation()
                  props.onToggle(item.key, !isOpen)
                }}
              >
                <IconChevronRight size={14} />
              </button>
              {item.icon}
              <Text size="sm" truncate flex={1}>
                {item.label}
              </Text>
              {item.end !== undefined && (
                <Text component="span" size="xs" c="dimmed">
                  {item.end}
                </Text>
              )}
              {props.menu && (
                <span className={classes.menu} onClick={(event) => event.stopPropagation()} role="presentation">
                  {props.menu(item)}
                </span>
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function* linesOf(items: readonly TreeItem[], props: TreeProps, level: number, parent?: string): Generator<Line> {
  for (const item of items) {
    yield { item, level, parent }
    if (!item.hasChildren || !props.open.has(item.key)) continue
    const children = props.childrenOf(item.key)
    if (children) yield* linesOf(children, props, level + 1, item.key)
    else yield { level: level + 1, parent: item.key }
  }
}
