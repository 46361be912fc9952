/** One box for everything: words, tabs per index, facets, stored searches, a builder for exact conditions. */
import { Anchor, Button, Group, Select, Stack, Tabs, Text } from '@mantine/core'
import { IconAdjustments, IconCode, IconSearch } from '@tabler/icons-react'
import { useEffect, useMemo } from 'react'
import { useClient } from '../../object/client.tsx'
import { useContentLocale } from '../../object/locales.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { type UrlState, useUrlState } from '../../ui/url-state.ts'
import { Empty, Failure, Loading } from '../../ui/states.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { Builder } from './builder.tsx'
import { Facets } from './facets.tsx'
import { Hits } from './hits.tsx'
import { SearchBox } from './search-box.tsx'
import { isIdle, readState, tabs, toSearch } from './state.ts'
import { StoredSearches } from './stored-searches.tsx'
import { texts } from './texts.ts'
import { useSearch } from './use-search.ts'

export function SearchPage() {
  const t = useTexts(texts)
  const client = useClient()
  const [fields, change] = useUrlState()
  const [locale] = useContentLocale()
  const state = useMemo(() => readState(fields), [fields])
  const idle = isIdle(state)
  const found = useSearch(state, locale)
  const withoutFilters: UrlState = Object.fromEntries([...state.facets.keys()].map((name) => [`f.${name}`, '']))
  const { text } = state
  useEffect(() => {
    if (text.trim().length > 2) void client.search.addHistory({ body: { text, context: 'console' } }).catch(() => {})
  }, [client, text])

  const copyRequest = async () => {
    await navigator.clipboard.writeText(requestOf(JSON.stringify(toSearch(state, locale, 0, 20), null, 2)))
    notifyDone(t('requestCopied'))
  }
  return (
    <Page
      fill
      title={t('title')}
      actions={
        <>
          <StoredSearches
            state={state}
            search={toSearch(state, locale, 0, 20)}
            onOpen={(place) => change({ ...withoutFilters, build: '', join: '', ...place }, true)}
          />
          <Button
            variant="subtle"
            leftSection={<IconAdjustments size={16} />}
            aria-pressed={fields['builder'] === '1'}
            onClick={() => change({ builder: fields['builder'] === '1' ? '' : '1' })}
          >
            {t('builder')}
          </Button>
          <Button variant="subtle" leftSection={<IconCode size={16} />} onClick={() => void copyRequest()}>
            {t('copyRequest')}
          </Button>
        </>
      }
    >
      <Stack h="100%" gap="sm">
        <SearchBox text={state.text} tab={state.tab} onSearch={(q) => change({ q }, true)} />
        {fields['builder'] === '1' && <Builder state={state} locale={locale} change={change} />}
        <Tabs
          value={state.tab}
          onChange={(tab) =>
            change({ ...withoutFilters, build: '', join: '', index: tab === 'GLOBAL' ? '' : (tab ?? '') }, true)
          }
        >
          <Tabs.List>
            {tabs.map((tab) => (
              <Tabs.Tab key={tab} value={tab}>
                {t(tab)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map((tab) => (
            <Tabs.Panel key={tab} value={tab}>
              {null}
            </Tabs.Panel>
          ))}
        </Tabs>
        {idle ? (
          <Empty icon={IconSearch} title={t('start')}>
            {t('startHint')}
          </Empty>
        ) : (
          <div style={{ flex: 1, minHeight: 0 }}>
            <Panes
              sideLabel={t('filters')}
              side={
                <Facets
                  groups={found.first?.facets ?? []}
                  chosen={state.facets}
                  change={change}
                  onClear={() => change(withoutFilters)}
                />
              }
            >
              <Group p="xs" justify="space-between">
                <Text size="sm" role="status">
                  {t(found.first?.exactHitCount === false ? 'atLeast' : 'hits', { count: found.total })}
                  {found.first && (
                    <Text span c="dimmed" size="sm">
                      {' · '}
                      {t('took', { ms: Number(found.first.processingTimeMillis ?? 0) })}
                    </Text>
                  )}
                </Text>
                <Select
                  aria-label={t('sort')}
                  size="xs"
                  data={[
                    { value: '', label: t('relevance') },
                    { value: 'newest', label: t('newest') },
                    { value: 'name', label: t('byName') },
                  ]}
                  value={state.sort}
                  allowDeselect={false}
                  onChange={(sort) => change({ sort: sort ?? '' })}
                />
              </Group>
              {found.error ? (
                <Failure error={found.error} onRetry={found.refetch} />
              ) : found.loading ? (
                <Loading />
              ) : found.total === 0 ? (
                <Empty
                  icon={IconSearch}
                  title={t('nothing')}
                  action={<Corrections texts={found.first?.suggest ?? []} onTake={(q) => change({ q }, true)} />}
                >
                  {t('nothingHint')}
                </Empty>
              ) : (
                <Hits {...found} />
              )}
            </Panes>
          </div>
        )}
      </Stack>
    </Page>
  )
}

function Corrections({ texts: meant, onTake }: { texts: readonly string[]; onTake: (text: string) => void }) {
  const t = useTexts(texts)
  if (meant.length === 0) return null
  return (
    <Text size="sm">
      {t('didYouMean')}{' '}
      {meant.slice(0, 5).map((text, i) => (
        <span key={text}>
          {i > 0 && ', '}
          <Anchor component="button" type="button" size="sm" onClick={() => onTake(text)}>
            {text}
          </Anchor>
        </span>
      ))}
    </Text>
  )
}

/** The search as a command for a terminal; the token is one's own. */
const requestOf = (body: string) =>
  `curl -X POST ${window.location.origin}/api/v1/search -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '${body.replaceAll("'", String.raw`'\''`)}'`
