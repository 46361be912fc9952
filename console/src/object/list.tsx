/** A list of objects that fit into memory: filtered by a text, sorted by any column, in the same grid as everywhere. */
import { Group, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { type Column, Grid, type GridProps, type Sort } from '../ui/grid/grid.tsx'
import { useTexts } from '../ui/language.tsx'
import { words } from '../ui/words.ts'

export interface ListColumn<Row> extends Omit<Column<Row>, 'show' | 'sortable'> {
  /** What the column is filtered and sorted by, and shown as unless `show` says otherwise. */
  readonly text: (row: Row) => string
  readonly show?: (row: Row) => ReactNode
}

export interface ObjectListProps<Row> extends Pick<
  GridProps<Row>,
  'label' | 'keyOf' | 'onOpen' | 'selection' | 'onSelect' | 'rowHeight'
> {
  readonly rows: readonly Row[]
  readonly columns: readonly ListColumn<Row>[]
  /** Beside the filter. */
  readonly tools?: ReactNode
  /** In place of the list where there is nothing in it. */
  readonly empty?: ReactNode
  readonly filter?: string
  readonly onFilter?: (text: string) => void
}

export function ObjectList<Row>({ rows, columns, tools, empty, filter, onFilter, ...grid }: ObjectListProps<Row>) {
  const t = useTexts(words)
  const [own, setOwn] = useState('')
  const [sort, setSort] = useState<Sort>()
  const text = filter ?? own
  const shown = useMemo(() => arrange(rows, columns, text, sort), [rows, columns, text, sort])
  return (
    <>
      <Group p="xs" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          aria-label={t('filter')}
          placeholder={t('filter')}
          leftSection={<IconSearch size={16} />}
          value={text}
          onChange={({ currentTarget }) => (onFilter ?? setOwn)(currentTarget.value)}
        />
        {tools}
      </Group>
      {rows.length === 0 && empty !== undefined ? (
        empty
      ) : (
        <Grid
          {...grid}
          rows={shown.length}
          row={(index) => shown[index]}
          columns={columns.map((column) => ({ ...column, sortable: true, show: column.show ?? column.text }))}
          sort={sort}
          onSort={setSort}
        />
      )}
    </>
  )
}

function arrange<Row>(
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
