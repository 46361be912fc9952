/** Controls in the bar of every page: content language, unread messages, light or dark appearance. */
import { ActionIcon, Indicator, Menu, Select, Tooltip, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconLanguage, IconMail, IconMoon, IconSun } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../object/client.tsx'
import { useContentLocale, useContentLocales } from '../object/locales.ts'
import { useTexts } from '../ui/language.tsx'
import { commonTexts } from '../ui/common-texts.ts'
import { frameTexts } from './texts.ts'

export function LocaleChoice() {
  const t = useTexts(commonTexts)
  const locales = useContentLocales()
  const [locale, choose] = useContentLocale()
  return (
    <Tooltip label={t('locale')}>
      <Select
        aria-label={t('locale')}
        leftSection={<IconLanguage size={16} aria-hidden />}
        data={locales.map(({ tid }) => ({ value: tid, label: tid.replace('_', '–') }))}
        value={locale}
        onChange={(chosen) => chosen && choose(chosen)}
        allowDeselect={false}
        w={118}
        size="xs"
        checkIconPosition="right"
      />
    </Tooltip>
  )
}

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
