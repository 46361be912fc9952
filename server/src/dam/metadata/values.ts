/**
 * The values that are written into the file of an asset: those that the caller may read, keywords and usage rights.
 *
 *   an attribute with a value            its tags get this value
 *   a value as it was imported           the tag that it was read from stays: it may have more digits, texts or languages
 *   a value that somebody has removed    its tags are removed: the file was imported with it, the asset has it no more
 *   an attribute that is hidden          its tags stay as they are in the file
 *   all other tags of the file           stay
 */
import { isDeepStrictEqual } from 'node:util'
import { because, usageTags } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { findLocales } from '../../common/api.ts'
import { allowsAt, type Permissions, pathsFor, type Rights, rightsAt } from '../../core/access/permissions.ts'
import { Problem } from '../../errors.ts'
import type { DefinitionRow, StoredValues, ValMessage } from '../../values/api.ts'
import { findDefinitions } from '../attribute-definitions/attribute-definitions.sql.ts'
import { loadRules, ownersOf } from '../attribute-definitions/rules.ts'
import { createMapper, sourceOf } from '../assets/previews/mapping.ts'
import type { UsageRow } from '../usage/usage.sql.ts'
import { beginOf } from '../usage/usage.ts'
import { defaultLocale, type Edits, tagsByName, type Text } from './edits.ts'
import * as rows from './metadata.sql.ts'
import { writeTags } from './tags.ts'

/** The rights of the reader. Public addresses have all rights, because their makers may read all that is written. */
export interface Reader {
  readonly permissions: Permissions
}
export const everything: Reader = { permissions: [{ kind: '*', actions: ['*'] }] }

export interface Described {
  readonly id: number
  readonly sha256: string
  readonly type: string
  readonly dirPath: string
  readonly vals: StoredValues
  readonly usage: UsageRow | null
}

/** A tag with the value that it gets and where this comes from. */
interface TagEdit {
  readonly tag: string
  readonly attribute?: string
  readonly usage?: keyof typeof usageTags
  readonly texts: readonly Text[]
}
/** The edits of an asset, and the tags that its own file has as they were imported. */
interface AssetEdits {
  readonly all: readonly TagEdit[]
  readonly inFile: ReadonlySet<string>
}

/** Loads the edits of these assets in a few statements. */
export async function loadEdits(
  db: Db,
  { permissions }: Reader,
  assets: readonly Described[],
): Promise<(asset: Described) => AssetEdits> {
  const ids = assets.map(({ id }) => id)
  const [definitions, rules, locales] = [await findDefinitions(db), await loadRules(db), await findLocales.CONTENT(db)]
  const embeddedById = new Map((await rows.findEmbedded(db, ids)).map(({ id, embedded }) => [id, embedded]))
  const keywords = Map.groupBy(
    (await rows.findKeywordNames(db, ids)).filter(({ path }) => allowsAt(permissions, 'read', 'keyword', path)),
    ({ assetId }) => assetId,
  )
  const map = createMapper(definitions, rules, locales.map(({ tid }) => tid)) // prettier-ignore
  return (asset) => {
    const rights = rightsAt(permissions, 'asset', [asset.dirPath])
    const visible = new Map(rules.view(asset.vals, rights)?.val.map((val) => [keyOf(val), val]))
    const embedded = embeddedById.get(asset.id) ?? {}
    const imported = map(asset.type, {}, embedded)
    const unchanged = new Set<TagEdit>()
    const own = definitions.flatMap((row) => {
      if (ownersOf(row)?.includes(asset.type) === false || !rights.attribute(row.tid).visible) return []
      const val = visible.get(row.tid)
      const isRemoved = !(row.tid in asset.vals) && row.tid in imported
      if (!val && !isRemoved) return []
      const isImported = isDeepStrictEqual(asset.vals[row.tid], imported[row.tid])
      const source = isImported ? sourceOf(row, embedded) : undefined
      const texts = source?.date === undefined ? textsOf(val) : [{ value: source.date }]
      return writeTags(row).map((tag): TagEdit => {
        const edit = { tag, attribute: row.tid, texts }
        if (tag === source?.tag) unchanged.add(edit)
        return edit
      })
    })
    const all = [...(asset.usage ? usageEdits(asset.usage) : []), ...own, ...keywordEdits(keywords.get(asset.id) ?? [])]
    const changed = new Set(all.filter((edit) => !unchanged.has(edit)).map(({ tag }) => tag))
    return { all, inFile: new Set(all.map(({ tag }) => tag).filter((tag) => !changed.has(tag))) }
  }
}

