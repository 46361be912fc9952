/** Files that nobody gets, with the decisions of administrators. */
import { Anchor, Button, Group, Stack, Table, Text, Textarea, Title } from '@mantine/core'
import type { HeldFile, Infer } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { careTexts } from '../../object/care-texts.ts'
import { useClient } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { ContentBadge } from '../../object/content-badge.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { useAttempt } from './attempt.ts'

type Held = Infer<typeof HeldFile>

/** The assets that have a content, as links. */
export function Uses({ uses = [], sha256 }: { uses: Held['uses'] | undefined; sha256: string | undefined }) {
  if (uses.length === 0) return <Text size="sm">{sha256?.slice(0, 16)}…</Text>
  return (
    <Stack gap={2}>
      {uses.map(({ tid = '', path }) => (
        <Anchor key={tid} size="sm" renderRoot={(props) => <Link to="/assets/$tid" params={{ tid }} {...props} />}>
          {path}
        </Anchor>
      ))}
    </Stack>
  )
}

export function HeldFilesList() {
  const t = useTexts(careTexts)
  const { care } = useClient()
  const held = useQuery({
    queryKey: ['settings', 'held'],
    queryFn: async () => (await care.listHeld()).files ?? [],
    refetchInterval: 5000,
  })
  return (
    <section aria-label={t('held')}>
      <Title order={2} mb="xs">
        {t('held')}
      </Title>
      <Loaded query={held}>
        {(files) => (files.length === 0 ? <Text c="dimmed">{t('noHeld')}</Text> : <HeldTable files={files} />)}
      </Loaded>
    </section>
  )
}

function HeldTable({ files }: { files: readonly Held[] }) {
  const t = useTexts(careTexts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const { care } = useClient()
  const attempt = useAttempt()
  const confirmDelete = useConfirmDelete()
  const [released, setReleased] = useState<string>()
  const remove = (sha256: string) =>
    confirmDelete(t('remove'), t('removeBody'), () =>
      attempt(care.decideHeld({ body: { remove: [sha256] } }).then(demandDone), t('removed')),
    )
  return (
    <>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {(['state', 'file', 'size', 'since'] as const).map((name) => (
              <Table.Th key={name}>{t(name)}</Table.Th>
            ))}
            <Table.Th>{w('actions')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {files.map(({ sha256 = '', state, threat, size = 0, since, uses, deliveries = 0 }) => (
            <Table.Tr key={sha256}>
              <Table.Td>
                <ContentBadge state={state} />
                {threat && <Text size="sm">{threat}</Text>}
              </Table.Td>
              <Table.Td>
                <Uses uses={uses} sha256={sha256} />
                {deliveries > 0 && <Text size="sm">{t('deliveries', { count: deliveries })}</Text>}
              </Table.Td>
              <Table.Td>{format.bytes(Number(size))}</Table.Td>
              <Table.Td>{since && format.dateTime(since)}</Table.Td>
              <Table.Td>
                <Group gap={4} wrap="nowrap">
                  {['unchecked', 'infected', 'tooLarge'].includes(state ?? '') && (
                    <Button size="compact-sm" variant="subtle" onClick={() => setReleased(sha256)}>
                      {t('release')}
                    </Button>
                  )}
                  <Button size="compact-sm" variant="light" color="red" onClick={() => remove(sha256)}>
                    {w('delete')}
                  </Button>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {released !== undefined && <ReleaseDialog sha256={released} onClose={() => setReleased(undefined)} />}
    </>
  )
}

/** Turns the refusal of the only file into a failure, so that it is shown. */
function demandDone({ outcomes: [outcome] = [] }: { outcomes?: { outcome?: string; problem?: string }[] }): true {
  if (outcome?.outcome === 'refused') throw new Error(outcome.problem)
  return true
}

function ReleaseDialog({ sha256, onClose }: { sha256: string; onClose: () => void }) {
  const t = useTexts(careTexts)
  const { care } = useClient()
  const attempt = useAttempt()
  const [reason, setReason] = useState('')
  const submit = async () => {
    const isDone = await attempt(
      care.decideHeld({ body: { release: [sha256], reason } }).then(demandDone),
      t('released'),
    )
    if (isDone) onClose()
  }
  return (
    <FormModal title={t('releaseTitle')} onSubmit={submit} onClose={onClose}>
      <Text size="sm">{t('releaseHint')}</Text>
      <Textarea
        label={t('reason')}
        required
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button type="submit" disabled={reason.trim() === ''}>
          {t('release')}
        </Button>
      </Group>
    </FormModal>
  )
}
