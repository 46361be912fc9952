/** Jobs that have failed for good, and the last errors of the server. */
import { ActionIcon, Button, Code, Group, Table, Text, Title } from '@mantine/core'
import type { FailedJob, Infer, SystemError } from '@kontor/contract'
import { IconTrash } from '@tabler/icons-react'
import { useClient } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useAttempt } from './attempt.ts'
import { systemTexts } from './system-texts.ts'
import { storedText } from '../../object/stored-text.ts'

export function FailedJobs({ jobs }: { jobs: readonly Infer<typeof FailedJob>[] }) {
  const t = useTexts(systemTexts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const { system } = useClient()
  const attempt = useAttempt()
  const confirmDelete = useConfirmDelete()
  if (jobs.length === 0) return null
  return (
    <section aria-label={t('failedJobs')}>
      <Title order={2} mb="xs">
        {t('failedJobs')}
      </Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {(['job', 'when', 'attempts', 'problem'] as const).map((title) => (
              <Table.Th key={title}>{t(title)}</Table.Th>
            ))}
            <Table.Th>{w('actions')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.map(({ id = '', job, failedAt = '', attempts, problem }) => (
            <Table.Tr key={id}>
              <Table.Td>{job}</Table.Td>
              <Table.Td>{format.dateTime(failedAt)}</Table.Td>
              <Table.Td>{attempts}</Table.Td>
              <Table.Td>{storedText(problem ?? '')}</Table.Td>
              <Table.Td>
                <Group gap={4} wrap="nowrap">
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    onClick={() => void attempt(system.retryJob({ params: { id } }), t('retried'))}
                  >
                    {w('retry')}
                  </Button>
                  <ActionIcon
                    variant="subtle"
                    color="red"
                    aria-label={`${w('delete')}: ${job}`}
                    onClick={() =>
                      confirmDelete(t('deleteJob'), t('deleteJobBody'), () =>
                        attempt(system.deleteJob({ params: { id } })),
                      )
                    }
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

export function LastErrors({ errors }: { errors: readonly Infer<typeof SystemError>[] }) {
  const t = useTexts(systemTexts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  return (
    <section aria-label={t('errors')}>
      <Title order={2} mb={4}>
        {t('errors')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {errors.length === 0 ? t('noErrors') : t('errorsHint')}
      </Text>
      {errors.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              {(['when', 'what', 'who', 'problem'] as const).map((title) => (
                <Table.Th key={title}>{t(title)}</Table.Th>
              ))}
              <Table.Th>{w('supportId')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {errors.map(({ at = '', call, user, problem, supportId }) => (
              <Table.Tr key={supportId}>
                <Table.Td>{format.dateTime(at)}</Table.Td>
                <Table.Td>{call ?? t('job')}</Table.Td>
                <Table.Td>{user}</Table.Td>
                <Table.Td>{storedText(problem ?? '')}</Table.Td>
                <Table.Td>
                  <Code>{supportId}</Code>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </section>
  )
}
