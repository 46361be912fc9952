/** "What would this allow?": tries the permissions of a role that is not stored, alone or as a user, and shows the result. */
import { Alert, Anchor, Badge, Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import type { Infer, RoleTrialResult, TrialKind } from '@kontor/contract'
import { IconEye, IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { PickOne } from '../../object/picker.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Failure } from '../../ui/states.tsx'
import type { Grant } from './blocks.ts'
import { grantTexts } from './grant-texts.ts'
import { GrantWords, useGrantWords } from './grant-words.tsx'

type Result = Infer<typeof RoleTrialResult>
type Kind = Infer<typeof TrialKind>

interface RoleTrialProps {
  readonly name: string | undefined
  readonly grants: readonly Grant[]
}

export function RoleTrial({ name, grants }: RoleTrialProps) {
  const g = useTexts(grantTexts)
  const { identity } = useClient()
  const [user, setUser] = useState<string>()
  const [outcome, setOutcome] = useState<{ of: string; result?: Result; error?: unknown }>()
  const asked = JSON.stringify([grants, user])
  const attempt = async () => {
    const body = { grants: [...grants], ...(name && { name }), ...(user && { user }) }
    await identity.tryRole({ body }).then(
      (result) => setOutcome({ of: asked, result }),
      (error: unknown) => setOutcome({ of: asked, error }),
    )
  }
  // A result of permissions that were changed since would mislead.
  const current = outcome?.of === asked ? outcome : undefined
  return (
    <Paper p="sm" withBorder component="section" aria-label={g('tryTitle')}>
      <Stack gap="sm">
        <div>
          <Title order={3} size="h5">
            {g('tryTitle')}
          </Title>
          <Text size="sm" c="dimmed">
            {g('tryHint')}
          </Text>
        </div>
        <Group align="flex-end">
          <PickOne kind="user" label={g('tryAs')} placeholder={g('tryAlone')} value={user} onChange={setUser} />
          <Button variant="default" leftSection={<IconEye size={16} />} onClick={() => void attempt()}>
            {g('tryButton')}
          </Button>
        </Group>
        <div role="status">
          {current?.error !== undefined && <Failure error={current.error} />}
          {current?.result && <Trial result={current.result} name={user ?? (name || g('tryAlone'))} />}
        </div>
      </Stack>
    </Paper>
  )
}

/** Pages that show an object of a kind. */
const pageOf: Readonly<Record<string, (tid: string) => string>> = {
  product: (tid) => `/products/${encodeURIComponent(tid)}`,
  asset: (tid) => `/assets/${encodeURIComponent(tid)}`,
  project: (tid) => `/channels?channel=${encodeURIComponent(tid)}`,
  node: (path) => `/products?node=${encodeURIComponent(path)}`,
  keyword: (path) => `/keywords?keyword=${encodeURIComponent(path)}`,
}

/** An address that opens a tab with other rights. */
export function viewAddress(page: string, as: string, name: string): string {
  const view = new URLSearchParams({ viewAs: as, viewName: name })
  return `${page}${page.includes('?') ? '&' : '?'}${view}`
}

function Trial({ result, name }: { result: Result; name: string }) {
  const g = useTexts(grantTexts)
  const { viewAs = '', roles = [], grants = [], kinds = [] } = result
  const linkTo = (page: string) => viewAddress(page, viewAs, name)
  return (
    <Stack gap="sm">
      {roles.includes('admin') && <Alert color="amber">{g('triedAdmin')}</Alert>}
      {roles.length > 1 && <Text size="sm">{g('tried', { roles: roles.join(', ') })}</Text>}
      <div>
        <Title order={4} size="h6">
          {g('inWords')}
        </Title>
        <GrantWords grants={grants} />
      </div>
      <KindTable kinds={kinds} linkTo={linkTo} />
      <Group gap="sm">
        <Button
          component="a"
          href={linkTo('/')}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconExternalLink size={16} />}
        >
          {g('openWith')}
        </Button>
        <Text size="xs" c="dimmed">
          {g('openHint')}
        </Text>
      </Group>
    </Stack>
  )
}

function KindTable({ kinds, linkTo }: { kinds: readonly Kind[]; linkTo: (page: string) => string }) {
  const g = useTexts(grantTexts)
  const words = useGrantWords()
  const format = useFormat()
  return (
    <Table aria-label={g('counts')} verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          {(['kindColumn', 'readable', 'editable', 'total', 'samples'] as const).map((title) => (
            <Table.Th key={title}>{g(title)}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {kinds.map(({ kind = '', readable = 0, editable = 0, total = 0, samples = [] }) => (
          <Table.Tr key={kind}>
            <Table.Th scope="row" fw={400}>
              {words.kind(kind)}
            </Table.Th>
            <Table.Td>{format.number(readable)}</Table.Td>
            <Table.Td>{format.number(editable)}</Table.Td>
            <Table.Td>{format.number(total)}</Table.Td>
            <Table.Td>
              <Group gap={6}>
                {samples.map((sample) => (
                  <Group key={sample.tid} gap={4}>
                    <Anchor
                      size="sm"
                      underline="always"
                      href={linkTo(pageOf[kind]?.(sample.tid ?? '') ?? '/')}
                      target="_blank"
                      rel="noreferrer"
                    >
                      {sample.name}
                    </Anchor>
                    {sample.editable && (
                      <Badge size="xs" variant="light" tt="none">
                        {g('canChange')}
                      </Badge>
                    )}
                  </Group>
                ))}
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
