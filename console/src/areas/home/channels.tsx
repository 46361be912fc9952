/** A heat map of the completeness of channels by language. */
import { Anchor, Text, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { useClient } from '../../object/client.tsx'
import { useContentLocales } from '../../object/locales.ts'
import { emptyWhenNotFound } from '../../object/not-found.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Panel } from './panel.tsx'
import { texts } from './texts.ts'
import classes from './home.module.css'

const maxChannels = 8
const maxLocales = 5

export function Channels() {
  const t = useTexts(texts)
  const { cm } = useClient()
  const locales = useContentLocales()
    .slice(0, maxLocales)
    .map(({ tid }) => tid)
  const readiness = useQuery({
    queryKey: ['readiness', 'roots', locales],
    enabled: locales.length > 0,
    staleTime: 60_000,
    queryFn: async () => {
      const { tids = [] } = await cm.channels.query({ root: true }).catch(emptyWhenNotFound<{ tids?: string[] }>({}))
      const visibleTids = tids.slice(0, maxChannels)
      if (visibleTids.length === 0) return []
      const projects = await cm.channels.retrieve({ tids: visibleTids })
      const { objects = [] } = await cm.retrieveReadiness({ body: { tids: visibleTids, locales } })
      return objects.map((object) => ({
        ...object,
        name: projects.find(({ tid }) => tid === object.tid)?.name ?? object.tid!,
      }))
    },
  })
  return (
    <Panel title={t('completeness')} to="/channels">
      <Loaded query={readiness}>
        {(channels) =>
          channels.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('noChannels')}. {t('noChannelsHint')}
            </Text>
          ) : (
            <div className={classes.wide}>
              <table className={classes.heat}>
                <thead>
                  <tr>
                    <th scope="col">{t('channel')}</th>
                    {locales.map((locale) => (
                      <th key={locale} scope="col">
                        {locale}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {channels.map(({ tid = '', name, locales: ready = [] }) => (
                    <tr key={tid}>
                      <th scope="row">
                        <Anchor
                          size="sm"
                          renderRoot={(props) => <Link to="/channels" search={{ channel: tid }} {...props} />}
                        >
                          {name}
                        </Anchor>
                      </th>
                      {locales.map((locale) => {
                        const {
                          percent = 100,
                          missing = 0,
                          required = 0,
                        } = ready.find((one) => one.locale === locale) ?? {}
                        const isEmpty = required === 0
                        const heat = isEmpty
                          ? 'transparent'
                          : percent === 100
                            ? 'var(--mantine-color-teal-6)'
                            : percent >= 60
                              ? 'var(--mantine-color-harbour-5)'
                              : 'var(--mantine-color-amber-4)'
                        return (
                          <td key={locale} style={{ '--heat': heat, '--share': percent } as CSSProperties}>
                            <Tooltip label={isEmpty ? t('nothingRequired') : t('missing', { missing, required })}>
                              <Link to="/channels" search={{ channel: tid, loc: locale }}>
                                {isEmpty ? '–' : `${percent} %`}
                              </Link>
                            </Tooltip>
                          </td>
                        )
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
    </Panel>
  )
}
