/** Controls in the bar of every page: unread messages, light or dark appearance. */
import { ActionIcon, Indicator, Menu, Tooltip, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMail, IconMoon, IconSun } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../object/client.tsx'
import { useTexts } from '../ui/language.tsx'
import { frameTexts } from './texts.ts'

const schemes = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const

export function Appearance() {
  const t = useTexts(frameTexts)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Current = schemes.find(({ scheme }) => scheme === colorScheme)!.icon
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('appearance')}>
          <Current size={19} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ scheme, icon: Symbol }) => (
          <Menu.Item key={scheme} leftSection={<Symbol size={16} />} onClick={() => setColorScheme(scheme)}>
            {t(scheme)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The number of unread messages, as a link to them. */
export function Inbox() {
  const t = useTexts(frameTexts)
  const { common } = useClient()
  const { data } = useQuery({
    queryKey: ['messages', 'unread'],
    queryFn: () => common.listMessages({ query: { unread: 'true', count: '1' } }),
    refetchInterval: 60_000,
  })
  const unread = data?.unread ?? 0
  return (
    <Tooltip label={t('unread', { count: unread })}>
      <Indicator disabled={unread === 0} label={unread > 99 ? '99+' : unread} size={16} color="amber.4" offset={4}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('unread', { count: unread })}
          renderRoot={(props) => <Link to="/messages" {...props} />}
        >
          <IconMail size={19} stroke={1.6} />
        </ActionIcon>
      </Indicator>
    </Tooltip>
  )
}
