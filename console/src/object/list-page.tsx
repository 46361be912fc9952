/**
 * A list of objects of one shape of the contract, as a page shows it: loading, empty, or a grid with a column per field,
 * the page's own columns after them, and the actions of a row at the end.
 */
import type { Type } from '@kontor/contract'
import type { ReactNode } from 'react'
import { useTexts } from '../ui/language.tsx'
import { Loaded, type QueryLike } from '../ui/states.tsx'
import { commonTexts } from '../ui/common-texts.ts'
import type { LabelOf } from './labels.ts'
import { type ListFields, useColumns } from './list-columns.tsx'
import { type ListColumn, ObjectList, type ObjectListProps } from './list.tsx'

interface ListPageProps<Row> extends Omit<ObjectListProps<Row>, 'rows' | 'columns' | 'empty'> {
  readonly type: Type<Row>
  readonly query: QueryLike<readonly Row[]>
  readonly labelOf: LabelOf
  readonly fields?: ListFields<Row>
  /** Columns that are not fields of the shape. */
  readonly moreColumns?: readonly ListColumn<Row>[]
  /** Instead of the whole list, its filter included, when there are no rows. */
  readonly empty?: ReactNode
  /** Below the filter when there are no rows. */
  readonly emptyList?: ReactNode
  readonly actions?: (row: Row) => ReactNode
  readonly actionsWidth?: string
}

export function ListPage<Row>(props: ListPageProps<Row>) {
  const {
    type,
    query,
    labelOf,
    fields,
    moreColumns = [],
    empty,
    emptyList,
    actions,
    actionsWidth = '9rem',
    ...list
  } = props
  const word = useTexts(commonTexts)
  const columns = [...useColumns(type, labelOf, fields), ...moreColumns]
  if (actions)
    columns.push({ id: 'actions', title: word('actions'), width: actionsWidth, text: () => '', show: actions })
  return (
    <Loaded query={query}>
      {(rows) =>
        rows.length === 0 && empty !== undefined ? (
          empty
        ) : (
          <ObjectList {...list} rows={rows} columns={columns} empty={emptyList} />
        )
      }
    </Loaded>
  )
}
