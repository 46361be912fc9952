/**
 * A dialog for input. A click outside it, Escape and the close button ask first when something was entered, and so does the
 * browser before the page is left or loaded again. A button of the dialog that calls `onClose` itself does not ask.
 */
import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core'
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { commonTexts } from './common-texts.ts'
import { useTexts } from './language.tsx'

export interface InputModalProps extends Pick<ModalProps, 'size' | 'closeOnClickOutside' | 'fullScreen'> {
  readonly title: ReactNode
  /** The form keeps what is entered elsewhere, such as in a draft, so that closing loses nothing. */
  readonly keepsInput?: boolean | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}

export function InputModal({ title, keepsInput = false, onClose, children, ...modal }: InputModalProps) {
  const w = useTexts(commonTexts)
  const [isTouched, setTouched] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const focused = useRef<Element | null>(null)
  const isAtRisk = isTouched && !keepsInput
  useEffect(() => {
    if (!isAtRisk) return undefined
    const ask = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isAtRisk])
  const stay = () => {
    setAsking(false)
    requestAnimationFrame(() => focused.current instanceof HTMLElement && focused.current.focus())
  }
  const close = () => {
    if (!isAtRisk) return onClose()
    if (isAsking) return stay()
    focused.current = document.activeElement
    setAsking(true)
  }
  const touch = () => setTouched(true)
  /** Options are in a portal of their own and fire no input event. */
  const choose = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('[role=option]')) touch()
  }
  return (
    <Modal
      {...modal}
      opened
      onClose={close}
      title={isAsking ? w('discardTitle') : title}
      closeButtonProps={{ 'aria-label': w('close') }}
    >
      <div onInput={touch} onClick={choose} hidden={isAsking}>
        {children}
      </div>
      {isAsking && (
        <Stack>
          <Text size="sm">{w('discardBody')}</Text>
          <Group justify="flex-end">
            <Button variant="light" color="red" onClick={onClose}>
              {w('discard')}
            </Button>
            <Button autoFocus onClick={stay}>
              {w('continueEditing')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
