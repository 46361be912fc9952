/**
 * Edits a table attribute. Each column is an attribute with a list of values; a row is the same position in all of
 * them.
 */
import { ActionIcon, Button, Table } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { Attribute } from '../../../object/values/attribute.ts'
import { columnKey, type Texts, textsOf } from '../../../object/values/draft.ts'
import { ValueField } from '../../../object/values/value-field.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { isInherited, type Item } from './product.ts'
import { texts } from './texts.ts'
import type { ItemsDraft } from './use-product.ts'

interface TableFieldProps {
  readonly item: Item
  readonly table: Attribute
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly draft: ItemsDraft
  readonly locale: string
}

export function TableField({ item, table, attributes, draft, locale }: TableFieldProps) {
  const t = useTexts(texts)
  const isFixed = table.readOnly || draft.refusal(table.key, '') !== undefined
  const columns = table.columns.flatMap((key) => attributes.get(key) ?? [])
  const localeOf = (column: Attribute) => (column.localized ? locale : '')
  const keyOf = (column: Attribute) => columnKey(table.key, column.key)
  const inheritedOf = (column: Attribute): Texts => {
    const val = item.vals.get(keyOf(column))
    return isInherited(val) ? textsOf(val, localeOf(column)) : []
  }
  const textsIn = (column: Attribute) => draft.texts(item, keyOf(column), localeOf(column))
  const count = Math.max(0, ...columns.map((column) => Math.max(textsIn(column).length, inheritedOf(column).length)))
  const write = (column: Attribute, row: number, value: string) => {
    const next = Array.from({ length: Math.max(count, row + 1) }, (_, i) => textsIn(column)[i] ?? '')
    next[row] = value
    draft.write(item, keyOf(column), localeOf(column), next)
  }
  const remove = (row: number) => {
    for (const column of columns) draft.write(item, keyOf(column), localeOf(column), textsIn(column).toSpliced(row, 1))
  }
  return (
    <div>
      <Table withTableBorder verticalSpacing={4} horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.key} fz="xs" c="dimmed">
                {column.label}
              </Table.Th>
            ))}
            <Table.Th w={36} aria-label={t('removeRow', { row: '' })} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {Array.from({ length: count }, (_, row) => (
            <Table.Tr key={row}>
              {columns.map((column) => (
                <Table.Td key={column.key}>
                  <ValueField
                    attribute={{ ...column, multiple: false }}
                    texts={textsIn(column)[row] ? [textsIn(column)[row]!] : []}
                    onChange={([value = '']) => write(column, row, value)}
                    placeholder={inheritedOf(column)[row] ?? ''}
                    aria-label={`${column.label} ${row + 1}`}
                    disabled={isFixed}
                    size="xs"
                  />
                </Table.Td>
              ))}
              <Table.Td>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={t('removeRow', { row: row + 1 })}
                  onClick={() => remove(row)}
                  disabled={isFixed}
                >
                  <IconX size={14} />
                </ActionIcon>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Button
        size="compact-xs"
        variant="subtle"
        mt={4}
        leftSection={<IconPlus size={12} />}
        onClick={() => write(columns[0]!, count, ' ')}
        disabled={isFixed || columns.length === 0}
      >
        {t('addRow')}
      </Button>
    </div>
  )
}
