/**
 * A grid of rows of one height, as many as there are: only what is in sight is drawn, and rows are asked for by their
 * number, so that the owner can load them page by page.
 *
 * One stop of the Tab key; inside, arrows go from cell to cell, Home, End and the page keys go far, Space chooses, Enter
 * opens the row, F2 edits the cell. A screen reader hears the same (role grid, active descendant).
 */
import { Checkbox, Skeleton } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTexts } from '../language.tsx'
import { words } from '../words.ts'
import { type Key, moveBy } from './keys.ts'
import { choose, chosenCount, everything, isChosen, noSelection, type Selection } from './selection.ts'
import { scrollTo, windowOf } from './windowing.ts'
import classes from './grid.module.css'

export interface Column<Row> {
  readonly id: string
  readonly title: string
  /** CSS, in rem: 12rem, minmax(10rem, 2fr). */
  readonly width: string
  readonly align?: 'end'
  readonly sortable?: boolean
  readonly show: (row: Row) => ReactNode
  /** An editor in place of the cell; it closes itself. */
  readonly edit?: (row: Row, close: () => void) => ReactNode
}

export interface Sort {
  readonly column: string
  readonly descending: boolean
}

export interface GridProps<Row> {
  readonly label: string
  readonly rows: number
  /** Undefined while it is not loaded. */
  readonly row: (index: number) => Row | undefined
  readonly keyOf: (row: Row) => string
  readonly columns: readonly Column<Row>[]
  readonly onOpen?: (row: Row) => void
  readonly sort?: Sort
  readonly onSort?: (sort: Sort) => void
  readonly selection?: Selection
  readonly onSelect?: (selection: Selection) => void
  /** Which rows are in sight. */
  readonly onSight?: (first: number, last: number) => void
  readonly rowHeight?: number
}

