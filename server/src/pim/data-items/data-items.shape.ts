/** Values and meta items in the plainer JSON of data items: other field names, booleans for flags, locales spelled out. */
import type { AttributeValue, Infer } from '@kontor/contract'
import type { Rights } from '../../core/access/permissions.ts'
import { Problem } from '../../errors.ts'
import { keyOf, type ValMessage, type ValueRule } from '../../values/api.ts'
import { metaOf } from '../products/products.view.ts'
import type { ViewRow } from '../products/products.sql.ts'

type ValueItem = Infer<typeof AttributeValue>
export const informationTypes = ['Product', 'Article', 'Variation'] as const

/** `rule` decides what may be stored under the key; undefined if the caller may not change the object. */
export function toAttributeValue(
  val: ValMessage,
  rule: ValueRule | Problem | undefined,
  rights: Rights | undefined,
): ValueItem {
  const { attr = '', itm, i18N, tags, type, origin, inheritance, parent, dataType } = val
  const editable = rule !== undefined && !(rule instanceof Problem) && rule.frozen === undefined
  return {
    ...(itm && { items: itm }),
    ...(i18N && {
      i18N: i18N.map(({ itm: items, loc: locale }) => ({ ...(items && { items }), ...(locale && { locale }) })),
    }),
    ...(tags?.itm && { tags: tags.itm }),
    key: attr,
    ...(type && { type }),
    ...(origin !== undefined && { origin }),
    inheritance: inheritance === 'inherited',
    ...(parent !== undefined && { parent }),
    dataType: dataType ?? 'text',
    accessRights: accessRights(val, editable, rights),
  }
}

/** Rights by locale; `*` for values without a locale. Invisible values are not in `val` at all. */
function accessRights(val: ValMessage, editable: boolean, rights: Rights | undefined) {
  const { itm = [], i18N = [] } = val
  const locales = [...new Set([...itm, ...i18N].map(({ loc }) => loc))]
  const mayEdit = (loc: string | undefined) => editable && (rights?.attribute(keyOf(val), loc).editable ?? true)
  return {
    visible: Object.fromEntries(locales.map((loc) => [loc ?? '*', true])),
    editable: Object.fromEntries(locales.map((loc) => [loc ?? '*', mayEdit(loc)])),
  }
}

export function toVal({ key, items, i18N, tags, parent, inheritance }: ValueItem): ValMessage {
  return {
    ...(items && { itm: items }),
    ...(i18N && { i18N: i18N.map(({ items: itm, locale: loc }) => ({ ...(itm && { itm }), ...(loc && { loc }) })) }),
    ...(tags && { tags: { itm: tags } }),
    ...(key !== undefined && { attr: key }),
    ...(parent !== undefined && { parent }),
    ...(inheritance && { inheritance: 'inherited' }),
  }
}

export function toMeta(row: ViewRow): Record<string, string> {
  return Object.fromEntries(metaOf(row).itm!.map(({ key, value }) => [key!, value!]))
}
