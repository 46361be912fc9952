/** A form in a dialog. */
import { Modal, type ModalProps, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from './language.tsx'
import { commonTexts } from './common-texts.ts'

interface FormModalProps extends Pick<ModalProps, 'size'> {
  readonly title: string
  readonly onSubmit: () => unknown
  readonly onClose: () => void
  readonly children: ReactNode
}

export function FormModal({ title, size = 'md', onSubmit, onClose, children }: FormModalProps) {
  const word = useTexts(commonTexts)
  return (
    <Modal opened onClose={onClose} title={title} size={size} closeButtonProps={{ 'aria-label': word('close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void onSubmit()
        }}
      >
        <Stack>{children}</Stack>
      </form>
    </Modal>
  )
}
