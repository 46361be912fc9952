/**
 * A grid of rows of one height, of any number: only visible rows are drawn, and rows are requested by their index, so that
 * the owner can load them page by page.
 *
 * The grid is a single Tab stop. Inside it, arrows move from cell to cell, Home, End and the page keys jump, Space selects,
 * Enter opens the row, F2 edits the cell. Screen readers get the same (role grid, active descendant).
 */
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { GridProps } from './column.ts'
import { GridHead } from './grid-head.tsx'
import { GridRow, type RowActions } from './grid-row.tsx'
import { type Key, moveBy } from './keys.ts'
import { useRowWindow } from './row-window.ts'
import { choose, isChosen } from './selection.ts'
import classes from './grid.module.css'

export type { Column, GridProps, Sort } from './column.ts'

export function Grid<Row>(props: GridProps<Row>) {
  const { rows, columns, selection, onVisibleRows, rowHeight = 44, jump } = props
  const id = useId()
  const { scroller, scrollerProps, viewHeight, drawn, scrollToRow } = useRowWindow(rows, rowHeight)
  const [active, setActive] = useState({ row: 0, column: 0 })
  const [editing, setEditing] = useState(false)
  const toggle = useToggle(props)

  useEffect(
    () => onVisibleRows?.(drawn.first, drawn.first + drawn.count - 1),
    [drawn.first, drawn.count, onVisibleRows],
  )
  useLayoutEffect(() => {
    if (active.row >= rows) setActive((at) => ({ ...at, row: Math.max(0, rows - 1) }))
  }, [rows, active.row])
  useEffect(() => {
    if (!jump || !scroller.current || (jump.index === 0 && scroller.current.scrollTop === 0)) return
    scroller.current.scrollTop = jump.index * rowHeight
    setActive((at) => ({ ...at, row: jump.index }))
  }, [jump, rowHeight, scroller])

  const move = (event: KeyboardEvent): boolean => {
    const page = Math.max(1, Math.floor(viewHeight / rowHeight) - 1)
    const extent = { rows, columns: columns.length, page }
    const next = moveBy(event.key as Key, event.ctrlKey || event.metaKey, active, extent)
    if (!next) return false
    setActive(next)
    scrollToRow(next.row)
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
  // a ref keeps its identity, so rows that stay visible are not rendered again
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
        opens={props.onOpen !== undefined}
        editing={editing && index === active.row}
        actions={actions}
      />
    )
  }
  return (
    <div className={classes.frame}>
      <div
        {...scrollerProps}
        role="grid"
        aria-label={props.label}
        aria-rowcount={rows + 1}
        aria-multiselectable={selection ? true : undefined}
        aria-activedescendant={rows > 0 ? `${id}-${active.row}-${active.column}` : undefined}
        tabIndex={0}
        className={classes.grid}
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

/** Selects a row, or the range from the row selected last; rows that are not loaded are left out. */
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
