/**
 * A grid of rows of one height, as many as there are: only what is in sight is drawn, and rows are asked for by their
 * number, so that the owner can load them page by page.
 *
 * One stop of the Tab key; inside, arrows go from cell to cell, Home, End and the page keys go far, Space chooses, Enter
 * opens the row, F2 edits the cell. A screen reader hears the same (role grid, active descendant).
 */
import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { GridProps } from './column.ts'
import { GridHead } from './grid-head.tsx'
import { GridRow, type RowActions } from './grid-row.tsx'
import { type Key, moveBy } from './keys.ts'
import { choose, isChosen } from './selection.ts'
import { scrollTo, windowOf } from './windowing.ts'
import classes from './grid.module.css'

export type { Column, GridProps, Sort } from './column.ts'

export function Grid<Row>(props: GridProps<Row>) {
  const { rows, columns, selection, onSight, rowHeight = 44 } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const { ref: sized, height: viewHeight } = useElementSize<HTMLDivElement>()
  const [scrollTop, setScrollTop] = useState(0)
  const [active, setActive] = useState({ row: 0, column: 0 })
  const [editing, setEditing] = useState(false)
  const toggle = useToggle(props)
  const drawn = windowOf(rows, rowHeight, scrollTop, viewHeight)

  useEffect(() => onSight?.(drawn.first, drawn.first + drawn.count - 1), [drawn.first, drawn.count, onSight])
  useLayoutEffect(() => {
    if (active.row >= rows) setActive((at) => ({ ...at, row: Math.max(0, rows - 1) }))
  }, [rows, active.row])

  const move = (event: KeyboardEvent): boolean => {
    const page = Math.max(1, Math.floor(viewHeight / rowHeight) - 1)
    const extent = { rows, columns: columns.length, page }
    const next = moveBy(event.key as Key, event.ctrlKey || event.metaKey, active, extent)
    if (!next) return false
    setActive(next)
    const element = scroller.current!
    element.scrollTop = scrollTo(next.row, rows, rowHeight, element.scrollTop, viewHeight)
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (editing || event.target !== scroller.current) return
    const row = props.row(active.row)
    if (event.key === ' ' && selection) toggle(active.row, event.shiftKey)
    else if (event.key === 'Enter' && row) props.onOpen?.(row)
    else if (event.key === 'F2' && row && columns[active.column]?.edit) setEditing(true)
    else if (!move(event)) return
    event.preventDefault()
  }
  // a ref, because it is the same at every drawing: rows that stay need not be drawn again
  const actions = useRef<RowActions>(null!)
  actions.current = {
    toggle,
    activate: (row, column) => setActive({ row, column }),
    edit: () => setEditing(true),
    edited() {
      setEditing(false)
      scroller.current?.focus()
    },
    open(index) {
      const row = props.row(index)
      if (row && !editing) props.onOpen?.(row)
    },
  }
  const drawRow = (index: number) => {
    const row = props.row(index)
    return (
      <GridRow
        key={row === undefined ? `empty-${index}` : props.keyOf(row)}
        id={id}
        index={index}
        row={row}
        columns={columns}
        height={rowHeight}
        chosen={selection && row !== undefined && isChosen(selection, props.keyOf(row))}
        active={index === active.row ? active.column : undefined}
        editing={editing && index === active.row}
        actions={actions}
      />
    )
  }
  return (
    <div className={classes.frame} ref={sized}>
      <div
        ref={scroller}
        role="grid"
        aria-label={props.label}
        aria-rowcount={rows + 1}
        aria-multiselectable={selection ? true : undefined}
        aria-activedescendant={rows > 0 ? `${id}-${active.row}-${active.column}` : undefined}
        tabIndex={0}
        className={classes.grid}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
      >
        <GridHead {...props} />
        <div role="rowgroup" className={classes.body} style={{ height: drawn.height }}>
          <div style={{ transform: `translateY(${drawn.top}px)` }} role="presentation">
            {Array.from({ length: drawn.count }, (_, offset) => drawRow(drawn.first + offset))}
          </div>
        </div>
      </div>
    </div>
  )
}

/** Chooses a row, or all from the one chosen last to this one; rows that are not loaded are left out. */
function useToggle<Row>({ row, keyOf, selection, onSelect }: GridProps<Row>) {
  const [anchor, setAnchor] = useState(0)
  return (index: number, range: boolean) => {
    const here = row(index)
    if (!selection || !onSelect || here === undefined) return
    const from = range ? Math.min(anchor, index) : index
    const to = range ? Math.max(anchor, index) : index
    const rows = Array.from({ length: to - from + 1 }, (_, i) => row(from + i))
    const keys = rows.flatMap((one) => (one === undefined ? [] : [keyOf(one)]))
    onSelect(choose(selection, keys, !isChosen(selection, keyOf(here))))
    setAnchor(index)
  }
}
