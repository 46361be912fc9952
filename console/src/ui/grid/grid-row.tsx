/**
 * One row of a grid: its checkbox, and a cell per column, one of which may be edited. The row is memoised and its properties
 * keep their identity, so a row that stays visible is not rendered again while the grid scrolls.
 */
import { Checkbox, Skeleton } from '@mantine/core'
import { memo, type ReactNode, type RefObject } from 'react'
import { useTexts } from '../language.tsx'
import { commonTexts } from '../common-texts.ts'
import { type Column, rowStyle } from './column.ts'
import classes from './grid.module.css'

interface GridRowProps<Row> {
  readonly id: string
  readonly index: number
  readonly row: Row | undefined
  readonly columns: readonly Column<Row>[]
  readonly height: number
  /** Undefined where rows cannot be selected. */
  readonly chosen: boolean | undefined
  /** The column of the active cell, if that is in this row. */
  readonly active: number | undefined
  readonly editing: boolean
  /** Whether rows can be opened. */
  readonly opens: boolean
  readonly actions: RefObject<RowActions>
}

/** Callbacks of a row, which identifies itself by its index. */
export interface RowActions {
  toggle(index: number, range: boolean): void
  activate(index: number, column: number): void
  edit(): void
  edited(): void
  open(index: number): void
}

function DrawnRow<Row>(props: GridRowProps<Row>) {
  const { index, row, columns, chosen, actions } = props
  const t = useTexts(commonTexts)
  // a click has another meaning where rows are selected or edited
  const opensByClick = props.opens && chosen === undefined && !columns.some(({ edit }) => edit)
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={chosen}
      className={classes.row}
      style={{ ...rowStyle(columns, chosen !== undefined), height: props.height }}
      data-opens={opensByClick || undefined}
      onClick={({ target }) => opensByClick && !isControl(target as Element) && actions.current.open(index)}
      onDoubleClick={opensByClick ? undefined : () => actions.current.open(index)}
    >
      {chosen !== undefined && (
        <div role="gridcell" className={classes.check}>
          <Checkbox
            size="xs"
            tabIndex={-1}
            aria-label={t('row', { row: index + 1 })}
            checked={chosen}
            disabled={row === undefined}
            onChange={() => {}}
            onClick={(event) => actions.current.toggle(index, event.shiftKey)}
          />
        </div>
      )}
      {columns.map((column, at) => (
        <Cell key={column.id} {...props} column={column} at={at} />
      ))}
    </div>
  )
}
/** Controls in a row act by themselves. The items of a menu also get here, through the tree of components. */
const isControl = (target: Element) => target.closest('a, button, input, label, [role="menu"]') !== null

export const GridRow = memo(DrawnRow) as typeof DrawnRow

function Cell<Row>({
  id,
  index,
  row,
  column,
  at,
  active,
  editing,
  actions,
}: GridRowProps<Row> & { column: Column<Row>; at: number }) {
  const isActive = at === active
  const content = () => {
    if (row === undefined) return <Skeleton height={10} radius="xl" width="70%" />
    if (isActive && editing && column.edit) return column.edit(row, () => actions.current.edited())
    return <Content of={column.show(row)} />
  }
  return (
    <div
      id={`${id}-${index}-${at}`}
      role="gridcell"
      data-active={isActive || undefined}
      data-align={column.align}
      className={classes.cell}
      onMouseDown={() => actions.current.activate(index, at)}
      onDoubleClick={(event) => {
        if (!column.edit || row === undefined) return
        event.stopPropagation()
        actions.current.edit()
      }}
    >
      {content()}
    </div>
  )
}

/** Text that is too long ends in an ellipsis. */
const Content = ({ of }: { of: ReactNode }) =>
  typeof of === 'string' || typeof of === 'number' ? <span className={classes.text}>{of}</span> : of
