/** The kinds of links: the data types at both ends, and the keys that name them in messages. */
import { type EventKind, type Infer, type Item, type Long, productTypes } from '@kontor/contract'
import { cleanPath } from '../../core/batch/names.ts'
import { toId } from '../meta.ts'

/** One end of a kind of link: its data type and the beginning of its keys (`assetTid`, `assetId`). */
export interface End {
  readonly dataType: EventKind
  readonly keys: readonly string[]
  /** The key besides the id. A keyword has no tid; its path takes the place (`keywordPath`). */
  readonly by?: 'Tid' | 'Path'
  /** The beginnings of the keys that name an article or a variation by its tid. */
  readonly below?: readonly [article: string, variation: string]
}

const asset: End = { dataType: 'asset', keys: ['asset'] }
const product: End = { dataType: 'product', keys: ['product'] }
const project: End = { dataType: 'project', keys: ['project'] }
const peo: End = { dataType: 'peo', keys: ['peo'] }
const keyword: End = { dataType: 'keyword', keys: ['keyword'], by: 'Path' }
const source: End = {
  dataType: 'product',
  keys: ['sourceProduct', 'product'],
  below: ['sourceArticle', 'sourceVariant'],
}
const target: End = {
  dataType: 'product',
  keys: ['targetProduct', 'linkedProduct'],
  below: ['targetArticle', 'targetVariant'],
}

interface LinkKind {
  readonly from: End
  readonly to: End
  /**
   * The end that the link describes: making the link needs the right to link there; the other end must only be
   * readable.
   */
  readonly describes: 'from' | 'to'
  /** The ends that the link protects from deletion. */
  readonly keeps: readonly ('from' | 'to')[]
}

// prettier-ignore
export const linkKinds: ReadonlyMap<string, LinkKind> = new Map<string, LinkKind>([
  ['assetToProduct',   { from: asset,   to: product, describes: 'to',   keeps: ['from'] }],
  ['assetToProject',   { from: asset,   to: project, describes: 'to',   keeps: ['from', 'to'] }],
  ['productToProduct', { from: source,  to: target,  describes: 'from', keeps: ['to'] }],
  ['productToProject', { from: product, to: project, describes: 'to',   keeps: ['from', 'to'] }],
  ['peoToProject',     { from: peo,     to: project, describes: 'to',   keeps: ['to'] }],
  ['keywordToAsset',   { from: keyword, to: asset,   describes: 'to',   keeps: ['from'] }],
])

/** How one end of a link is named. The tid of a keyword is its path; tids of products are unique per level. */
export type Name = { readonly id: Long } | { readonly tid: string; readonly level?: number }
export const nameKey = (name: Name) =>
  'id' in name ? `id ${name.id}` : `tid ${name.tid}${name.level ? ` of ${productTypes[name.level]}s` : ''}`

/** The items that name objects at the end, with their meaning. Throws a Problem for an item without meaning. */
export function namesOf(items: readonly Infer<typeof Item>[], { keys, by = 'Tid', below }: End) {
  return items.flatMap(({ key = '', value = '', pos: sent }) => {
    const pos = sent === undefined ? {} : { pos: Number(sent) }
    const named = (suffix: string) => keys.some((word) => key === word + suffix)
    if (named('Id')) return [{ key, value, name: { id: toId(key, value) } as Name, ...pos }]
    const level = (below?.findIndex((word) => key === `${word}Tid`) ?? -1) + 1
    if (level > 0) return [{ key, value, name: { tid: value.normalize('NFC').trim(), level } as Name, ...pos }]
    if (!named(by)) return []
    const tid = by === 'Path' ? cleanPath(value) : value.normalize('NFC').trim()
    return [{ key, value, name: { tid } as Name, ...pos }]
  })
}

/** The key that names an object at the end in messages. */
export const keyOf = ({ keys, by = 'Tid', below }: End, level = 0) =>
  level > 0 && below ? `${below[level - 1]}Tid` : `${keys[0]}${by}`

/** The keys that name an end, for error messages. */
export const keysOf = ({ keys: [word], by = 'Tid' }: End) => `${word}${by} or ${word}Id`
