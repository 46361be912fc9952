/** A field whose text is used when it is left or Enter is pressed, not with each letter. */
import { type KeyboardEvent, type ReactNode, useState } from 'react'

interface FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

interface CommittedInputProps {
  readonly input: (props: FieldProps) => ReactNode
  readonly value: string
  readonly onCommit: (value: string) => void
}

export function CommittedInput({ input, value, onCommit }: CommittedInputProps) {
  const [text, setText] = useState<string>()
  const commit = () => {
    if (text !== undefined && text !== value) onCommit(text)
    setText(undefined)
  }
  return input({
    value: text ?? value,
    onChange: setText,
    onBlur: commit,
    onKeyDown: (event) => event.key === 'Enter' && commit(),
  })
}
