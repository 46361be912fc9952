/** The search page: search box, tabs per index, facets, stored searches, and a query builder for exact conditions. */
import { Button, Stack, Tabs } from '@mantine/core'
import { IconAdjustments, IconCode, IconSearch } from '@tabler/icons-react'
import { useEffect, useMemo } from 'react'
import { useClient } from '../../object/client.tsx'
import { useContentLocale } from '../../object/locales.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page } from '../../ui/page.tsx'
import { type UrlState, useUrlState } from '../../ui/url-state.ts'
import { Empty } from '../../ui/states.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { Builder } from './builder.tsx'
import { Results } from './results.tsx'
import { SearchBox } from './search-box.tsx'
import { isIdle, readState, type Tab, tabs, toSearch } from './state.ts'
import { StoredSearches } from './stored-searches.tsx'
import { texts } from './texts.ts'

export function SearchPage() {
  const t = useTexts(texts)
  const client = useClient()
  const [fields, change] = useUrlState()
  const [locale] = useContentLocale()
  const state = useMemo(() => readState(fields), [fields])
  const withoutFilters: UrlState = Object.fromEntries([...state.facets.keys()].map((name) => [`f.${name}`, '']))
  const withoutConditions: UrlState = { ...withoutFilters, build: '', join: '' }
  const showsBuilder = fields.builder === '1'
  const { text } = state
  useEffect(() => {
    if (text.trim().length > 2) void client.search.addHistory({ body: { text, context: 'console' } }).catch(() => {})
  }, [client, text])

  const copyRequest = async () => {
    await navigator.clipboard.writeText(toCurl(JSON.stringify(toSearch(state, locale, 0, 20), null, 2)))
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
            onOpen={(stored) => change({ ...withoutConditions, ...stored }, true)}
          />
          <Button
            variant="subtle"
            leftSection={<IconAdjustments size={16} />}
            aria-pressed={showsBuilder}
            onClick={() => change({ builder: showsBuilder ? '' : '1' })}
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
        {showsBuilder && <Builder state={state} locale={locale} change={change} />}
        <IndexTabs
          tab={state.tab}
          onChange={(tab) => change({ ...withoutConditions, index: tab === 'GLOBAL' ? '' : tab }, true)}
        />
        {isIdle(state) ? (
          <Empty icon={IconSearch} title={t('start')}>
            {t('startHint')}
          </Empty>
        ) : (
          <Results state={state} locale={locale} change={change} onClearFilters={() => change(withoutFilters)} />
        )}
      </Stack>
    </Page>
  )
}

function IndexTabs({ tab, onChange }: { tab: Tab; onChange: (tab: string) => void }) {
  const t = useTexts(texts)
  return (
    <Tabs value={tab} onChange={(chosen) => onChange(chosen ?? '')}>
      <Tabs.List>
        {tabs.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t(one)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((one) => (
        <Tabs.Panel key={one} value={one}>
          {null}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** The search as a curl command; the user adds a token. */
const toCurl = (body: string) =>
  `curl -X POST ${window.location.origin}/api/v1/search -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '${body.replaceAll("'", String.raw`'\''`)}'`
