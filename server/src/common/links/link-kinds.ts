/** The kinds of links: the data types at both ends, and the keys that name them in messages. */
import type { EventKind, Infer, Item, Long } from '@kontor/contract'
import { cleanPath } from '../../core/batch/names.ts'
import { toId } from '../meta.ts'

/** One end of a kind of link: its data type and the beginning of its keys (`assetTid`, `assetId`). */
export interface End {
  readonly dataType: EventKind
  readonly keys: readonly string[]
  /** The key besides the id. A keyword has no tid; its path takes the place (`keywordPath`). */
  readonly by?: 'Tid' | 'Path'
}

const asset: End = { dataType: 'asset', keys: ['asset'] }
const product: End = { dataType: 'product', keys: ['product'] }
const project: End = { dataType: 'project', keys: ['project'] }
const peo: End = { dataType: 'peo', keys: ['peo'] }
const keyword: End = { dataType: 'keyword', keys: ['keyword'], by: 'Path' }
const source: End = { dataType: 'product', keys: ['sourceProduct', 'product'] }
const target: End = { dataType: 'product', keys: ['targetProduct', 'linkedProduct'] }

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

/** How one end of a link is named. The tid of a keyword is its path. */
export type Name = { readonly id: Long } | { readonly tid: string }
export const nameKey = (name: Name) => ('id' in name ? `id ${name.id}` : `tid ${name.tid}`)

/** The items that name objects at the end, with their meaning. Throws a Problem for an item without meaning. */
export function namesOf(items: readonly Infer<typeof Item>[], { keys, by = 'Tid' }: End) {
  return items.flatMap(({ key = '', value = '', pos: sent }) => {
    const pos = sent === undefined ? {} : { pos: Number(sent) }
    const named = (suffix: string) => keys.some((word) => key === word + suffix)
    if (named('Id')) return [{ key, value, name: { id: toId(key, value) } as Name, ...pos }]
    if (!named(by)) return []
    const tid = by === 'Path' ? cleanPath(value) : value.normalize('NFC').trim()
    return [{ key, value, name: { tid } as Name, ...pos }]
  })
}

/** The keys that name an end, for error messages. */
export const keysOf = ({ keys: [word], by = 'Tid' }: End) => `${word}${by} or ${word}Id`
