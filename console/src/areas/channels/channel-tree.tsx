/** The channel tree: create, rename, delete, and reorder or move by dragging. */
import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconBroadcast, IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { type DropSpot, Tree, type TreeItem } from '../../ui/tree/tree.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { allows, type Channel, useChildren, useCounts } from './channels.ts'
import { texts } from './texts.ts'
import { useTreeActions } from './tree-actions.tsx'

interface ChannelTreeProps {
  readonly roots: readonly Channel[]
  readonly chosen: string | undefined
  readonly onChoose: (tid: string | undefined) => void
  readonly onCreate: (below: Channel) => void
}

export function ChannelTree({ roots, chosen, onChoose, onCreate }: ChannelTreeProps) {
  const t = useTexts(texts)
  const may = useMay()
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(roots.map(({ tid = '' }) => tid)))
  const below = useChildren(open)
  const known = new Map([...roots, ...[...below.values()].flat()].map((one) => [one.tid ?? '', one]))
  const siblingsOf = (parent: string) => (parent === '' ? roots : below.get(parent))
  const counts = useCounts([...known.keys()])
  const act = useTreeActions({ known, siblingsOf, onChoose })
  const toItem = ({ tid = '', name = tid }: Channel): TreeItem => ({
    key: tid,
    label: name,
    icon: <IconBroadcast size={16} stroke={1.6} aria-hidden />,
    ...(counts.has(tid) && { end: <Count value={counts.get(tid)!} /> }),
    hasChildren: below.get(tid)?.length !== 0, // unknown until it is expanded for the first time
  })
  const toggle = (tid: string, isOpen: boolean) =>
    setOpen((before) => {
      const next = new Set(before)
      if (isOpen) next.add(tid)
      else next.delete(tid)
      return next
    })
  const move = (tid: string, target: string, spot: DropSpot) => {
    if (spot === 'into') toggle(target, true)
    void act.move(tid, target, spot)
  }
  return (
    <Tree
      label={t('tree')}
      roots={roots.map(toItem)}
      childrenOf={(tid) => below.get(tid)?.map(toItem)}
      open={open}
      onToggle={toggle}
      chosen={chosen}
      onChoose={onChoose}
      {...(may('update', 'project') && { onMove: move })}
      spots={['before', 'into', 'after']}
      menu={({ key }) => {
        const channel = known.get(key)
        return channel && <ChannelMenu channel={channel} act={act} onCreate={onCreate} />
      }}
    />
  )
}

function Count({ value }: { readonly value: number }) {
  const t = useTexts(texts)
  const format = useFormat()
  return (
    <Text span size="xs" c="dimmed" title={t('countTitle', { count: value })}>
      {format.number(value)}
    </Text>
  )
}

interface ChannelMenuProps extends Pick<ChannelTreeProps, 'onCreate'> {
  readonly channel: Channel
  readonly act: ReturnType<typeof useTreeActions>
}

function ChannelMenu({ channel, act, onCreate }: ChannelMenuProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  if (!['create', 'update', 'delete'].some((action) => allows(channel, action))) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          tabIndex={-1}
          aria-label={`${word('actions')}: ${channel.name}`}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {allows(channel, 'create') && <Menu.Item onClick={() => onCreate(channel)}>{t('newBelow')}</Menu.Item>}
        {allows(channel, 'update') && <Menu.Item onClick={() => act.rename(channel)}>{word('rename')}</Menu.Item>}
        {allows(channel, 'delete') && (
          <Menu.Item color="red" onClick={() => void act.remove(channel)}>
            {word('delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
