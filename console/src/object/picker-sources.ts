/**
 * The things that people can choose in a picker. Each kind finds entries by a text, and names those that are chosen.
 * Objects are found by the search, which forgives typing errors; short lists are loaded as a whole.
 */
import type { Client } from '@kontor/sdk'
import type { Facet, Infer, SearchItem } from '@kontor/contract'
import { type AttributeGroup, inGroups, toGroup } from './attribute-groups.ts'
import { fact, nameIn } from './items.ts'
import { assetsOf } from './links.ts'
import { emptyWhenNotFound } from './not-found.ts'
import { type Definition, namesOfPath, toNodeTree } from './model.ts'

export interface PickerEntry {
  /** The tid, path or name in the interface. */
  readonly value: string
  readonly label: string
  /** Distinguishes it from others of the same name. */
  readonly detail?: string
  /** The heading under which it is listed. */
  readonly group?: string
  /** The asset whose picture is shown. */
  readonly picture?: string
}
type Entries = Promise<readonly PickerEntry[]>

interface Source {
  /** Entries that match a text, the best first; without a text, the newest. */
  find(client: Client, text: string, locale: string): Entries
  /** The chosen entries; those that do not exist any more may be left out. */
  named(client: Client, values: readonly string[], locale: string): Entries
}

const count = 20

/** Whether an entry contains every word of the text. */
export function matches({ value, label, detail = '' }: PickerEntry, text: string): boolean {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return words.every((word) => `${label} ${value} ${detail}`.toLocaleLowerCase().includes(word))
}

/** A list that is loaded as a whole and filtered here. */
const listed = (load: (client: Client, locale: string) => Entries): Source => ({
  async find(client, text, locale) {
    return (await load(client, locale)).filter((entry) => matches(entry, text)).slice(0, 200)
  },
  async named(client, values, locale) {
    return (await load(client, locale)).filter(({ value }) => values.includes(value))
  },
})

/** The index of products also has their articles and variations. */
const itemTypes = { PRODUCT: 'product', ASSET: 'asset', CHANNEL: 'channel' } as const
type Index = keyof typeof itemTypes
type Hit = Infer<typeof SearchItem>
const textOf = ({ attributes = [] }: Hit, name: string) => {
  const value = attributes.find((attribute) => attribute.name === name)?.value
  return typeof value === 'string' ? value : ''
}

/** A field of the objects whose words begin with those of the text, or nearly. */
async function search({ search }: Client, index: Index, field: string, text: string, language: string) {
  const itemType = itemTypes[index]
  const ofType = {
    queryType: 'FIELD' as const,
    name: 'itemType',
    comparator: 'EQ' as const,
    value: itemType,
    keyword: true,
  }
  const ask = (value: string) => {
    const query = value
      ? {
          queryType: 'COMBINED' as const,
          operator: 'AND' as const,
          queries: [{ queryType: 'FULLTEXT' as const, value }, ofType],
        }
      : ofType
    const newest = { sortOptions: [{ attribute: 'modificationDate', direction: 'DESC' as const }] }
    const context = { searchType: 'INDEX' as const, index }
    return search.search({
      body: { context, query, ...(!value && newest), resultAttributes: [field], language, pageSize: count },
    })
  }
  const begun = await ask(text && `${text}*`)
  const { items = [] } = Number(begun.totalHitCount ?? 0) > 0 || !text ? begun : await ask(text)
  return items.map((hit) => textOf(hit, field)).filter(Boolean)
}

/** Objects that are found by the search. */
const found = (
  index: Index,
  load: (client: Client, tids: readonly string[]) => Promise<readonly PickerEntry[]>,
): Source => {
  const named = async (client: Client, tids: readonly string[]) => {
    if (tids.length === 0) return []
    const entries = await load(client, tids).catch(emptyWhenNotFound<readonly PickerEntry[]>([]))
    return tids.flatMap((tid) => entries.find(({ value }) => value === tid) ?? [])
  }
  return {
    find: async (client, text, locale) => named(client, await search(client, index, 'tid', text, locale)),
    named,
  }
}

