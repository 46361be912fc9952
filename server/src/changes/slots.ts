/**
 * Slots: the places of an object that operations change. A slot is a value in a locale, a part of the usage rights, the name,
 * the category or folder, or a link to another object. Its content is a list of texts, so that operations, previews and undo
 * treat all slots alike:
 *
 *   value, usage right   the texts; domain values by key
 *   name                 the name of a file
 *   category, folder     its path
 *   link                 the other object if the link exists, else nothing
 *   keywords             without `to`: the paths of all keywords
 */
import { type Infer, type Items, type Links, type Meta, type UsageRights, usageRightFields, type Val, type Vals } from '@kontor/contract' // prettier-ignore
import { parentPathOf } from '../core/batch/names.ts'
import type { Kind } from './needs.ts'

type LinkedType = 'project' | 'asset' | 'product' | 'keyword'

export interface Slot {
  readonly attribute?: string
  readonly locale?: string
  readonly usageRight?: UsageRight
  /** For the category `node`, for a link the kind of the other object. */
  readonly dataType?: LinkedType | 'node' | 'folder' | 'name'
  readonly linkType?: string
  /** The other object of a link. */
  readonly to?: string
  /** The object that has the link, if it is not the changed one: the file that replaces another. */
  readonly of?: string
  /** The place of a new link among the links of its objects. */
  readonly pos?: number
}
type UsageRight = (typeof usageRightFields)[number]
export type Texts = readonly string[]
/** `before` is the content that is read, `after` the content that is wanted or was stored. */
export interface SlotChange extends Slot {
  readonly before: Texts
  readonly after: Texts
}

export const keyOf = ({ attribute, locale, usageRight, dataType, linkType, to, of }: Slot) =>
  JSON.stringify([attribute, locale, usageRight, dataType, linkType, to, of])

export const isSame = (a: Texts, b: Texts) => a.length === b.length && a.every((text, i) => text === b[i])

export interface ObjectMessage {
  readonly tid?: string
  readonly name?: string
  readonly node?: string
  /** Of an asset, with its name. */
  readonly path?: string
  readonly meta?: Infer<typeof Meta>
  readonly usageRights?: Infer<typeof UsageRights>
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
  if (slot.usageRight) return [object.usageRights?.[slot.usageRight] ?? []].flat()
  if (slot.dataType === undefined) return textsOf(object.vals?.val ?? [], slot)
  const field = fields[slot.dataType]
  if (field) return [field(object) ?? []].flat()
  const linked = linkedTo(kind, object.links?.itms ?? [], slot)
  return slot.to === undefined ? linked : linked.filter((to) => to === slot.to)
}

