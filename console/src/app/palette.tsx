/** The command palette (Ctrl+K or Cmd+K): goes to a page by its name, or searches for the typed text. */
import { Kbd, UnstyledButton } from '@mantine/core'
import { openSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../ui/language.tsx'
import { destinations } from './navigation.tsx'
import { frameTexts, pageNames } from './texts.ts'
import classes from './frame.module.css'

export function PaletteButton() {
  const t = useTexts(frameTexts)
  return (
    <UnstyledButton className={classes.palette} onClick={openSpotlight} title={t('shortcut')}>
      <IconSearch size={16} aria-hidden />
      <span>{t('palette')}</span>
      <Kbd size="xs" aria-hidden>
        Ctrl K
      </Kbd>
    </UnstyledButton>
  )
}

export function Palette() {
  const t = useTexts(frameTexts)
  const pageName = useTexts(pageNames)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const goTo: SpotlightActionData[] = destinations.map(({ path, name, icon: Symbol }) => ({
    id: path,
    label: pageName(name),
    leftSection: <Symbol size={20} stroke={1.6} />,
    onClick: () => void navigate({ to: path }),
  }))
  const searchFor: SpotlightActionData[] =
    text.trim() !== ''
      ? [
          {
            id: 'search',
            label: t('searchFor', { text }),
            keywords: text,
            leftSection: <IconSearch size={20} stroke={1.6} />,
            onClick: () => void navigate({ to: '/search', search: { q: text } }),
          },
        ]
      : []
  return (
    <Spotlight
      actions={[...goTo, ...searchFor]}
      query={text}
      onQueryChange={setText}
      shortcut={['mod + K', '/']}
      nothingFound={t('paletteNothing')}
      searchProps={{ leftSection: <IconSearch size={18} />, placeholder: t('palette'), 'aria-label': t('palette') }}
    />
  )
}