/**
 * Places in a tree that is loaded branch by branch. A word finds places that files use at any depth; a path lists what is
 * below it, also what no file uses yet.
 */
const branches = (
  field: 'directoryPath' | 'keywords',
  below: (client: Client, path: string) => Promise<readonly string[]>,
): Source => ({
  async find(client, text) {
    const belowOf = (path: string) => below(client, path).catch(emptyWhenNotFound<readonly string[]>([]))
    const typed = text === '' || text.startsWith('/') ? text : `/${text}`
    const parent = typed.slice(0, Math.max(0, typed.lastIndexOf('/')))
    const [places, used] = await Promise.all([belowOf(parent), text.startsWith('/') ? [] : usedPaths(client, field)])
    const inside = typed !== '' && places.includes(typed) ? await belowOf(typed) : []
    const begun = [...(parent ? [parent] : []), ...places, ...inside].filter(
      (path) => path.toLocaleLowerCase().startsWith(typed.toLocaleLowerCase()) || path === parent,
    )
    const containing = used.map(asEntry).filter((entry) => matches(entry, text))
    return [...begun.map(asEntry), ...containing]
      .filter(({ value }, i, all) => all.findIndex((one) => one.value === value) === i)
      .toSorted((a, b) => a.value.localeCompare(b.value))
      .slice(0, 200)
  },
  named: async (_client, paths) => paths.map(asEntry),
})

/** The paths that files have, from the index. */
async function usedPaths({ search }: Client, field: string): Promise<readonly string[]> {
  const context = { searchType: 'INDEX' as const, index: 'ASSET' as const }
  const body = { context, pageSize: 0, aggregationEnabled: true, aggregationMaxResults: 1000, aggregationAttributes: [field] } // prettier-ignore
  const { facets = [] } = await search.search({ body })
  return facets.flatMap((group) => pathsOf(group.facets ?? []))
}
const pathsOf = (facets: readonly Infer<typeof Facet>[]): readonly string[] =>
  facets.flatMap(({ value, children = [] }) => [...(typeof value === 'string' ? [value] : []), ...pathsOf(children)])
const asEntry = (path: string): PickerEntry => ({ value: path, label: path })

const productAttributes = ({ pim }: Client) =>
  pim['attribute-definitions'].retrieve({ all: true }).catch(emptyWhenNotFound<Definition[]>([]))
const attributeEntry =
  (locale: string) =>
  ({ tid, name }: Definition): PickerEntry => ({ value: tid, label: nameIn(name, locale) || tid, detail: tid })

/** Users who may not read groups see attributes without headings. */
const attributeGroups = async ({ pim }: Client, locale: string): Promise<readonly AttributeGroup[]> =>
  (await pim['attribute-groups'].retrieve({}).catch(() => [])).map((one) => toGroup(one, locale))

/** Attributes under the headings of their groups. */
const groupedAttributes = async (client: Client, locale: string, definitions: readonly Definition[]) => {
  const entries = definitions.map((one) => ({ ...attributeEntry(locale)(one), key: one.tid }))
  const { grouped, others } = inGroups(await attributeGroups(client, locale), entries)
  return [...grouped.flatMap(([{ label: group }, members]) => members.map((one) => ({ ...one, group }))), ...others]
}