const keyOf = ({ attr = '', parent }: ValMessage) => (parent === undefined ? attr : `${parent}/${attr}`)

const textsOf = ({ itm = [], i18N = [] }: ValMessage = {}): Text[] =>
  [...itm, ...i18N.flatMap(({ loc, itm: inner = [] }) => inner.map((one) => ({ ...one, loc })))].flatMap(
    ({ value, loc }) =>
      value === undefined || value.trim() === '' ? [] : [{ value, ...(loc !== undefined && { loc }) }],
  )

function edit(usage: keyof typeof usageTags, ...values: readonly (string | null)[]): TagEdit[] {
  const texts = values.flatMap((value) => (value === null ? [] : [{ value }]))
  return texts.length === 0 ? [] : usageTags[usage].split(', ').map((tag) => ({ tag, usage, texts }))
}

function usageEdits(usage: UsageRow): TagEdit[] {
  const begin = beginOf(usage)
  const isUrl = /^https?:\/\/\S+$/.test(usage.licence ?? '')
  return [
    ...edit('creditLine', usage.creditLine),
    ...edit('holder', usage.holder),
    ...edit(isUrl ? 'licenceUrl' : 'licence', usage.licence),
    ...edit('media', usage.media.join(', ') || null),
    ...edit('territories', usage.territories.join(', ') || null),
    ...edit('validFrom', Number.isFinite(begin) ? new Date(begin).toISOString() : null),
    ...edit('validUntil', usage.validUntil),
  ]
}

function keywordEdits(keywords: readonly { path: string; names: Readonly<Record<string, string>> }[]): TagEdit[] {
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  return [
    ...edit('keywords', ...keywords.map(({ path, names }) => names[defaultLocale] ?? names[''] ?? nameOf(path))),
    ...edit('keywordPaths', ...keywords.map(({ path }) => path.replace(/^\//, '').replaceAll('/', '|'))),
  ]
}

const isList = (tag: string) => {
  const target = tagsByName.get(tag)?.target
  return target?.block === 'xmp' ? /bag|seq/.test(target.shape) : target?.block === 'iptc' ? target.is === 'list' : tag === 'exif:XPKeywords' // prettier-ignore
}

/** For one of the files of an asset. Lists are joined; of other tags, the first edit with a value counts. */
export function toEdits({ all, inFile }: AssetEdits, isOriginal: boolean): Edits {
  const edits = new Map<string, readonly Text[]>()
  for (const { tag, texts } of all) {
    if (isOriginal && inFile.has(tag)) continue
    const before = edits.get(tag) ?? []
    if (isList(tag) || before.length === 0) edits.set(tag, [...before, ...texts])
  }
  return edits
}

/**
 * Throws unless the caller may read all attributes and keywords that are written: a public address has no reader whose
 * rights could be asked.
 */
export async function demandWritable(db: Db, { permissions }: Reader, assets: readonly Described[]): Promise<void> {
  const [definitions, locales] = [await findDefinitions(db), await findLocales.CONTENT(db)]
  const written = definitions.filter((row) => writeTags(row).length > 0)
  const isRead = (rights: Rights, { tid, localized }: DefinitionRow) =>
    rights.attribute(tid).visible && (!localized || locales.every((one) => rights.attribute(tid, one.tid).visible))
  for (const { dirPath } of assets) {
    const rights = rightsAt(permissions, 'asset', [dirPath])
    const hidden = written.find((row) => !isRead(rights, row))
    if (hidden) throw new Problem('forbidden', because('metadataHidden', { attribute: hidden.tid }))
  }
  if (pathsFor(permissions, 'read', 'keyword') !== 'all')
    throw new Problem('forbidden', because('metadataHidden', { attribute: 'keywords' }))
}
