/** Facts about an object, one per row. Those without a value are left out. */
import { Table } from '@mantine/core'

export function Facts({ facts }: { facts: readonly (readonly [label: string, value: string | undefined])[] }) {
  return (
    <Table>
      <Table.Tbody>
        {facts.map(
          ([label, value]) =>
            value && (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ),
        )}
      </Table.Tbody>
    </Table>
  )
}
