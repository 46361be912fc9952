/** The inbox on the left, the open message on the right. Opening a message marks it as read. */
import { Badge, Button, Checkbox, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconMail, IconMailOpened, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Compose, type Draft } from './compose.tsx'
import { colours, OpenMessage, senderOf } from './open-message.tsx'
import { texts } from './texts.ts'
import { type InboxMessage, useInbox, useMarkMessages } from './use-messages.ts'
import classes from './messages.module.css'

export function MessagesPage() {
  const t = useTexts(texts)
  const may = useMay()
  const [{ message: chosen, unread }, change] = useUrlState()
  const [draft, setDraft] = useState<Draft>()
  const inbox = useInbox(unread === 'true')
  const mark = useMarkMessages()
  const open = inbox.data?.find(({ id }) => String(id) === chosen)
  const unreadMessages = (inbox.data ?? []).filter(({ isRead }) => !isRead)
  const choose = (message: InboxMessage) => {
    change({ message: String(message.id) }, true)
    if (!message.isRead && unread !== 'true') void mark([message], true)
  }
  const actions = (
    <>
      {unreadMessages.length > 0 && (
        <Button
          variant="default"
          leftSection={<IconMailOpened size={16} />}
          onClick={() => void mark(unreadMessages, true)}
        >
          {t('markAllRead')}
        </Button>
      )}
      {may('create', 'message') && (
        <Button leftSection={<IconPencil size={16} />} onClick={() => setDraft({})}>
          {t('compose')}
        </Button>
      )}
    </>
  )
  const side = (
    <>
      <Checkbox
        p="sm"
        label={t('unreadOnly')}
        checked={unread === 'true'}
        onChange={({ currentTarget }) => change({ unread: currentTarget.checked ? 'true' : undefined })}
      />
      <Loaded query={inbox}>
        {(messages) => (
          <Stack gap={0} className={classes.list}>
            {messages.map((message) => (
              <InboxEntry
                key={String(message.id)}
                message={message}
                isChosen={message === open}
                onChoose={() => choose(message)}
              />
            ))}
            {inbox.hasNextPage && (
              <Button variant="subtle" m="xs" onClick={() => void inbox.fetchNextPage()}>
                {t('older')}
              </Button>
            )}
          </Stack>
        )}
      </Loaded>
    </>
  )
  return (
    <Page title={t('title')} actions={actions} fill>
      <Panes sideLabel={t('inbox')} side={side}>
        {open ? (
          <OpenMessage
            key={String(open.id)}
            message={open}
            onReply={setDraft}
            onUnread={() => void mark([open], false)}
          />
        ) : (
          <Empty icon={IconMail} title={inbox.data?.length === 0 ? t('none') : t('choose')}>
            {inbox.data?.length === 0 && t('noneBody')}
          </Empty>
        )}
      </Panes>
      {draft && <Compose draft={draft} onClose={() => setDraft(undefined)} />}
    </Page>
  )
}

interface InboxEntryProps {
  readonly message: InboxMessage
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function InboxEntry({ message, isChosen, onChoose }: InboxEntryProps) {
  const t = useTexts(texts)
  const format = useFormat()
  const { subject, isRead, creationDate, severity } = message
  return (
    <UnstyledButton className={classes.line} aria-current={isChosen || undefined} onClick={onChoose}>
      <Group gap={6} wrap="nowrap">
        {!isRead && <span className={classes.dot} role="img" aria-label={t('unread')} />}
        <Text size="sm" fw={isRead ? 400 : 650} truncate flex={1}>
          {subject}
        </Text>
        {severity && severity !== 'INFO' && (
          <Badge size="xs" variant="light" color={colours[severity]} tt="none">
            {t(severity)}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" truncate>
        {senderOf(message) ?? t('system')} · {creationDate && format.ago(String(creationDate))}
      </Text>
    </UnstyledButton>
  )
}
