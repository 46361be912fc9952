/** The menu of the signed-in user: settings, console language, units, signing out. */
import { Avatar, Menu, UnstyledButton } from '@mantine/core'
import { IconBook, IconCheck, IconLogout, IconSettings } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useContext } from 'react'
import { useMe } from '../object/client.tsx'
import { chooseUnits, unitSystems, useUnitSystem } from '../object/values/reader-units.ts'
import { useLanguage, useTexts } from '../ui/language.tsx'
import { languages, nameOf } from './languages.ts'
import { SessionContext } from './session-context.ts'
import { frameTexts, pageNames } from './texts.ts'

export function AccountMenu() {
  const t = useTexts(frameTexts)
  const pageName = useTexts(pageNames)
  const { name = '', displayName = name } = useMe()
  const { language, setLanguage } = useLanguage()
  const units = useUnitSystem()
  const session = useContext(SessionContext)
  return (
    <Menu width={230} position="bottom-end">
      <Menu.Target>
        <UnstyledButton aria-label={`${t('account')}: ${displayName}`}>
          <Avatar color="harbour" size={34} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{displayName === name ? name : `${displayName} (${name})`}</Menu.Label>
        <Menu.Item leftSection={<IconSettings size={16} />} renderRoot={(props) => <Link to="/settings" {...props} />}>
          {pageName('settings')}
        </Menu.Item>
        <Menu.Item leftSection={<IconBook size={16} />} component="a" href="/api/docs" target="_blank" rel="noreferrer">
          {t('reference')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('uiLanguage')}</Menu.Label>
        {languages.map((tag) => (
          <Menu.Item
            key={tag}
            lang={tag}
            onClick={() => setLanguage(tag)}
            rightSection={tag === language && <IconCheck size={16} />}
          >
            {nameOf(tag)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('units')}</Menu.Label>
        {unitSystems.map((system) => (
          <Menu.Item
            key={system}
            onClick={() => chooseUnits(system)}
            rightSection={system === units && <IconCheck size={16} />}
          >
            {t(system)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void session?.signOut()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
