/** The audit log, newest first, page by page. */
import { Badge, Button, Group, ScrollArea, Table, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconShieldCheck } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { usePlace } from '../../ui/place.ts'
import { Empty, Failure, Loading } from '../../ui/states.tsx'
import { texts } from './texts.ts'

const count = 100

export function AuditPart() {
  const t = useTexts(texts)
  const format = useFormat()
  const { identity } = useClient()
  const [{ actor = '', action = '' }, change] = usePlace()
  const [wanted] = useDebouncedValue({ actor, action }, 300)
  const pages = useInfiniteQuery({
    queryKey: ['settings', 'audit', wanted],
    queryFn: async ({ pageParam }) => {
      const filter = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ''))
      return (
        (
          await identity.listAudit({
            query: { ...filter, count: String(count), ...(pageParam && { before: pageParam }) },
          })
        ).events ?? []
      )
    },
    initialPageParam: '',
    getNextPageParam: (last) => (last.length < count ? undefined : String(last.at(-1)!.seq)),
  })
  const events = pages.data?.pages.flat() ?? []
  return (
    <>
      <Group p="xs" gap="xs">
        <TextInput
          aria-label={t('who')}
          placeholder={t('who')}
          value={actor}
          onChange={(event) => change({ actor: event.currentTarget.value })}
        />
        <TextInput
          aria-label={t('what')}
          placeholder={t('what')}
          value={action}
          onChange={(event) => change({ action: event.currentTarget.value })}
        />
      </Group>
      {pages.error ? (
        <Failure error={pages.error} onRetry={() => void pages.refetch()} />
      ) : pages.isPending ? (
        <Loading />
      ) : events.length === 0 ? (
        <Empty icon={IconShieldCheck} title={t('noAudit')} />
      ) : (
        <ScrollArea flex={1} viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('audit') }}>
          <Table stickyHeader verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                {(['when', 'who', 'what', 'object', 'from', 'outcome'] as const).map((name) => (
                  <Table.Th key={name}>{t(name)}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {events.map(({ seq, at, actor: who, action: what, object, address, outcome }) => (
                <Table.Tr key={String(seq)}>
                  <Table.Td>{at && format.dateTime(at)}</Table.Td>
                  <Table.Td>{who}</Table.Td>
                  <Table.Td>{what}</Table.Td>
                  <Table.Td>{object}</Table.Td>
                  <Table.Td>{address}</Table.Td>
                  <Table.Td>
                    <Badge variant="dot" tt="none" color={outcome === 'failure' ? 'red' : 'teal'}>
                      {t(outcome === 'failure' ? 'failure' : 'success')}
                    </Badge>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {pages.hasNextPage && (
            <Group justify="center" p="sm">
              <Button variant="light" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                {t('older')}
              </Button>
            </Group>
          )}
        </ScrollArea>
      )}
    </>
  )
}
