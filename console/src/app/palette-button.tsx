/** Opens the command palette, which is loaded after the page, by a click or by its keys. */
import { Kbd, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { openSpotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useTexts } from '../ui/language.tsx'
import { frameTexts } from './texts.ts'
import classes from './frame.module.css'

export function PaletteButton() {
  const t = useTexts(frameTexts)
  useHotkeys([['mod + K', openSpotlight]], [], true) // also from within a field
  useHotkeys([['/', openSpotlight]])
  return (
    <UnstyledButton className={classes.palette} onClick={openSpotlight} data-tour="palette" title={t('shortcut')}>
      <IconSearch size={16} aria-hidden />
      <span>{t('palette')}</span>
      <Kbd size="xs" aria-hidden>
        Ctrl K
      </Kbd>
    </UnstyledButton>
  )
}
