/**
 * Slots: the places of an object that operations change. A slot is a value in a locale, the category of a product, or a link
 * to another object. Its content is a list of texts, so that operations, previews and undo treat all slots alike:
 *
 *   value      the texts; domain values by key
 *   category   its path
 *   link       the other object if the link exists, else nothing
 */
import type { Infer, Items, Links, Val, Vals } from '@kontor/contract'
import type { Kind } from './needs.ts'

type LinkedType = 'project' | 'asset' | 'product' | 'keyword'

export interface Slot {
  readonly attribute?: string
  readonly locale?: string
  /** For the category `node`, for a link the kind of the other object. */
  readonly dataType?: LinkedType | 'node'
  readonly linkType?: string
  /** The other object of a link. */
  readonly to?: string
}
export type Texts = readonly string[]
/** `before` is the content that is read, `after` the content that is wanted or was stored. */
export interface SlotChange extends Slot {
  readonly before: Texts
  readonly after: Texts
}

export const keyOf = ({ attribute, locale, dataType, linkType, to }: Slot) =>
  JSON.stringify([attribute, locale, dataType, linkType, to])

export const isSame = (a: Texts, b: Texts) => a.length === b.length && a.every((text, i) => text === b[i])

export interface ObjectMessage {
  readonly tid?: string
  readonly name?: string
  readonly node?: string
  readonly vals?: Infer<typeof Vals>
  readonly links?: Infer<typeof Links>
}
type Group = Infer<typeof Items>
type Value = Infer<typeof Val>

interface LinkKeys {
  readonly kind: string
  readonly own: string
  readonly other: string
}
/** The kind of link between two kinds of objects, and the keys that name both ends. */
// prettier-ignore
export const linkKeys: Readonly<Record<Kind, Partial<Record<LinkedType, LinkKeys>>>> = {
  product: {
    project: { kind: 'productToProject', own: 'productTid', other: 'projectTid' },
    asset:   { kind: 'assetToProduct', own: 'productTid', other: 'assetTid' },
    product: { kind: 'productToProduct', own: 'sourceProductTid', other: 'targetProductTid' },
  },
  asset: {
    project: { kind: 'assetToProject', own: 'assetTid', other: 'projectTid' },
    product: { kind: 'assetToProduct', own: 'assetTid', other: 'productTid' },
    keyword: { kind: 'keywordToAsset', own: 'assetTid', other: 'keywordPath' },
  },
}

/** The content of a slot of an object. Inherited values do not count: the object has none of its own then. */
export function read(kind: Kind, object: ObjectMessage, slot: Slot): Texts {
  if (slot.dataType === 'node') return object.node === undefined ? [] : [object.node]
  if (slot.dataType === undefined) return textsOf(object.vals?.val ?? [], slot)
  return linkedTo(kind, object.links?.itms ?? [], slot).filter((to) => to === slot.to)
}

/** The content of a value as people read it: domain values by their label. */
export const readLabels = (object: ObjectMessage, slot: Slot): Texts => textsOf(object.vals?.val ?? [], slot, 'label')

function textsOf(vals: readonly Value[], { attribute, locale }: Slot, as: 'key' | 'label' = 'key'): Texts {
  const val = vals.find(({ attr, parent, inheritance }) => attr === attribute && !parent && inheritance !== 'inherited')
  if (!val) return []
  const group = val.i18N?.find(({ loc }) => loc === locale)?.itm
  const items = group ?? (val.itm ?? []).filter(({ loc }) => loc === locale)
  return items.map(({ key, value }) => (as === 'key' ? (key ?? value) : (value ?? key)) ?? '').filter(Boolean)
}

function linkedTo(kind: Kind, groups: readonly Group[], { dataType, linkType = '' }: Slot): Texts {
  if (dataType === 'keyword') return valuesOf(groups.find(({ type }) => type === 'kwds'))
  const keys = linkKeys[kind][dataType as LinkedType]
  const ofKind = groups.find(({ type }) => type === keys?.kind)?.itms ?? []
  return ofKind.filter(({ type = '' }) => type === linkType).flatMap(valuesOf)
}
const valuesOf = (group: Group | undefined): string[] => (group?.itm ?? []).flatMap(({ value }) => value ?? [])

/** The messages that store the wanted contents. */
export interface Messages {
  /** For persist of the object; undefined if only links change. */
  readonly item?: object
  readonly links: readonly Group[]
  readonly unlinks: readonly object[]
}

export function toMessages(kind: Kind, tid: string, changes: readonly SlotChange[]): Messages {
  const node = changes.find(({ dataType }) => dataType === 'node')?.after[0]
  const values = Map.groupBy(
    changes.filter((change) => change.attribute !== undefined),
    ({ attribute }) => attribute!,
  )
  const val = [...values].map(([attribute, slots]) => toVal(attribute, slots))
  const links = changes.filter(({ dataType }) => dataType !== undefined && dataType !== 'node')
  const fields = { ...(node !== undefined && { node }), ...(val.length > 0 && { vals: { val } }) }
  return {
    ...(Object.keys(fields).length > 0 && { item: { tid, ...fields } }),
    links: links.filter(({ after }) => after.length > 0).map((link) => toLink(kind, tid, link)),
    unlinks: links.filter(({ after }) => after.length === 0).map((link) => toUnlink(kind, tid, link)),
  }
}

/** A locale, or a value, without items is removed. */
function toVal(attr: string, slots: readonly SlotChange[]): Value {
  const items = ({ after }: SlotChange) =>
    after.length > 0 ? { itm: after.map((value, pos) => ({ value, pos })) } : {}
  const [first] = slots
  if (first?.locale === undefined) return { attr, ...items(first!) }
  return { attr, i18N: slots.map((slot) => ({ loc: slot.locale!, ...items(slot) })) }
}

const endsOf = ({ own, other }: LinkKeys, tid: string, to: string) => ({
  itm: [
    { key: own, value: tid },
    { key: other, value: to },
  ],
})

function toLink(kind: Kind, tid: string, { dataType, linkType, to }: SlotChange): Group {
  const keys = linkKeys[kind][dataType as LinkedType]!
  return { type: keys.kind, itms: [{ ...(linkType && { type: linkType }), ...endsOf(keys, tid, to!) }] }
}

function toUnlink(kind: Kind, tid: string, { dataType, linkType = '', to }: SlotChange): object {
  const keys = linkKeys[kind][dataType as LinkedType]!
  const { itm } = endsOf(keys, tid, to!)
  return {
    type: 'unlink',
    dataType: `${keys.kind}Link`,
    meta: { itm: [...itm, { key: 'linkType', value: linkType }] },
  }
}
