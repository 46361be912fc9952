/** Placeholders for content that is loading, empty or failed to load. */
import { Alert, Button, Center, Code, Group, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconAlertTriangle, type Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { failureText } from './failure-text.ts'
import { useTexts } from './language.tsx'
import { commonTexts } from './common-texts.ts'

/** In percent: lines of different length look like a text or a list. */
const lineWidths = [72, 88, 64, 80, 56, 76]

/** A sketch of the content to come: a page with its title, the lines of a list, or a picture. */
export function Loading({ label, shape = 'lines' }: { label?: string; shape?: 'page' | 'lines' | 'picture' }) {
  const t = useTexts(commonTexts)
  return (
    <Stack
      gap="md"
      p="md"
      h={shape === 'picture' ? '100%' : undefined}
      data-sketch
      role="status"
      aria-label={label ?? t('loading')}
    >
      {shape === 'page' && <Skeleton height={28} width={240} mb="xs" />}
      {shape === 'picture' ? (
        <Skeleton height="100%" mih={120} />
      ) : (
        lineWidths.map((width) => (
          <Group key={width} gap="sm" wrap="nowrap">
            <Skeleton height={28} width={28} flex="none" />
            <Skeleton height={14} width={`${width}%`} />
          </Group>
        ))
      )}
    </Stack>
  )
}

/** Explains why there is no content and offers the next step. */
export function Empty({ icon: Symbol, title, children, action }: EmptyProps) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="sm" maw={460}>
        <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
          <Symbol size={28} stroke={1.5} />
        </ThemeIcon>
        <Title order={2} ta="center">
          {title}
        </Title>
        {children && (
          <Text c="dimmed" ta="center" size="sm">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  )
}
interface EmptyProps {
  readonly icon: Icon
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Shows the message of an API error and its support ID, by which the server's log can be searched. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = useTexts(commonTexts)
  const { supportId } = error as { supportId?: string }
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={t('failed')} m="md">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{failureText(error)}</Text>
        {supportId && (
          <Text size="xs" c="dimmed">
            {t('supportId')}: <Code>{supportId}</Code>
          </Text>
        )}
        {onRetry && (
          <Button size="xs" variant="light" color="red" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** Renders the data of a query, or a placeholder while it loads and when it fails. */
export function Loaded<T>({ query, children }: { query: QueryLike<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return <Loading />
}
export interface QueryLike<T> {
  readonly data: T | undefined
  readonly error: unknown
  refetch(): unknown
}
