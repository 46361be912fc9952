/** A dialog that asks for confirmation before a destructive action. */
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { openConfirmModal } from './dialogs.tsx'

export function confirmDanger(question: {
  title: string
  body: ReactNode
  confirm: string
  cancel: string
  onConfirm: () => void
}): void {
  const { title, body, confirm, cancel, onConfirm } = question
  openConfirmModal({
    title,
    children: (
      <Text component="div" size="sm">
        {body}
      </Text>
    ),
    labels: { confirm, cancel },
    closeButtonProps: { 'aria-label': cancel },
    confirmProps: { color: 'red' },
    onConfirm,
  })
}
