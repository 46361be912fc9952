/** A heat map of the completeness of channels by language. A channel has a number only in the languages that it requires. */
import { Anchor, Text, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { useContentLocales, useLocaleName } from '../../object/locales.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Hint, Panel } from './panel.tsx'
import { texts } from './texts.ts'
import { type TopChannel, useTopReadiness } from './use-readiness.ts'
import classes from './home.module.css'

const maxLocales = 5

/** The languages that most channels require, in the order of the content languages. */
function localesOf(channels: readonly TopChannel[], names: readonly string[]): string[] {
  const required = channels.flatMap(({ locales }) => locales.flatMap((one) => (one.required ? (one.locale ?? []) : [])))
  const counts = new Map(names.map((name) => [name, required.filter((one) => one === name).length]))
  const most = names.filter((name) => counts.get(name)! > 0).toSorted((a, b) => counts.get(b)! - counts.get(a)!)
  return names.filter((name) => most.slice(0, maxLocales).includes(name))
}

export function Channels() {
  const t = useTexts(texts)
  const all = useContentLocales()
  const localeName = useLocaleName()
  const readiness = useTopReadiness()
  return (
    <Panel title={t('completeness')} to="/channels">
      <Loaded query={readiness}>
        {(channels) => {
          if (channels.length === 0) return <Hint>{t('noChannelsHint')}</Hint>
          const locales = localesOf(channels, all.map(({ tid }) => tid)) // prettier-ignore
          if (locales.length === 0) return <Hint>{t('noPlacesHint')}</Hint>
          return (
            <div className={classes.wide}>
              <table className={classes.heat}>
                <thead>
                  <tr>
                    <th scope="col">{t('channel')}</th>
                    {locales.map((locale) => (
                      <th key={locale} scope="col">
                        {localeName(locale)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {channels.map((channel) => (
                    <tr key={channel.tid}>
                      <th scope="row">
                        <Anchor
                          size="sm"
                          renderRoot={(props) => <Link to="/channels" search={{ channel: channel.tid }} {...props} />}
                        >
                          {channel.name}
                        </Anchor>
                      </th>
                      {locales.map((locale) => (
                        <Cell key={locale} channel={channel} locale={locale} />
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }}
      </Loaded>
    </Panel>
  )
}

const heatOf = (percent: number) => (percent === 100 ? 'teal-6' : percent >= 60 ? 'harbour-5' : 'amber-4')

function Cell({ channel: { tid, locales }, locale }: { readonly channel: TopChannel; readonly locale: string }) {
  const t = useTexts(texts)
  const { percent, missing = 0, required = 0 } = locales.find((one) => one.locale === locale) ?? {}
  if (percent === undefined)
    return (
      <td>
        <Text span size="sm" c="dimmed" display="block" ta="center" title={t('nothingRequired')}>
          –
        </Text>
      </td>
    )
  const style = { '--heat': `var(--mantine-color-${heatOf(percent)})`, '--share': percent } as CSSProperties
  return (
    <td style={style}>
      <Tooltip label={t('missing', { missing, required })}>
        <Link to="/channels" search={{ channel: tid, tab: 'readiness', missing: locale }}>
          {percent} %
        </Link>
      </Tooltip>
    </td>
  )
}
