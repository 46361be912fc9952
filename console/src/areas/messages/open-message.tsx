/** A message, with what it is about: a click leads to the task, the process, the feed or the search. */
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions, useNavigate } from '@tanstack/react-router'
import { useClient, useMay } from '../../object/client.tsx'
import type { Linked } from '../../object/linked/linked.ts'
import { useSubjects } from '../../object/linked/subject.tsx'
import { useWords } from '../../object/linked/words.ts'
import { useStoredSearches } from '../../object/stored-searches.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { notifyFailed } from '../../ui/notifications.tsx'
import type { Draft } from './compose.tsx'
import { texts } from './texts.ts'
import type { InboxMessage } from './use-messages.ts'
import classes from './messages.module.css'

export const colours = { INFO: 'harbour', WARN: 'amber', ERROR: 'red' } as const

/** Messages of the server itself have no person as their sender. */
export const senderOf = ({ senderUser }: InboxMessage) => (senderUser === 'kontor' ? undefined : senderUser)

interface OpenMessageProps {
  readonly message: InboxMessage
  readonly onReply: (draft: Draft) => void
  readonly onUnread: () => void
}

export function OpenMessage({ message, onReply, onUnread }: OpenMessageProps) {
  const t = useTexts(texts)
  const may = useMay()
  const format = useFormat()
  const linkedObjects = useObjects(message)
  const subjects = useSubjects([{ linkedObjects }])
  const words = useWords(subjects.nameOf)
  const { subject = '', body, severity = 'INFO', senderApplication, recipientRole, creationDate } = message
  const sender = senderOf(message)
  return (
    <Stack p="lg" gap="md" component="article" className={classes.reading}>
      <Group justify="space-between" align="flex-start">
        <Title order={2}>{words.text(subject, { linkedObjects })}</Title>
        <Badge variant="light" color={colours[severity]} tt="none">
          {t(severity)}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed">
        {t('from', {
          sender: sender ?? (senderApplication === 'kontor' ? undefined : senderApplication) ?? t('system'),
        })}
        {recipientRole && ` ${t('toRole', { role: recipientRole })}`}
        {creationDate && ` · ${format.dateTime(String(creationDate))}`}
      </Text>
      <Text className={classes.body}>{words.text(body, { linkedObjects })}</Text>
      {linkedObjects.length > 0 && subjects.show({ linkedObjects })}
      <Group gap="xs">
        <Target message={message} />
        {sender && may('create', 'message') && (
          <Button
            variant="default"
            onClick={() => onReply({ recipient: sender, subject: t('replySubject', { subject }) })}
          >
            {t('reply')}
          </Button>
        )}
        <Button variant="default" onClick={onUnread}>
          {t('markUnread')}
        </Button>
      </Group>
    </Stack>
  )
}

/** Pages by the parameter that names their object; the first that a message has wins. */
const pages = {
  taskId: (id: string) => linkOptions({ to: '/tasks/$id', params: { id } }),
  processId: (id: string) => linkOptions({ to: '/workflow', search: { part: 'processes', process: id } }),
  tasks: () => linkOptions({ to: '/tasks' }),
  assetTid: (tid: string) => linkOptions({ to: '/assets/$tid', params: { tid } }),
  shareId: (id: string) => linkOptions({ to: '/sharing', search: { part: 'pages', share: id } }),
  feed: (name: string) => linkOptions({ to: '/feeds', search: { feed: name } }),
} as const
type Parameter = keyof typeof pages | 'storedSearchId'

function targetOf({ parameters = {} }: InboxMessage) {
  const names: Parameter[] = ['storedSearchId', ...(Object.keys(pages) as (keyof typeof pages)[])]
  const name = names.find((one) => parameters[one] !== undefined)
  return name && { name, value: parameters[name]! }
}

function Target({ message }: { message: InboxMessage }) {
  const t = useTexts(texts)
  const target = targetOf(message)
  if (!target) return null
  if (target.name === 'storedSearchId') return <OpenSearch id={target.value} />
  const page = pages[target.name](target.value)
  return <Button renderRoot={(props) => <Link {...page} {...props} />}>{t(`open_${target.name}`)}</Button>
}

/** A stored search knows the page that it was made at. */
function OpenSearch({ id }: { id: string }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const navigate = useNavigate()
  const { open } = useStoredSearches()
  const go = async () => {
    try {
      const { to = '/search', fields } = await open(id)
      await navigate({ to, search: fields })
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
  }
  return <Button onClick={() => void go()}>{t('open_storedSearchId')}</Button>
}

/** The objects of the task or process of a message, as far as the reader may see them. */
function useObjects(message: InboxMessage): readonly Linked[] {
  const { workflow } = useClient()
  const { taskId, processId } = message.parameters ?? {}
  const { data } = useQuery({
    queryKey: ['messages', 'objects', taskId, processId],
    enabled: taskId !== undefined || processId !== undefined,
    retry: false,
    queryFn: async () => {
      if (taskId !== undefined) return (await workflow.retrieveTask({ params: { id: taskId } })).linkedObjects ?? []
      return (await workflow.retrieveProcess({ params: { id: processId! } })).process?.linkedObjects ?? []
    },
  })
  return data ?? none
}
const none: readonly Linked[] = []
