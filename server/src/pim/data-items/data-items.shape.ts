/** Values and facts in the plainer JSON of data items: named differently, flags as booleans, locales spelled out. */
import type { AttributeValue, Infer } from '@kontor/contract'
import { columnKey } from '../values/rule.ts'
import type { ValMessage } from '../values/stored.ts'
import type { NodeRules } from '../products/products.rules.ts'
import { metaOf } from '../products/products.show.ts'
import type { LevelNumber, ShownRow } from '../products/products.sql.ts'

export type ValueItem = Infer<typeof AttributeValue>
export const informationTypes = ['Product', 'Article', 'Variation'] as const

export function toAttributeValue(val: ValMessage, rules: NodeRules, level: LevelNumber): ValueItem {
  const { attr = '', itm, i18N, tags, type, origin, inheritance, parent, dataType } = val
  const key = parent === undefined ? attr : columnKey(parent, attr)
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
    accessRights: accessRights(val, isEditable(rules, level, key)),
  }
}

/** By locale; what has none is under an asterisk. */
function accessRights({ itm = [], i18N = [] }: ValMessage, editable: boolean) {
  const locales = [...itm.map(({ loc }) => loc ?? '*'), ...i18N.map(({ loc }) => loc ?? '*')]
  const of = (right: boolean) => Object.fromEntries(locales.map((loc) => [loc, right]))
  return { visible: of(true), editable: of(editable) }
}

function isEditable(rules: NodeRules, level: LevelNumber, key: string): boolean {
  const rule = rules.storable(level, key)
  return 'read' in rule && rule.frozen === undefined
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

export function toMeta(row: ShownRow): Record<string, string> {
  return Object.fromEntries(metaOf(row).itm!.map(({ key, value }) => [key!, value!]))
}
