/** What the installation is made of, and where to look when something is wrong. */
import { Anchor, Badge, List, Stack, Table, Title } from '@mantine/core'
import { useComponents } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'

export function SystemPart() {
  const t = useTexts(texts)
  const components = useComponents()
  return (
    <Stack p="lg" gap="lg">
      <div>
        <Title order={2} mb="xs">
          {t('components')}
        </Title>
        <Table maw={480}>
          <Table.Tbody>
            {Object.entries(components).map(([name, state]) => (
              <Table.Tr key={name}>
                <Table.Td>{name}</Table.Td>
                <Table.Td>
                  <Badge variant="dot" tt="none" color={state === 'inactive' || state === 'false' ? 'gray' : 'teal'}>
                    {String(state)}
                  </Badge>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <div>
        <Title order={2} mb="xs">
          {t('health')}
        </Title>
        <List spacing={6}>
          {[
            ['/readyz', t('ready')],
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
