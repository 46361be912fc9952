/** The channels in which the product is, with a field to place it in another one. */
import { ActionIcon, Anchor, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconBroadcast, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useMay } from '../../../../object/client.tsx'
import { linkedOf } from '../../../../object/links.ts'
import { PickOne, useNames } from '../../../../object/picker.tsx'
import { commonTexts } from '../../../../ui/common-texts.ts'
import { useTexts } from '../../../../ui/language.tsx'
import type { ProductMessage } from '../product.ts'
import { texts } from '../texts.ts'
import { useLinkChanges } from '../use-links.ts'
import { Section } from './section.tsx'
import classes from './face.module.css'

export function Published({ product }: { readonly product: ProductMessage }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const may = useMay()
  const { tid = '' } = product
  const links = useLinkChanges(tid)
  const channels = linkedOf(product, 'productToProject', 'projectTid')
  const nameOf = useNames('project', channels.map((one) => one.tid)) // prettier-ignore
  const [isAdding, setAdding] = useState(false)
  const mayPlace = may('link', 'project')
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setAdding(false)
    opener.current?.focus()
  }
  const place = (channel: string | undefined) => {
    close()
    if (channel) void links.place(channel)
  }
  return (
    <Section
      title={t('published')}
      action={
        mayPlace && (
          <Button
            ref={opener}
            size="compact-xs"
            variant="subtle"
            leftSection={<IconBroadcast size={14} />}
            onClick={() => setAdding(true)}
          >
            {t('place')}
          </Button>
        )
      }
    >
      {channels.length === 0 && !isAdding && (
        <Text size="sm" c="dimmed">
          {t('notPublished')}
        </Text>
      )}
      {channels.map((channel) => {
        const name = nameOf(channel.tid)
        return (
          <div key={channel.tid} className={classes.line}>
            <Anchor
              size="sm"
              truncate
              renderRoot={(props) => <Link to="/channels" search={{ channel: channel.tid }} {...props} />}
            >
              {name}
            </Anchor>
            {mayPlace && (
              <Tooltip label={t('withdraw', { name })}>
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={t('withdraw', { name })}
                  onClick={() => void links.withdraw(channel, name)}
                >
                  <IconX size={14} />
                </ActionIcon>
              </Tooltip>
            )}
          </div>
        )
      })}
      {isAdding && (
        <Group gap="xs" align="flex-end" wrap="nowrap" mt={6}>
          <PickOne kind="project" label={t('channel')} value={undefined} onChange={place} autoFocus />
          <Button size="xs" variant="default" onClick={close}>
            {word('cancel')}
          </Button>
        </Group>
      )}
    </Section>
  )
}
