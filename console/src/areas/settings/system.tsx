/** The components of the installation, its health checks, and links to metrics and the API reference. */
import { Anchor, Badge, List, Stack, Table, Title } from '@mantine/core'
import { useClient, useComponents } from '../../object/client.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'

const decoder = new TextDecoder()

/** The server's readiness checks, polled every five seconds. */
function Health() {
  const t = useTexts(texts)
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['settings', 'health'],
    refetchInterval: 5000,
    queryFn: async () => {
      let body = ''
      for await (const piece of client.send({ method: 'GET', path: '/readyz' })) body += decoder.decode(piece)
      return JSON.parse(body) as { status: string; checks: Record<string, string> }
    },
  })
  const checks = data ? Object.entries({ [t('ready')]: data.status, ...data.checks }) : []
  return <States states={checks} isGood={(state) => state === 'ok'} />
}

interface StatesProps {
  readonly states: readonly (readonly [name: string, state: string])[]
  readonly isGood: (state: string) => boolean
}

function States({ states, isGood }: StatesProps) {
  return (
    <Table maw={480} mb="sm">
      <Table.Tbody>
        {states.map(([name, state]) => (
          <Table.Tr key={name}>
            <Table.Td>{name}</Table.Td>
            <Table.Td>
              <Badge variant="dot" tt="none" color={isGood(state) ? 'teal' : 'red'}>
                {state}
              </Badge>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

export function SystemPart() {
  const t = useTexts(texts)
  const components = useComponents()
  return (
    <Stack p="lg" gap="lg">
      <div>
        <Title order={2} mb="xs">
          {t('components')}
        </Title>
        <States states={Object.entries(components)} isGood={(state) => state === 'active'} />
      </div>
      <div>
        <Title order={2} mb="xs">
          {t('health')}
        </Title>
        <Health />
        <List spacing={6}>
          {[
            ['/metrics', t('metrics')],
            ['/api/docs', t('reference')],
          ].map(([href, label]) => (
            <List.Item key={href}>
              <Anchor href={href} target="_blank" rel="noreferrer">
                {label} ({href})
              </Anchor>
            </List.Item>
          ))}
        </List>
      </div>
    </Stack>
  )
}