const fields: Readonly<Record<string, (object: ObjectMessage) => string | undefined>> = {
  node: ({ node }) => node,
  name: ({ name }) => name,
  folder: ({ path }) => path && parentPathOf(path),
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
/** The products that an asset is linked to, in any role. */
export const linkedProducts = ({ links }: ObjectMessage): string[] => {
  const groups = links?.itms?.find(({ type }) => type === linkKeys.asset.product!.kind)?.itms ?? []
  return [...new Set(groups.flatMap(valuesOf))]
}

/** The links of an asset to products and channels. */
export function placesOf({ links }: ObjectMessage): Slot[] {
  return (['product', 'project'] as const).flatMap((dataType) => {
    const groups = links?.itms?.find(({ type }) => type === linkKeys.asset[dataType]!.kind)?.itms ?? []
    return groups.flatMap(({ type, itm = [] }) =>
      itm.map(({ value = '', pos }) => ({
        dataType,
        ...(type && { linkType: type }),
        to: value,
        ...(pos !== undefined && { pos: Number(pos) }),
      })),
    )
  })
}

const valuesOf = (group: Group | undefined): string[] => (group?.itm ?? []).flatMap(({ value }) => value ?? [])

/** The messages that store the wanted contents. */
export interface Messages {
  /** For persist of the object; undefined if only links or the folder change. */
  readonly item?: object
  /** The name in `item`, if it changes. */
  readonly name?: string
  readonly links: readonly Group[]
  readonly unlinks: readonly object[]
  readonly actions: readonly object[]
}

export function toMessages(kind: Kind, tid: string, object: ObjectMessage, changes: readonly SlotChange[]): Messages {
  const wanted = (type: Slot['dataType']) => changes.find(({ dataType }) => dataType === type)?.after[0]
  const [node, name, folder] = [wanted('node'), wanted('name'), wanted('folder')]
  const values = Map.groupBy(
    changes.filter((change) => change.attribute !== undefined),
    ({ attribute }) => attribute!,
  )
  const val = [...values].map(([attribute, slots]) => toVal(attribute, slots))
  const usage = changes.filter(({ usageRight }) => usageRight)
  const links = changes.filter(({ dataType }) => dataType !== undefined && !fields[dataType]).flatMap(singleLinks)
  const sent = {
    ...(node !== undefined && { node }),
    ...(name !== undefined && { name }),
    ...(val.length > 0 && { vals: { val } }),
    ...(usage.length > 0 && { usageRights: toUsage(object, usage) }),
  }
  return {
    ...(Object.keys(sent).length > 0 && { item: { tid, ...sent } }),
    ...(name !== undefined && { name }),
    links: links.filter(({ after }) => after.length > 0).map((link) => toLink(kind, link.of ?? tid, link)),
    unlinks: links.filter(({ after }) => after.length === 0).map((link) => toUnlink(kind, link.of ?? tid, link)),
    actions: folder === undefined ? [] : [toMove(tid, folder)],
  }
}

/** Sent usage rights replace the stored ones as a whole. */
function toUsage({ usageRights = {} }: ObjectMessage, changes: readonly SlotChange[]): object {
  const wanted = new Map<string, string | Texts | undefined>(
    usageRightFields.map((field) => [field, usageRights[field]]),
  )
  for (const { usageRight, after } of changes) wanted.set(usageRight!, isUsageList(usageRight!) ? after : after[0])
  return Object.fromEntries([...wanted].filter(([, value]) => value !== undefined))
}
const usageLists: ReadonlySet<UsageRight> = new Set(['releases', 'territories', 'channels', 'media'])
export const isUsageList = (field: UsageRight) => usageLists.has(field)

/** All keywords at once as one change for each that comes or goes. */
function singleLinks(change: SlotChange): SlotChange[] {
  if (change.to !== undefined) return [change]
  const { before, after } = change
  const single = (to: string, isNew: boolean) => ({
    ...change,
    to,
    before: isNew ? [] : [to],
    after: isNew ? [to] : [],
  })
  return [
    ...before.filter((to) => !after.includes(to)).map((to) => single(to, false)),
    ...after.filter((to) => !before.includes(to)).map((to) => single(to, true)),
  ]
}

const toMove = (tid: string, folder: string) => ({
  type: 'move',
  dataType: 'asset',
  tid,
  meta: { itm: [{ key: 'destinationDirPath', value: folder }] },
})

/** A locale, or a value, without items is removed. */
function toVal(attr: string, slots: readonly SlotChange[]): Value {
  const items = ({ after }: SlotChange) =>
    after.length > 0 ? { itm: after.map((value, pos) => ({ value, pos })) } : {}
  const [first] = slots
  if (first?.locale === undefined) return { attr, ...items(first!) }
  return { attr, i18N: slots.map((slot) => ({ loc: slot.locale!, ...items(slot) })) }
}

const endsOf = ({ own, other }: LinkKeys, tid: string, to: string, pos?: number) => ({
  itm: [
    { key: own, value: tid, ...(pos !== undefined && { pos }) },
    { key: other, value: to },
  ],
})

function toLink(kind: Kind, tid: string, { dataType, linkType, to, pos }: SlotChange): Group {
  const keys = linkKeys[kind][dataType as LinkedType]!
  return { type: keys.kind, itms: [{ ...(linkType && { type: linkType }), ...endsOf(keys, tid, to!, pos) }] }
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
