/** A card for an object in a channel: its picture, its name as a link, and a button to remove it. */
import { ActionIcon, Anchor, Card, Center, Group, Text, Tooltip } from '@mantine/core'
import { IconLinkOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type Picture, Thumbnail } from '../../object/pictures.tsx'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'

interface ContentCardProps {
  readonly name: string
  readonly note: string
  readonly picture: Picture | undefined
  readonly to: '/products/$tid' | '/assets/$tid'
  readonly tid: string
  readonly onRemove?: (() => void) | undefined
}

export function ContentCard({ name, note, picture, to, tid, onRemove }: ContentCardProps) {
  const t = useTexts(texts)
  return (
    <Card withBorder padding="xs">
      <Center>
        <Thumbnail picture={picture} size={150} />
      </Center>
      <Group justify="space-between" wrap="nowrap" mt={6}>
        <Anchor size="sm" truncate renderRoot={(props) => <Link to={to} params={{ tid }} {...props} />}>
          {name}
        </Anchor>
        {onRemove && (
          <Tooltip label={t('remove', { name })}>
            <ActionIcon size="sm" variant="subtle" color="gray" aria-label={t('remove', { name })} onClick={onRemove}>
              <IconLinkOff size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <Text size="xs" c="dimmed" truncate>
        {note}
      </Text>
    </Card>
  )
}
