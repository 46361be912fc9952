/** The frame around every page: sidebar, top bar, command palette. */
import { AppShell, Box, Burger, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTexts } from '../ui/language.tsx'
import { Loading } from '../ui/states.tsx'
import { OfflineNotice } from './offline.tsx'
import { PaletteButton } from './palette-button.tsx'
import { Sidebar } from './sidebar.tsx'
import { ViewNotice } from './view-notice.tsx'
import { frameTexts } from './texts.ts'
import classes from './frame.module.css'

const BarTools = lazy(async () => ({ default: (await import('./bar-tools.tsx')).BarTools }))
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

export function Frame() {
  const t = useTexts(frameTexts)
  const [opened, { toggle, close }] = useDisclosure()
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'lg', collapsed: { mobile: !opened } }}
      layout="alt"
    >
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <AppShell.Header className={classes.bar}>
        <Group h="100%" px={{ base: 'xs', sm: 'md' }} gap="xs" wrap="nowrap">
          <Burger opened={opened} onClick={toggle} hiddenFrom="lg" size="sm" aria-label={t('menu')} />
          <PaletteButton />
          <Box flex={1} />
          <Suspense fallback={<Box w={302} h={34} />}>
            <BarTools />
          </Suspense>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.side} aria-label={t('navigation')}>
        <Sidebar
          onNavigate={close}
          close={<Burger opened onClick={close} hiddenFrom="lg" size="sm" color="white" aria-label={t('menu')} />}
        />
      </AppShell.Navbar>
      <AppShell.Main id="content" className={classes.main} tabIndex={-1}>
        <OfflineNotice />
        <ViewNotice />
        <Suspense fallback={<Loading shape="page" />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <Suspense>
        <Palette />
      </Suspense>
    </AppShell>
  )
}
