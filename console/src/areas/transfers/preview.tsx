/** The preview of an import: the mapping of its columns, and its first rows with their errors. */
import { Alert, Badge, ScrollArea, Table, Text, Title } from '@mantine/core'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { texts } from './texts.ts'
import { usePreview } from './use-transfers.ts'
import { storedText } from '../../object/stored-text.ts'

type PreviewData = NonNullable<ReturnType<typeof usePreview>['data']>

export function Preview({ id }: { readonly id: string }) {
  const t = useTexts(texts)
  const preview = usePreview(id)
  return (
    <section>
      <Title order={3} mb="xs">
        {t('preview')}
      </Title>
      <Loaded query={preview}>
        {({ columns = [], rows = [] }) => (
          <>
            {columns.length > 0 && <Columns columns={columns} />}
            <PreviewRows rows={rows} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function Columns({ columns }: { readonly columns: NonNullable<PreviewData['columns']> }) {
  const t = useTexts(texts)
  return (
    <ScrollArea mb="md" viewportProps={{ tabIndex: 0, 'aria-label': t('preview') }}>
      <Table verticalSpacing="xs" w="auto">
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ column }) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            {columns.map(({ column, meaning, fault }) => (
              <Table.Td key={column}>
                <Badge variant="light" tt="none" color={fault === undefined ? 'teal' : 'red'} title={fault}>
                  {fault === undefined ? meaning : t('unread')}
                </Badge>
                {fault !== undefined && <Text size="xs">{fault}</Text>}
              </Table.Td>
            ))}
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}

export function PreviewRows({ rows }: { readonly rows: NonNullable<PreviewData['rows']> }) {
  const t = useTexts(texts)
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('row')}</Table.Th>
          <Table.Th>{t('what')}</Table.Th>
          <Table.Th>{t('reason')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ row, item, faults = [] }) => {
          const { tid = '', name = '' } = (item ?? {}) as { tid?: string; name?: string }
          return (
            <Table.Tr key={String(row)}>
              <Table.Td>{String(row)}</Table.Td>
              <Table.Td>{[tid, name].filter((text) => text !== '').join(' · ')}</Table.Td>
              <Table.Td>
                {faults.map(({ column, reason }, i) => (
                  <Alert key={i} color="red" p={6}>
                    {[column, storedText(reason ?? '')].filter((text) => text !== undefined).join(': ')}
                  </Alert>
                ))}
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
