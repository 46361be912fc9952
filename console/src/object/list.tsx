/**
 * A list of objects in a grid, with a filter above it. Objects that are all in memory are filtered and sorted here; a list
 * that the server pages (`paging`) is filtered there and keeps the server's order.
 */
import { Group, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { type Column, Grid, type GridProps, type Sort } from '../ui/grid/grid.tsx'
import { useTexts } from '../ui/language.tsx'
import { commonTexts } from '../ui/common-texts.ts'

export interface ListColumn<Row> extends Omit<Column<Row>, 'show' | 'sortable'> {
  /** The text that the column is filtered and sorted by; the cell shows it unless there is `show`. */
  readonly text: (row: Row) => string
  readonly show?: (row: Row) => ReactNode
}

export interface ObjectListProps<Row> extends Pick<
  GridProps<Row>,
  'label' | 'keyOf' | 'onOpen' | 'selection' | 'onSelect' | 'rowHeight'
> {
  readonly rows: readonly Row[]
  readonly columns: readonly ListColumn<Row>[]
  /** Next to the filter. */
  readonly tools?: ReactNode
  /** Instead of the grid when there are no rows. */
  readonly empty?: ReactNode
  /** The text of the filter where the page keeps it; `false` leaves the filter out. */
  readonly filter?: string | false
  readonly onFilter?: (text: string) => void
  /** The server has more rows than are loaded. */
  readonly paging?: { readonly hasMore: boolean; readonly loadMore: () => void }
}

export function ObjectList<Row>(props: ObjectListProps<Row>) {
  const { rows, columns, tools, empty, filter, onFilter, paging, ...grid } = props
  const t = useTexts(commonTexts)
  const [own, setOwn] = useState('')
  const [sort, setSort] = useState<Sort>()
  const text = filter === false ? '' : (filter ?? own)
  const visible = useMemo(
    () => (paging ? rows : arrange(rows, columns, text, sort)),
    [paging, rows, columns, text, sort],
  )
  const order = paging ? {} : { ...(sort && { sort }), onSort: setSort }
  const loadMore = (_first: number, last: number) => {
    if (paging?.hasMore && last >= rows.length) paging.loadMore()
  }
  return (
    <>
      <Group p="xs" gap="xs" wrap="nowrap">
        {filter !== false && (
          <TextInput
            flex={1}
            aria-label={t('filter')}
            placeholder={t('filter')}
            leftSection={<IconSearch size={16} />}
            value={text}
            onChange={({ currentTarget }) => (onFilter ?? setOwn)(currentTarget.value)}
          />
        )}
        {tools}
      </Group>
      {rows.length === 0 && empty !== undefined ? (
        empty
      ) : (
        <Grid
          {...grid}
          {...order}
          rows={visible.length + (paging?.hasMore ? 1 : 0)}
          row={(index) => visible[index]}
          columns={columns.map((column) => ({ ...column, sortable: true, show: column.show ?? column.text }))}
          onVisibleRows={loadMore}
        />
      )}
    </>
  )
}

/** The rows of which any column contains the filter, in the order of a column. */
export function arrange<Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
  filter: string,
  sort: Sort | undefined,
): readonly Row[] {
  const wanted = filter.trim().toLocaleLowerCase()
  const found = wanted
    ? rows.filter((row) => columns.some((column) => column.text(row).toLocaleLowerCase().includes(wanted)))
    : rows
  const by = columns.find(({ id }) => id === sort?.column)
  if (!by || !sort) return found
  const order = new Intl.Collator(undefined, { numeric: true })
  const sign = sort.descending ? -1 : 1
  return found.toSorted((a, b) => sign * order.compare(by.text(a), by.text(b)))
}
