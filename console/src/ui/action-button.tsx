/** A button for an action on the server: it waits for the reply and cannot be pressed again until then. */
import { Button, type ButtonProps } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'

interface ActionButtonProps extends ButtonProps {
  readonly action: () => Promise<unknown>
  readonly 'aria-label'?: string
  readonly children: ReactNode
}

export function ActionButton({ action, ...props }: ActionButtonProps) {
  const isRunning = useRef(false)
  const [isPending, setPending] = useState(false)
  const run = async () => {
    if (isRunning.current) return
    isRunning.current = true
    setPending(true)
    try {
      await action()
    } finally {
      isRunning.current = false
      setPending(false)
    }
  }
  return <Button {...props} loading={isPending} onClick={() => void run()} />
}
