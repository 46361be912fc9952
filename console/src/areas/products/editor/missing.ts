/** The required values that are missing, with the unsaved changes taken into account. */
import type { Attribute } from '../../../object/values/attribute.ts'
import { textsOf } from '../../../object/values/draft.ts'
import { isInherited, type Item } from './product.ts'
import type { ItemsDraft } from './use-product.ts'

export function isMissing(item: Item, draft: ItemsDraft, attribute: Attribute, locales: readonly string[]): boolean {
  if (!attribute.required || !attribute.levels.includes(item.level)) return false
  const needed = attribute.localized ? locales : ['']
  if (attribute.columns.length > 0)
    return !attribute.columns.some((column) =>
      needed.some((locale) => hasText(item, draft, `${attribute.key}/${column}`, locale)),
    )
  return needed.some((locale) => !hasText(item, draft, attribute.key, locale))
}

function hasText(item: Item, draft: ItemsDraft, key: string, locale: string): boolean {
  if (draft.texts(item, key, locale).some(Boolean)) return true
  const val = item.vals.get(key)
  return isInherited(val) && textsOf(val, locale).some(Boolean)
}

/** Whether the first language has a text and another one that is shown has none. */
export function isUntranslated(
  item: Item,
  draft: ItemsDraft,
  attribute: Attribute,
  [source = '', ...others]: readonly string[],
): boolean {
  if (!attribute.localized || !hasText(item, draft, attribute.key, source)) return false
  return others.some((locale) => !hasText(item, draft, attribute.key, locale))
}
