/**
 * Notifications at the edge of the page: a finished action, with an undo button where it can be undone, or a failure.
 */
import { Button, Group, Text } from '@mantine/core'
import { hideNotification, showNotification } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { commonTexts } from './common-texts.ts'
import { failureText } from './failure-text.ts'
import { translator } from './language.tsx'

export function notifyDone(message: string, undo?: { label: string; run: () => void }): void {
  const id = crypto.randomUUID()
  const runUndo = () => {
    hideNotification(id)
    undo?.run()
  }
  showNotification({
    id,
    color: 'teal',
    closeButtonProps: closeButton(),
    icon: <IconCheck size={18} />,
    autoClose: undo ? 12_000 : 4000,
    message: undo ? (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="subtle" onClick={runUndo}>
          {undo.label}
        </Button>
      </Group>
    ) : (
      message
    ),
  })
}

export function notifyFailed(title: string, error: unknown): void {
  showNotification({
    color: 'red',
    closeButtonProps: closeButton(),
    icon: <IconAlertTriangle size={18} />,
    title,
    message: failureText(error),
    autoClose: 12_000,
  })
}

const closeButton = () => ({ 'aria-label': translator(commonTexts)('close') })
