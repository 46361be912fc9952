/**
 * The workflows shipped with the server: files in server/workflows, and a configuration for each. A file that changed
 * in a server release is deployed as a new version, unless an administrator has deployed their own version under its
 * key. Existing configurations are left unchanged.
 */
import { readFileSync } from 'node:fs'
import type { Database } from '../../adapters/postgres/db.ts'
import { type ConfigurationRow, type Parameter, upsertConfiguration } from '../configurations/configurations.sql.ts'
import { findNewest, insertDefinition, lockKey } from './definitions.sql.ts'

const folder = new URL('../../../workflows/', import.meta.url)
const userName = 'kontor'

const role = (key: string, name: string, fallback: string): Parameter => ({
  key,
  type: 'string',
  name,
  defaultValues: [fallback],
})
const text = (key: string, name: string): Parameter => ({ key, type: 'string', name })
const locales: Parameter = { key: 'locales', type: 'language', name: 'Locales', multiple: true }

interface Shipped {
  readonly file: string
  readonly configuration: Omit<
    ConfigurationRow,
    'definitionVersion' | 'candidateRoles' | 'deadline' | 'escalationRole' | 'enabled'
  >
}

// prettier-ignore
const shipped: readonly Shipped[] = [
  {
    file: 'asset-approval.bpmn',
    configuration: {
      identifier: 'F.WorkflowConfig.AssetApproval', name: 'Asset approval', definitionKey: 'assetApproval', linkedTypes: ['file'],
      description: 'Files are reviewed; approved ones are moved and get their previews.',
      parameters: [role('reviewers', 'Role of reviewers', 'editor'), text('approvedDirectory', 'Directory of approved files')],
    },
  },
  {
    file: 'product-enrichment.bpmn',
    configuration: {
      identifier: 'F.WorkflowConfig.ProductEnrichment', name: 'Product enrichment', definitionKey: 'productEnrichment', linkedTypes: ['product'],
      description: 'Products get their texts, a translation per locale, and an approval.',
      parameters: [
        { key: 'sourceLocale', type: 'language', name: 'Source language', defaultValues: ['en_GB'] }, { ...locales, name: 'Translate to' },
        role('editors', 'Role of editors', 'editor'), role('translators', 'Role of translators', 'editor'), role('approvers', 'Role of approvers', 'editor'),
        text('statusAttribute', 'Attribute to set in the end'), text('statusValue', 'Its value'),
      ],
    },
  },
  {
    file: 'channel-release.bpmn',
    configuration: {
      identifier: 'F.WorkflowConfig.ChannelRelease', name: 'Channel release', definitionKey: 'channelRelease', linkedTypes: ['project'],
      description: 'A channel is checked for completeness, approved and released, and other systems are notified.',
      parameters: [locales, role('editors', 'Role of editors', 'editor'), role('approvers', 'Role of approvers', 'editor'), text('webhook', 'Webhook URL')],
    },
  },
  {
    file: 'glossary-review.bpmn',
    configuration: {
      identifier: 'F.WorkflowConfig.GlossaryReview', name: 'Glossary review', definitionKey: 'glossaryReview', linkedTypes: ['glossary'],
      description: 'A glossary is reviewed; terms and translations are corrected and approved.',
      parameters: [{ ...locales, name: 'Locales of translations' }, role('reviewers', 'Role of reviewers', 'editor'), role('editors', 'Role of editors', 'editor'), role('translators', 'Role of translators', 'editor')],
    },
  },
]

export async function deployShipped(database: Database): Promise<void> {
  for (const { file, configuration } of shipped) {
    const xml = readFileSync(new URL(file, folder), 'utf8')
    const { definitionKey: key, name } = configuration
    const known = await findNewest(database, key)
    if (known && (known.xml === xml || !known.shipped)) continue
    await database.transaction(async (db) => {
      await lockKey(db, key)
      const newest = await findNewest(db, key)
      if (newest && (newest.xml === xml || !newest.shipped)) return
      await insertDefinition(db, { key, version: (newest?.version ?? 0) + 1, name, xml, shipped: true, userName })
      const defaults = {
        definitionVersion: null,
        candidateRoles: [],
        deadline: null,
        escalationRole: null,
        enabled: true,
      }
      await upsertConfiguration(db, { ...configuration, ...defaults }, userName, true)
    })
  }
}