export function Grid<Row>(props: GridProps<Row>) {
  const { label, rows, columns, selection, onSelect, onSight, rowHeight = 44 } = props
  const t = useTexts(words)
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const { ref: sized, height: viewHeight } = useElementSize<HTMLDivElement>()
  const [scrollTop, setScrollTop] = useState(0)
  const [active, setActive] = useState({ row: 0, column: 0 })
  const [editing, setEditing] = useState(false)
  const [anchor, setAnchor] = useState(0)
  const drawn = windowOf(rows, rowHeight, scrollTop, viewHeight)

  useEffect(() => onSight?.(drawn.first, drawn.first + drawn.count - 1), [drawn.first, drawn.count, onSight])
  useLayoutEffect(() => {
    if (active.row >= rows) setActive((at) => ({ ...at, row: Math.max(0, rows - 1) }))
  }, [rows, active.row])

  const goTo = (row: number, column: number) => {
    setActive({ row, column })
    const element = scroller.current!
    element.scrollTop = scrollTo(row, rows, rowHeight, element.scrollTop, viewHeight)
  }
  const toggle = (index: number, range: boolean) => {
    const keys = [...indexes(range ? anchor : index, index)].flatMap((at) => {
      const row = props.row(at)
      return row === undefined ? [] : [props.keyOf(row)]
    })
    const here = props.row(index)
    if (!selection || !onSelect || here === undefined) return
    onSelect(choose(selection, keys, !isChosen(selection, props.keyOf(here))))
    setAnchor(index)
  }
  const stopEditing = () => {
    setEditing(false)
    scroller.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (editing || event.target !== scroller.current) return
    const row = props.row(active.row)
    const column = columns[active.column]
    if (event.key === ' ' && selection) toggle(active.row, event.shiftKey)
    else if (event.key === 'Enter' && row) props.onOpen?.(row)
    else if (event.key === 'F2' && row && column?.edit) setEditing(true)
    else {
      const next = moveBy(event.key as Key, event.ctrlKey || event.metaKey, active, {
        rows,
        columns: columns.length,
        page: Math.max(1, Math.floor(viewHeight / rowHeight) - 1),
      })
      if (!next) return
      goTo(next.row, next.column)
    }
    event.preventDefault()
  }
  const widths = [...(selection ? ['2.75rem'] : []), ...columns.map(({ width }) => width)]
  const rowStyle = { gridTemplateColumns: widths.join(' '), minWidth: `${leastOf(widths)}rem` }
  return (
    <div className={classes.frame} ref={sized}>
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={rows + 1}
        aria-multiselectable={selection ? true : undefined}
        aria-activedescendant={rows > 0 ? `${id}-${active.row}-${active.column}` : undefined}
        tabIndex={0}
        className={classes.grid}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className={classes.head}>
          <div role="row" aria-rowindex={1} className={classes.row} style={rowStyle}>
            {selection && (
              <div role="columnheader" className={classes.check}>
                <Checkbox
                  size="xs"
                  tabIndex={-1}
                  aria-label={t('selectAll')}
                  checked={rows > 0 && chosenCount(selection, rows) === rows}
                  indeterminate={chosenCount(selection, rows) > 0 && chosenCount(selection, rows) < rows}
                  onChange={() => onSelect?.(chosenCount(selection, rows) === rows ? noSelection : everything)}
                />
              </div>
            )}
            {columns.map((column) => (
              <Head key={column.id} column={column} {...props} />
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes.body} style={{ height: drawn.height }}>
          <div style={{ transform: `translateY(${drawn.top}px)` }} role="presentation">
            {Array.from({ length: drawn.count }, (_, offset) => {
              const index = drawn.first + offset
              const row = props.row(index)
              const key = row === undefined ? `empty-${index}` : props.keyOf(row)
              const chosen = selection && row !== undefined && isChosen(selection, key)
              return (
                <div
                  key={key}
                  role="row"
                  aria-rowindex={index + 2}
                  aria-selected={selection ? Boolean(chosen) : undefined}
                  className={classes.row}
                  style={{ ...rowStyle, height: rowHeight }}
                  onDoubleClick={() => row && !editing && props.onOpen?.(row)}
                >
                  {selection && (
                    <div role="gridcell" className={classes.check}>
                      <Checkbox
                        size="xs"
                        tabIndex={-1}
                        aria-label={t('row', { row: index + 1 })}
                        checked={Boolean(chosen)}
                        onChange={() => {}}
                        onClick={(event) => toggle(index, event.shiftKey)}
                      />
                    </div>
                  )}
                  {columns.map((column, at) => {
                    const isActive = index === active.row && at === active.column
                    return (
                      <div
                        key={column.id}
                        id={`${id}-${index}-${at}`}
                        role="gridcell"
                        data-active={isActive || undefined}
                        data-align={column.align}
                        className={classes.cell}
                        onMouseDown={() => setActive({ row: index, column: at })}
                        onDoubleClick={(event) => {
                          if (!column.edit || row === undefined) return
                          event.stopPropagation()
                          setEditing(true)
                        }}
                      >
                        {row === undefined ? (
                          <Skeleton height={10} radius="xl" width="70%" />
                        ) : isActive && editing && column.edit ? (
                          column.edit(row, stopEditing)
                        ) : (
                          <Content of={column.show(row)} />
                        )}
                      </div>
                    )
                  })}
                </div>
              )
            })}
          </div>
        </div>
      </div>
    </div>
  )
}

/** Text that is too long ends in an ellipsis. */
const Content = ({ of }: { of: ReactNode }) =>
  typeof of === 'string' || typeof of === 'number' ? <span className={classes.text}>{of}</span> : of

function Head<Row>({ column, sort, onSort }: { column: Column<Row> } & Pick<GridProps<Row>, 'sort' | 'onSort'>) {
  const t = useTexts(words)
  const sorted = sort?.column === column.id ? sort : undefined
  const Arrow = sorted?.descending ? IconArrowDown : IconArrowUp
  return (
    <div
      role="columnheader"
      className={classes.title}
      data-align={column.align}
      aria-sort={sorted ? (sorted.descending ? 'descending' : 'ascending') : undefined}
    >
      {column.sortable && onSort ? (
        <button
          type="button"
          tabIndex={-1}
          title={t('sortBy', { column: column.title })}
          onClick={() => onSort({ column: column.id, descending: sorted ? !sorted.descending : false })}
        >
          {column.title}
          {sorted && <Arrow size={14} aria-hidden />}
        </button>
      ) : (
        column.title
      )}
    </div>
  )
}

/** The narrowest a row can be: the first number of each width, in rem. */
const leastOf = (widths: readonly string[]) =>
  widths.reduce((sum, width) => sum + Number(/[\d.]+(?=rem)/.exec(width)?.[0] ?? 0), 0)

function* indexes(from: number, to: number) {
  for (let index = Math.min(from, to); index <= Math.max(from, to); index++) yield index
}
