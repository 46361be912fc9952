/** Stored searches and running workflows of the demo's users. */
import type { ApiClient } from './api.ts'
import { tidOf } from './products.ts'

const search = '/api/v1/search/storedsearch'
const workflow = '/api/v1/workflow'

const onProducts = (query: object, more: object = {}) => ({
  context: { searchType: 'INDEX', index: 'PRODUCT' },
  query,
  ...more,
})
const field = (name: string, comparator: string, value: unknown) => ({ queryType: 'FIELD', name, comparator, value })

// prettier-ignore
const searches: Readonly<Record<string, object>> = {
  'New this season':          onProducts(field('IS_NEW', 'EQ', true)),
  'Drafts to finish':         onProducts(field('STATUS', 'EQ', 'draft'), { sortOptions: [{ attribute: 'modificationDate', direction: 'DESC' }] }),
  'Boats for several people': onProducts({ queryType: 'COMBINED', operator: 'AND', queries: [field('classificationPath', 'EQ', '/Fjordlin/Boats'), field('PERSONS', 'GE', 2)] }),
  'German texts to look at':  onProducts({ ...field('staleTexts', 'EQ', true), language: 'de_DE' }),
  'Recycled, at least half':  onProducts(field('RECYCLED', 'GE', 50)),
}

interface Listed {
  readonly storedSearchEntries?: readonly { readonly id: number; readonly name: string }[]
}
const listSearches = async (api: ApiClient) =>
  (await api.call<Listed>(`${search}?index=PRODUCT`, undefined, 'GET')).storedSearchEntries ?? []

/** Stored searches belong to a user; existing ones are not changed. */
export async function addSearches(api: ApiClient): Promise<void> {
  const known = new Set((await listSearches(api)).map(({ name }) => name))
  for (const [name, searchObject] of Object.entries(searches)) {
    if (!known.has(name)) await api.call(search, { name, searchObject })
  }
}

export async function removeSearches(api: ApiClient): Promise<void> {
  for (const { id, name } of await listSearches(api)) {
    if (Object.hasOwn(searches, name)) await api.call(`${search}/${id}`, undefined, 'DELETE')
  }
}

const rules = '/api/v1/rules'
const inRange = { queryType: 'FIELD', name: 'classificationPath', comparator: 'EQ', value: '/Fjordlin' }
/** Those that change texts run by hand, so that the texts of the demo stay as they are until somebody tries them. */
const savedRules: Readonly<Record<string, object>> = {
  'Titles for search engines': {
    description: 'Brand and title in English, where there is no title for search engines yet',
    condition: {
      queryType: 'COMBINED',
      operator: 'AND',
      queries: [inRange, { queryType: 'FIELD', name: 'SEO_TITLE', comparator: 'IS_EMPTY', language: 'en_GB' }],
    },
    operations: [{ type: 'concatenate', attribute: 'SEO_TITLE', locale: 'en_GB', template: '{TITLE} | {BRAND}' }],
  },
  'Dealer prices': {
    description: 'Sixty percent of the retail price in euros, and fifty cents of freight for a kilogram',
    condition: inRange,
    operations: [
      {
        type: 'calculate',
        attribute: 'DEALER_PRICE',
        expression: 'round(amount("PRICE", "EUR") * 0.6 + measure("WEIGHT", "kg") * 0.5, 2)',
      },
    ],
  },
  'Inspections among the repairs': {
    description: 'Puts a yearly inspection into its own category',
    condition: {
      queryType: 'COMBINED',
      operator: 'AND',
      queries: [
        field('classificationPath', 'EQ', '/Services/Repair'),
        { ...field('TITLE', 'LIKE', 'inspection'), language: 'en_GB' },
      ],
    },
    operations: [{ type: 'move', to: '/Services/Inspection' }],
  },
  'New products on the marketplace': {
    description: 'Places what is new this season as soon as it is marked as new',
    condition: field('IS_NEW', 'EQ', true),
    operations: [{ type: 'link', dataType: 'project', to: 'FJ-MARKET' }],
    onChange: true,
  },
  'Keyword of scenes': {
    description: 'Every night, for pictures of people outdoors',
    kind: 'asset',
    condition: field('directoryPath', 'EQ', '/MAM/Fjordlin/Scenes'),
    operations: [{ type: 'link', dataType: 'keyword', to: '/Motif/Landscape' }],
    schedule: { cron: '30 2 * * *', timeZone: 'Europe/Berlin' },
  },
}

export async function addRules(api: ApiClient): Promise<void> {
  for (const [name, rule] of Object.entries(savedRules))
    await api.call(`${rules}/${encodeURIComponent(name)}`, rule, 'PUT')
}

export async function removeRules(api: ApiClient): Promise<void> {
  const known = (await api.call<{ rules?: { name: string }[] }>(rules, undefined, 'GET')).rules ?? []
  for (const { name } of known)
    if (Object.hasOwn(savedRules, name)) await api.call(`${rules}/${encodeURIComponent(name)}`, undefined, 'DELETE')
}

interface Start {
  readonly configIdentifier: string
  readonly linkedObjects: readonly { readonly type: string; readonly tid: string }[]
}
// prettier-ignore
const starts: readonly Start[] = [
  ...[0, 1, 5, 9].map((i) => ({ configIdentifier: 'F.WorkflowConfig.ProductEnrichment', linkedObjects: [{ type: 'product', tid: tidOf(i) }] })),
  ...[1, 2, 6].map((i) => ({ configIdentifier: 'F.WorkflowConfig.AssetApproval', linkedObjects: [{ type: 'file', tid: `FJ-PIC-${i}` }] })),
  { configIdentifier: 'F.WorkflowConfig.ChannelRelease', linkedObjects: [{ type: 'project', tid: 'FJ-BOOK' }] },
  { configIdentifier: 'F.WorkflowConfig.GlossaryReview', linkedObjects: [{ type: 'glossary', tid: 'FJ-TERMS' }] },
]

/** Starts processes of the installed workflows, unless processes exist already. */
export async function startWorkflows(api: ApiClient): Promise<void> {
  type Configurations = { configurations?: { identifier?: string }[] }
  const { configurations = [] } = await api.call<Configurations>(`${workflow}/configurations`, undefined, 'GET')
  const known = new Set(configurations.map(({ identifier }) => identifier))
  const { total = 0 } = await api.call<{ total?: number }>(`${workflow}/processes/query`, { count: 1 })
  if (total > 0) return
  const byConfiguration = Map.groupBy(
    starts.filter(({ configIdentifier }) => known.has(configIdentifier)),
    ({ configIdentifier }) => configIdentifier,
  )
  for (const [configIdentifier, same] of byConfiguration) {
    const processStartRequests = same.map(({ linkedObjects }) => ({ linkedObjects }))
    const replies = await api.call<{ status: string; issues?: unknown }[]>(`${workflow}/start`, { configIdentifier, processStartRequests }) // prettier-ignore
    const refused = replies.find(({ status }) => status !== 'success')
    if (refused) throw new Error(`demo: ${configIdentifier}: ${JSON.stringify(refused.issues)}`)
  }
}

/** Cancels running processes, with a reason. */
export async function stopWorkflows(api: ApiClient): Promise<void> {
  type Running = { processes?: { id: string; starter?: string }[] }
  const { processes = [] } = await api.call<Running>(`${workflow}/processes/query`, { states: ['running'], starter: 'greta', count: 1000 }) // prettier-ignore
  const ids = processes.map(({ id }) => id)
  if (ids.length > 0) await api.call(`${workflow}/processes/cancel`, { ids, reason: 'the demo was removed' })
}
