/** Passes over all stored files, and what the newest one found. */
import { Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { careTexts } from '../../object/care-texts.ts'
import { useClient } from '../../object/client.tsx'
import { ContentBadge } from '../../object/content-badge.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Uses } from './held-files.tsx'

const columns = ['startedAt', 'startedBy', 'filesRead', 'size', 'faults', 'repaired', 'unreferenced'] as const

export function ScrubRunsList() {
  const t = useTexts(careTexts)
  const format = useFormat()
  const { care } = useClient()
  const runs = useQuery({
    queryKey: ['settings', 'scrubs'],
    queryFn: async () => {
      const list = (await care.listScrubs()).runs ?? []
      const newest = list[0] && (await care.getScrub({ params: { id: String(list[0].id) } }))
      return { list, findings: newest?.findings ?? [] }
    },
    refetchInterval: 5000,
  })
  return (
    <section aria-label={t('runs')}>
      <Title order={2} mb="xs">
        {t('runs')}
      </Title>
      <Loaded query={runs}>
        {({ list, findings }) =>
          list.length === 0 ? (
            <Text c="dimmed">{t('noRuns')}</Text>
          ) : (
            <>
              <Table mb="md">
                <Table.Thead>
                  <Table.Tr>
                    {columns.map((name) => (
                      <Table.Th key={name}>{t(name)}</Table.Th>
                    ))}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map((run) => (
                    <Table.Tr key={String(run.id)}>
                      <Table.Td>
                        {format.dateTime(run.startedAt ?? '')}
                        {!run.endedAt && ` (${t('running')})`}
                      </Table.Td>
                      <Table.Td>{run.startedBy}</Table.Td>
                      <Table.Td>{format.number(Number(run.files))}</Table.Td>
                      <Table.Td>{format.bytes(Number(run.bytes))}</Table.Td>
                      <Table.Td>
                        {format.number(Number(run.missing) + Number(run.damaged) + Number(run.unreadable))}
                      </Table.Td>
                      <Table.Td>{format.number(Number(run.repaired))}</Table.Td>
                      <Table.Td>{format.number(Number(run.unreferenced))}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              {findings.length === 0 && list[0]?.endedAt && <Text c="dimmed">{t('noFindings')}</Text>}
              {findings.length > 0 && (
                <Table aria-label={t('faults')}>
                  <Table.Tbody>
                    {findings.map(({ sha256, fault, uses, isRepaired }) => (
                      <Table.Tr key={sha256}>
                        <Table.Td>
                          <ContentBadge state={fault} /> {isRepaired && t('repaired')}
                        </Table.Td>
                        <Table.Td>
                          <Uses uses={uses} sha256={sha256} />
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}
