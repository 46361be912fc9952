/** A button that lists the stored searches of the user, to be opened or deleted; `children` follow below them. */
import { ActionIcon, Button, Divider, Group, Popover, Stack, Text } from '@mantine/core'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../ui/language.tsx'
import { notifyFailed } from '../ui/notifications.tsx'
import { commonTexts } from '../ui/common-texts.ts'
import type { StoredPlace, useStoredSearches } from './stored-searches.ts'

interface StoredListProps {
  readonly label: string
  readonly none: string
  readonly variant?: 'default' | 'subtle'
  readonly stored: ReturnType<typeof useStoredSearches>
  readonly onOpen: (place: StoredPlace) => void
  readonly children?: ReactNode
}

export function StoredList({ label, none, variant = 'default', stored, onOpen, children }: StoredListProps) {
  const word = useTexts(commonTexts)
  const [opened, setOpened] = useState(false)
  const open = async (id: string) => {
    try {
      onOpen(await stored.open(id))
      setOpened(false)
    } catch (error) {
      notifyFailed(word('failed'), error)
    }
  }
  return (
    <Popover position="bottom-end" width={300} shadow="md" trapFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <Button variant={variant} leftSection={<IconBookmark size={16} />} onClick={() => setOpened(!opened)}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} p="xs">
        <Stack gap={2}>
          {stored.entries.length === 0 && (
            <Text size="sm" c="dimmed" p={6}>
              {none}
            </Text>
          )}
          {stored.entries.map(({ id, name }) => (
            <Group key={id} wrap="nowrap" gap={4}>
              <Button variant="subtle" color="gray" justify="flex-start" flex={1} onClick={() => void open(id)}>
                {name}
              </Button>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`${word('delete')}: ${name}`}
                onClick={() => void stored.remove(id)}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
        {children && (
          <>
            <Divider my="xs" />
            {children}
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
