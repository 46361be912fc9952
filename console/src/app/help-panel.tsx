/** The text of the help for the screen that is open. */
import { Anchor, Button, Stack, Text, Title } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useTexts } from '../ui/language.tsx'
import { documentation, screenHelp, tourTexts } from './help-texts.ts'
import { destinations } from './navigation.tsx'
import { pageNames } from './texts.ts'

export function HelpPanel({ onTour }: { onTour: () => void }) {
  const t = useTexts(tourTexts)
  const about = useTexts(screenHelp)
  const pageName = useTexts(pageNames)
  const { pathname } = useLocation()
  const { name } = destinations.find(({ path }) => path !== '/' && pathname.startsWith(path)) ?? destinations[0]
  return (
    <Stack gap="sm" align="flex-start">
      <Title order={2}>{pageName(name)}</Title>
      <Text size="sm">{about(name)}</Text>
      {documentation[name] && (
        <Anchor size="sm" href={documentation[name]} target="_blank" rel="noreferrer">
          {t('more')}
        </Anchor>
      )}
      <Button variant="default" size="xs" onClick={onTour} data-autofocus>
        {t('startTour')}
      </Button>
    </Stack>
  )
}
