/** A dialog that asks for a name. */
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { closeAllModals, openModal } from './dialogs.tsx'

interface NameQuestion {
  readonly title: string
  readonly label: string
  readonly before?: string
  readonly confirm: string
  readonly cancel: string
}

export function askName({ title, label, before = '', confirm, cancel }: NameQuestion, onName: (name: string) => void) {
  const submit = (name: string) => {
    closeAllModals()
    onName(name)
  }
  openModal({
    title,
    closeButtonProps: { 'aria-label': cancel },
    children: <NameForm label={label} before={before} confirm={confirm} onSubmit={submit} />,
  })
}

interface NameFormProps {
  readonly label: string
  readonly before: string
  readonly confirm: string
  readonly onSubmit: (name: string) => void
}

function NameForm({ label, before, confirm, onSubmit }: NameFormProps) {
  const [name, setName] = useState(before)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(name.trim())
      }}
    >
      <Stack>
        <TextInput label={label} value={name} onChange={(event) => setName(event.currentTarget.value)} data-autofocus />
        <Group justify="flex-end">
          <Button type="submit" disabled={name.trim() === '' || name === before}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
