/** Short notices at the edge of the page: what was done, with a way back where there is one, and what did not work. */
import { Button, Group, Text } from '@mantine/core'
import { hideNotification, showNotification } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { words } from './words.ts'

export function tellDone(message: string, undo?: { label: string; run: () => void }): void {
  const id = crypto.randomUUID()
  const goBack = () => {
    hideNotification(id)
    undo?.run()
  }
  showNotification({
    id,
    color: 'teal',
    closeButtonProps: closing(),
    icon: <IconCheck size={18} />,
    autoClose: undo ? 12_000 : 4000,
    message: undo ? (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="light" onClick={goBack}>
          {undo.label}
        </Button>
      </Group>
    ) : (
      message
    ),
  })
}

export function tellFailed(title: string, error: unknown): void {
  const { message } = error as { message?: string }
  showNotification({
    color: 'red',
    closeButtonProps: closing(),
    icon: <IconAlertTriangle size={18} />,
    title,
    message: message ?? String(error),
    autoClose: 12_000,
  })
}

/** A notice is not part of the page; it speaks the language the document says. */
const closing = () => ({ 'aria-label': String(words[document.documentElement.lang === 'de' ? 'de' : 'en'].close) })
