/** The beginning of the briefing, on the contents of its channel: the people who fill the channel see it first. */
import { Anchor, Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../ui/language.tsx'
import { briefingTexts } from './briefing-texts.ts'
import { useBriefings } from './briefing.ts'
import type { Channel } from './channels.ts'
import { texts } from './texts.ts'
import classes from './channels.module.css'

export function BriefingNote({ channel: { tid = '' } }: { readonly channel: Channel }) {
  const t = useTexts(texts)
  const say = useTexts(briefingTexts)
  const { shown } = useBriefings(tid)
  const first = shown?.layout?.find(({ seitenbriefing }) => seitenbriefing)
  if (!first) return null
  return (
    <Paper component="section" aria-label={t('briefing')} p="md">
      {first.name && <Text fw={600}>{first.name}</Text>}
      <Text size="sm" lineClamp={4} className={classes.note}>
        {first.seitenbriefing}
      </Text>
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/channels" search={(before) => ({ ...before, tab: 'briefing' })} {...props} />}
      >
        {say('readOn')}
      </Anchor>
    </Paper>
  )
}
