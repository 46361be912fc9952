/** One line of a tree: the arrow that opens it, the item, and its menu. */
import { Skeleton, Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { HTMLAttributes, ReactNode } from 'react'
import { useTexts } from '../language.tsx'
import { commonTexts } from '../common-texts.ts'
import type { TreeItem } from './lines.ts'
import classes from './tree.module.css'

interface TreeLineProps {
  readonly id: string
  readonly item: TreeItem
  readonly level: number
  readonly height: number
  readonly isOpen: boolean
  readonly isChosen: boolean
  readonly isActive: boolean
  readonly onToggle: (key: string, open: boolean) => void
  readonly onChoose: (key: string) => void
  readonly menu: ((item: TreeItem) => ReactNode) | undefined
  readonly dragging: HTMLAttributes<HTMLDivElement>
}

const styleOf = (level: number, height: number) => ({ height, paddingLeft: `${level * 0.9 - 0.4}rem` })

export function TreeLine(props: TreeLineProps) {
  const { item, level, isOpen, onToggle, onChoose, menu } = props
  const t = useTexts(commonTexts)
  return (
    <div
      {...props.dragging}
      id={props.id}
      role="treeitem"
      aria-level={level}
      aria-expanded={item.hasChildren ? isOpen : undefined}
      aria-selected={props.isChosen}
      data-active={props.isActive || undefined}
      className={classes.line}
      style={styleOf(level, props.height)}
      onClick={() => onChoose(item.key)}
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
          onToggle(item.key, !isOpen)
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
      {menu && (
        <span className={classes.menu} onClick={(event) => event.stopPropagation()} role="presentation">
          {menu(item)}
        </span>
      )}
    </div>
  )
}

export function LoadingLine({ level, height }: { level: number; height: number }) {
  return (
    <div role="presentation" className={classes.line} style={styleOf(level, height)}>
      <Skeleton height={9} width="60%" radius="xl" />
    </div>
  )
}
