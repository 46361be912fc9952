/** A button that lists the stored searches of the user, to be opened or deleted; `children` follow below them. */
import { ActionIcon, Button, Divider, Group, Menu, Popover, Stack, Text } from '@mantine/core'
import { IconBell, IconBellFilled, IconBookmark, IconCheck, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { defineTexts, useTexts } from '../ui/language.tsx'
import { notifyFailed } from '../ui/notifications.tsx'
import { commonTexts } from '../ui/common-texts.ts'
import { frequencies, type Frequency, type StoredPlace, type useStoredSearches } from './stored-searches.ts'

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
          {stored.entries.map(({ id, name, notify }) => (
            <Group key={id} wrap="nowrap" gap={4}>
              <Button variant="subtle" color="gray" justify="flex-start" flex={1} onClick={() => void open(id)}>
                {name}
              </Button>
              <NotifyMenu
                name={name}
                notify={notify}
                onChange={(next, done) => void stored.setNotify(id, next, done)}
              />
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

interface NotifyMenuProps {
  readonly name: string
  readonly notify: Frequency
  readonly onChange: (notify: Frequency, done: string) => void
}

/** Whether new matches of a search are announced, and how soon. */
function NotifyMenu({ name, notify, onChange }: NotifyMenuProps) {
  const t = useTexts(texts)
  const isOn = notify !== 'never'
  return (
    // within the popover, so that a click in the menu does not close it
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color={isOn ? 'harbour' : 'gray'}
          aria-label={t('notifyFor', { name, state: t(notify) })}
        >
          {isOn ? <IconBellFilled size={15} /> : <IconBell size={15} />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('notify')}</Menu.Label>
        {frequencies.map((one) => (
          <Menu.Item
            key={one}
            leftSection={one === notify ? <IconCheck size={14} /> : <span style={{ width: 14 }} />}
            onClick={() => onChange(one, t(one === 'never' ? 'off' : 'on', { name }))}
          >
            {t(one)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export const texts = defineTexts('storedSearches', {
  notify: 'Notify me of new matches',
  notifyFor: 'Notifications for {name}: {state}',
  never: 'Never',
  atOnce: 'At once',
  daily: 'Once a day',
  on: 'You get a message when something new matches “{name}”',
  off: 'No more messages about “{name}”',
})
