/** The data model: classifications with the attributes of their categories, all attributes and their groups, those of files, channel types. */
import { Tabs } from '@mantine/core'
import { useTexts } from '../../ui/language.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { ChannelTypes } from './channel-types.tsx'
import { AssetDefinitions, ProductDefinitions } from './definitions.tsx'
import { AttributeGroups } from './groups.tsx'
import { Nodes } from './nodes.tsx'
import { texts } from './texts.ts'
import classes from './model.module.css'

export function ModelPage() {
  const t = useTexts(texts)
  const [{ tab = 'nodes' }, change] = useUrlState()
  return (
    <Page title={t('title')} fill>
      <Tabs
        value={tab}
        onChange={(value) => change({ tab: value ?? undefined, definition: undefined, type: undefined }, true)}
        keepMounted={false}
        className={classes.tabs}
      >
        <Tabs.List mb="sm">
          <Tabs.Tab value="nodes">{t('nodesTab')}</Tabs.Tab>
          <Tabs.Tab value="definitions">{t('attributesTab')}</Tabs.Tab>
          <Tabs.Tab value="groups">{t('groupsTab')}</Tabs.Tab>
          <Tabs.Tab value="files">{t('filesTab')}</Tabs.Tab>
          <Tabs.Tab value="channelTypes">{t('channelTypesTab')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="nodes" className={classes.panel}>
          <Nodes />
        </Tabs.Panel>
        <Tabs.Panel value="definitions" className={classes.panel}>
          <ProductDefinitions />
        </Tabs.Panel>
        <Tabs.Panel value="groups" className={classes.panel}>
          <AttributeGroups />
        </Tabs.Panel>
        <Tabs.Panel value="files" className={classes.panel}>
          <AssetDefinitions />
        </Tabs.Panel>
        <Tabs.Panel value="channelTypes" className={classes.panel}>
          <ChannelTypes />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
