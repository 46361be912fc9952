/** The visible lines of a tree, from the top to the bottom, and the effect of a key on them. */
import type { ReactNode } from 'react'

export interface TreeItem {
  readonly key: string
  readonly label: string
  readonly icon?: ReactNode
  /** At the end of the line: a count, a badge. */
  readonly end?: ReactNode
  readonly hasChildren: boolean
}

export interface Line {
  /** Absent while the children of `parent` are loading. */
  readonly item?: TreeItem
  readonly level: number
  readonly parent: string | undefined
}

export interface OpenPart {
  readonly open: ReadonlySet<string>
  /** Undefined while the children are loading. */
  readonly childrenOf: (key: string) => readonly TreeItem[] | undefined
}

export function toLines(items: readonly TreeItem[], part: OpenPart, level = 1, parent?: string): Line[] {
  return items.flatMap((item): Line[] => {
    const line = { item, level, parent }
    if (!item.hasChildren || !part.open.has(item.key)) return [line]
    const children = part.childrenOf(item.key)
    if (!children) return [line, { level: level + 1, parent: item.key }]
    return [line, ...toLines(children, part, level + 1, item.key)]
  })
}

/** Moves to a line, opens or closes an item, or chooses it. */
type KeyEffect = { readonly goTo: number } | { readonly open: boolean } | 'choose'

/** The effect of a key on the line `at`; undefined for a key that the tree does not use. */
export function effectOf(
  key: string,
  lines: readonly Line[],
  at: number,
  open: ReadonlySet<string>,
): KeyEffect | undefined {
  const { item, parent } = lines[at] ?? {}
  if (!item) return undefined
  const isOpen = open.has(item.key)
  const last = lines.length - 1
  switch (key) {
    case 'ArrowDown':
      return { goTo: Math.min(at + 1, last) }
    case 'ArrowUp':
      return { goTo: Math.max(at - 1, 0) }
    case 'Home':
      return { goTo: 0 }
    case 'End':
      return { goTo: last }
    case 'ArrowRight':
      return item.hasChildren && !isOpen ? { open: true } : { goTo: Math.min(at + 1, last) }
    case 'ArrowLeft':
      return isOpen ? { open: false } : { goTo: lines.findIndex((line) => line.item?.key === parent) }
    case 'Enter':
    case ' ':
      return 'choose'
    default:
      return undefined
  }
}
