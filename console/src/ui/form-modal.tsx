/** A form in a dialog. While it is being stored, it cannot be sent a second time. */
import { LoadingOverlay, Stack } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { InputModal, type InputModalProps } from './input-modal.tsx'

interface FormModalProps extends InputModalProps {
  /** The dialog waits for the promise. */
  readonly onSubmit: () => unknown
}

/** Fast replies show no sketch. */
const afterMs = 300

export function FormModal({ size = 'md', onSubmit, children, ...modal }: FormModalProps) {
  const isRunning = useRef(false)
  const [isPending, setPending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isRunning.current) return
    isRunning.current = true
    setPending(true)
    try {
      await onSubmit()
    } finally {
      isRunning.current = false
      setPending(false)
    }
  }
  return (
    <InputModal size={size} {...modal}>
      <form onSubmit={(event) => void submit(event)} aria-busy={isPending} style={{ position: 'relative' }}>
        <LoadingOverlay visible={isPending} transitionProps={{ enterDelay: afterMs }} />
        <Stack>{children}</Stack>
      </form>
    </InputModal>
  )
}
