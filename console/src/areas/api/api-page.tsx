/** The API page for developers: all operations, and the user's own recent requests. */
import { Tabs } from '@mantine/core'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Reference } from './reference.tsx'
import { Requests } from './requests.tsx'
import { texts } from './texts.ts'

const parts = { reference: Reference, requests: Requests }
type Part = keyof typeof parts

export function ApiPage() {
  const t = useTexts(texts)
  const [{ part }, change] = useUrlState()
  const name: Part = part === 'requests' ? 'requests' : 'reference'
  const Content = parts[name]
  return (
    <Page fill title={t('title')}>
      <Panes>
        <Tabs value={name} onChange={(value) => change({ part: value ?? '', q: '' }, true)} px="md" pt="xs">
          <Tabs.List>
            {(Object.keys(parts) as Part[]).map((one) => (
              <Tabs.Tab key={one} value={one}>
                {t(one)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
        <Content />
      </Panes>
    </Page>
  )
}
