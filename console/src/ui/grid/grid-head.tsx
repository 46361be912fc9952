/** The header of a grid: selects all rows, and sorts by a column. */
import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useTexts } from '../language.tsx'
import { commonTexts } from '../common-texts.ts'
import { type Column, type GridProps, rowStyle } from './column.ts'
import { chosenCount, everything, noSelection } from './selection.ts'
import classes from './grid.module.css'

export function GridHead<Row>(props: GridProps<Row>) {
  const { columns, selection, onSelect, rows } = props
  const t = useTexts(commonTexts)
  const chosen = selection ? chosenCount(selection, rows) : 0
  return (
    <div role="rowgroup" className={classes.head}>
      <div role="row" aria-rowindex={1} className={classes.row} style={rowStyle(columns, selection !== undefined)}>
        {selection && (
          <div role="columnheader" className={classes.check}>
            <Checkbox
              size="xs"
              tabIndex={-1}
              aria-label={t('selectAll')}
              checked={rows > 0 && chosen === rows}
              indeterminate={chosen > 0 && chosen < rows}
              onChange={() => onSelect?.(chosen === rows ? noSelection : everything)}
            />
          </div>
        )}
        {columns.map((column) => (
          <ColumnHead key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
        ))}
      </div>
    </div>
  )
}

function ColumnHead<Row>({ column, sort, onSort }: { column: Column<Row> } & Pick<GridProps<Row>, 'sort' | 'onSort'>) {
  const t = useTexts(commonTexts)
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
