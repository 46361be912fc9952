/** Obstacles to the next release: the channels that are not complete, with their worst languages and attributes. */
import { Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CompletenessBar } from '../../object/completeness.tsx'
import { useLocaleName } from '../../object/locales.ts'
import { useMissingLabel } from '../../object/missing-label.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import type { UrlState } from '../../ui/url-state.ts'
import { Hint, Panel } from './panel.tsx'
import { texts } from './texts.ts'
import { percentOf, type TopChannel, useTopReadiness } from './use-readiness.ts'
import classes from './home.module.css'

const mostChannels = 4
const mostCauses = 3

export function Blockers() {
  const t = useTexts(texts)
  const readiness = useTopReadiness()
  return (
    <Panel title={t('blockers')} to="/channels">
      <Loaded query={readiness}>
        {(channels) => {
          const counted = channels.filter(({ locales }) => percentOf(locales) !== undefined)
          const open = counted
            .filter(({ locales }) => locales.some(({ missing = 0 }) => missing > 0))
            .toSorted((a, b) => percentOf(a.locales)! - percentOf(b.locales)!)
          if (channels.length === 0) return <Hint>{t('noChannelsHint')}</Hint>
          if (counted.length === 0) return <Hint>{t('noPlacesHint')}</Hint>
          if (open.length === 0) return <Hint>{t('nothingBlocks')}</Hint>
          return open.slice(0, mostChannels).map((channel) => <Blocker key={channel.tid} channel={channel} />)
        }}
      </Loaded>
    </Panel>
  )
}

function Blocker({ channel: { tid, name, products = 0, locales } }: { readonly channel: TopChannel }) {
  const t = useTexts(texts)
  const format = useFormat()
  const localeName = useLocaleName()
  const labelOf = useMissingLabel()
  const required = locales.reduce((sum, one) => sum + (one.required ?? 0), 0)
  const missing = locales.reduce((sum, one) => sum + (one.missing ?? 0), 0)
  const worst = locales.filter((one) => (one.missing ?? 0) > 0).toSorted((a, b) => (b.missing ?? 0) - (a.missing ?? 0))
  const causes = [...worst[0]!.missingAttributes!].slice(0, mostCauses)
  const first = worst[0]!.locale ?? ''
  const link = (search: UrlState, label: string, count: number) => (
    <Anchor
      key={label}
      size="sm"
      renderRoot={(props) => (
        <Link to="/channels" search={{ channel: tid, tab: 'readiness', missing: first, ...search }} {...props} />
      )}
    >
      {label} ({format.number(count)})
    </Anchor>
  )
  return (
    <div className={classes.blocker}>
      <Group justify="space-between" wrap="nowrap">
        <Anchor
          fw={550}
          truncate
          renderRoot={(props) => <Link to="/channels" search={{ channel: tid, tab: 'readiness' }} {...props} />}
        >
          {name}
        </Anchor>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {t('productCount', { count: products })}
        </Text>
      </Group>
      <CompletenessBar value={{ percent: percentOf(locales)!, required, missing }} />
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {t('languages')}
        </Text>
        {worst
          .slice(0, mostCauses)
          .map((one) => link({ missing: one.locale }, localeName(one.locale ?? ''), one.missing ?? 0))}
      </Group>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {t('attributes')}
        </Text>
        {causes.map(({ missing: count = 0, ...part }) =>
          link(part.picture === undefined ? { at: part.attr } : {}, labelOf(part), count),
        )}
      </Group>
    </div>
  )
}
