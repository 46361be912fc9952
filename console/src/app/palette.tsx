/** The command palette (Ctrl or Cmd with K): places by name, and whatever is typed can be searched for. */
import { Kbd, UnstyledButton } from '@mantine/core'
import { openSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../object/client.tsx'
import { useTexts } from '../ui/language.tsx'
import { places } from './places.tsx'
import { frameTexts, placeTexts } from './texts.ts'
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
  const name = useTexts(placeTexts)
  const navigate = useNavigate()
  const { roles = [] } = useMe()
  const [text, setText] = useState('')
  const hasSearch = places.some(({ path }) => path === '/search')
  const goTo: SpotlightActionData[] = places
    .filter(({ group, needs }) => group && (!needs || roles.includes(needs)))
    .map(({ path, name: place, icon: Symbol }) => ({
      id: path,
      label: name(place),
      leftSection: <Symbol size={20} stroke={1.6} />,
      onClick: () => void navigate({ to: path }),
    }))
  const searchFor: SpotlightActionData[] =
    hasSearch && text.trim() !== ''
      ? [
          {
            id: 'search',
            label: t('searchFor', { text }),
            keywords: text,
            leftSection: <IconSearch size={20} stroke={1.6} />,
            onClick: () => void navigate({ to: '/search', search: { q: text } as never }),
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