export const pickerSources = {
  product: found('PRODUCT', async ({ pim }, tids) =>
    (await pim.products.retrieve({ tids: [...tids] })).map((product) => {
      const { tid = '', name = tid } = product
      const [picture] = assetsOf(product)
      return { value: tid, label: name, detail: tid, ...(picture && { picture }) }
    }),
  ),
  file: found('ASSET', async ({ dam }, tids) =>
    (await dam.assets.retrieve({ tids: [...tids] })).map(({ tid = '', name = tid, path }) => ({
      value: tid,
      label: name,
      ...(path && { detail: path }),
      picture: tid,
    })),
  ),
  project: found('CHANNEL', async ({ cm }, tids) =>
    (await cm.channels.retrieve({ tids: [...tids] })).map(({ tid = '', name = tid }) => ({
      value: tid,
      label: name,
      detail: tid,
    })),
  ),
  peo: listed(async ({ peo }) =>
    (await peo.peos.retrieve({})).map(({ tid = '', name = tid }) => ({ value: tid, label: name, detail: tid })),
  ),
  channelPath: {
    find: async (client, text, locale) => (await search(client, 'CHANNEL', 'channelPath', text, locale)).map(asEntry),
    named: async (_client, paths) => paths.map(asEntry),
  },
  glossary: listed(async ({ common }) =>
    (await common.glossaries.retrieve({})).map(({ tid = '', name = tid }) => ({ value: tid, label: name })),
  ),
  category: listed(async ({ pim }, locale) => {
    const { nodes = [] } = await pim.classificationTree()
    const tree = toNodeTree(nodes, locale, () => '')
    return nodes.map(({ path = '' }) => ({ value: path, label: namesOfPath(tree, path, locale).join(' › ') }))
  }),
  folder: branches('directoryPath', async ({ dam }, path) => {
    if (path === '') return ((await dam.retrieveRncs()).rncs?.rnc ?? []).map(({ tid = '' }) => `/${tid}`)
    const isStorage = path.lastIndexOf('/') === 0
    const dirs = await dam.dirs.retrieve(isStorage ? { rncTid: path.slice(1), level: 1 } : { dirPath: path, level: 1 })
    return dirs.map((dir) => fact(dir, 'path') ?? `${path}/${dir.name}`)
  }),
  keyword: branches('keywords', async ({ common }, path) =>
    (await common.keywords.retrieve({ path: path || '/', level: 1 })).map((keyword) => keyword.path ?? ''),
  ),
  locale: listed(async ({ common }) =>
    (await common.locales.retrieve({ mode: 'CONTENT' })).map(({ tid = '', name }) => ({
      value: tid,
      label: name ?? tid,
    })),
  ),
  role: listed(async ({ identity }) => {
    // only administrators may list all roles; others choose among their own
    const { roles: own = [] } = await identity.me()
    const { roles = [] } = own.includes('admin') ? await identity.listRoles() : { roles: own.map((name) => ({ name })) }
    return roles.map(({ name = '', ...role }) => ({
      value: name,
      label: name,
      ...('description' in role && role.description && { detail: role.description }),
    }))
  }),
  attribute: listed(async (client, locale) => groupedAttributes(client, locale, await productAttributes(client))),
  attributeGroup: listed(async (client, locale) =>
    (await attributeGroups(client, locale)).map(({ tid, label }) => ({ value: tid, label, detail: tid })),
  ),
  /** A group stands for its attributes. */
  exportColumn: listed(async (client, locale) => {
    const groups = (await attributeGroups(client, locale)).map(({ tid, label }) => ({ value: `group:${tid}`, label, group: label })) // prettier-ignore
    const attributes = await groupedAttributes(client, locale, await productAttributes(client))
    return [...groups, ...attributes]
  }),
  /** Of products, files and channels. */
  anyAttribute: listed(async (client, locale) => {
    const { cm, dam } = client
    const ofFiles = await dam['attribute-definitions']
      .retrieve({ all: true })
      .catch(emptyWhenNotFound<Definition[]>([]))
    const types = (await cm.listChannelTypes()).projectDefs?.projectDef ?? []
    const ofChannels = types.flatMap(({ attrDefs }) => attrDefs?.attrDef ?? [])
    const all = [...(await productAttributes(client)), ...ofFiles, ...ofChannels]
    return groupedAttributes(client, locale, [...new Map(all.map((one) => [one.tid, one])).values()])
  }),
  user: {
    find: async ({ identity }, search) => {
      const { users = [] } = await identity.listUsers({ query: { count: String(count), ...(search && { search }) } })
      return users.map(({ name = '', displayName }) => ({
        value: name,
        label: name,
        ...(displayName && { detail: displayName }),
      }))
    },
    named: async (_client, names) => names.map((name) => ({ value: name, label: name })),
  },
  unit: listed(async ({ common }, locale) =>
    ((await common.listUnits()).units ?? []).map(({ code = '', name }) => ({
      value: code,
      label: code,
      detail: nameIn(name, locale),
    })),
  ),
} satisfies Record<string, Source>

export type PickerKind = keyof typeof pickerSources
