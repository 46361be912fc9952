/** The workflow page, in tabs: workflows to start, processes, definitions and failed jobs. */
import { Tabs } from '@mantine/core'
import { useMe } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Definitions } from './definitions.tsx'
import { Jobs } from './jobs.tsx'
import { Processes } from './processes.tsx'
import { Startable } from './startable.tsx'
import { texts } from './texts.ts'

const parts = { workflows: Startable, processes: Processes, definitions: Definitions, jobs: Jobs }
type Part = keyof typeof parts

export function WorkflowPage() {
  const t = useTexts(texts)
  const { roles = [] } = useMe()
  const [{ part = 'workflows' }, change] = useUrlState()
  const offered = (Object.keys(parts) as Part[]).filter((one) => one !== 'jobs' || roles.includes('admin'))
  const name = offered.find((one) => one === part) ?? 'workflows'
  const Content = parts[name]
  return (
    <Page fill title={t('title')}>
      <Tabs
        value={name}
        onChange={(value) => change({ part: value ?? '' }, true)}
        h="100%"
        display="flex"
        style={{ flexDirection: 'column' }}
      >
        <Tabs.List>
          {offered.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(one)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={name} pt="md" flex={1} mih={0} display="flex" style={{ flexDirection: 'column' }}>
          <Content />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
