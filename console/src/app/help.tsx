/** The question mark in the bar: a short text about the screen, and the tour for newcomers. */
import { ActionIcon, Popover } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '../object/client.tsx'
import { useTexts } from '../ui/language.tsx'
import { Loading } from '../ui/states.tsx'
import { frameTexts } from './texts.ts'

const HelpPanel = lazy(async () => ({ default: (await import('./help-panel.tsx')).HelpPanel }))
const Tour = lazy(async () => ({ default: (await import('./tour.tsx')).Tour }))

/** Users who have seen or skipped the tour in this browser. */
const tourKey = (userId: string) => `kontor.tour.${userId}`
const isNew = (userId: string) =>
  localStorage.getItem('kontor.tour') !== 'off' && localStorage.getItem(tourKey(userId)) === null

export function Help() {
  const t = useTexts(frameTexts)
  const { id = '' } = useMe()
  const [opened, setOpened] = useState(false)
  const [isTouring, setTouring] = useState(() => isNew(id))
  const endTour = () => {
    localStorage.setItem(tourKey(id), 'seen')
    setTouring(false)
  }
  return (
    <>
      <Popover opened={opened} onChange={setOpened} width={360} position="bottom-end" shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            visibleFrom="xs"
            title={t('help')}
            aria-label={t('help')}
            data-tour="help"
            onClick={() => setOpened(!opened)}
          >
            <IconHelp size={19} stroke={1.6} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('help')}>
          <Suspense fallback={<Loading />}>
            {opened && (
              <HelpPanel
                onTour={() => {
                  setOpened(false)
                  setTouring(true)
                }}
              />
            )}
          </Suspense>
        </Popover.Dropdown>
      </Popover>
      <Suspense>{isTouring && <Tour onEnd={endTour} />}</Suspense>
    </>
  )
}
