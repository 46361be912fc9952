/** Products and product extension objects as the checks of quality see them. */
import type { Rights } from '../../core/access/permissions.ts'
import { effectiveValue, type ExtendingPeo, type TemplateRow } from '../../peo/api.ts'
import type { ProductView } from '../../pim/api.ts'
import { type Subject, visibleTexts } from './checks.ts'
import type { Facts } from './facts.sql.ts'

export interface Extension {
  readonly peo: Pick<ExtendingPeo, 'id' | 'tid' | 'vals'>
  readonly template: TemplateRow
  /** The rights of the caller on the object; undefined for all. */
  readonly rights?: Rights | undefined
}

/** The texts of the extension objects in a channel take the place of those of the product. */
export function subjectsOf(
  view: ProductView,
  facts: Facts,
  extensions: readonly Extension[],
  seesEntries: Subject['seesEntries'],
): Subject[] {
  const shared = { words: view.words, sees: (attr: string) => view.viewRule(attr) !== undefined, seesEntries }
  const ofPeos = extensions.map(({ peo, template, rights }): Subject => {
    const texts = visibleTexts({
      keys: Object.keys(peo.vals),
      rule: view.viewRule,
      value: (key) => (effectiveValue(peo, template, view, key)?.origin === 'peo' ? peo.vals[key] : undefined),
      shows: (key, locale) => view.shows(key, locale) && (rights?.attribute(key, locale).visible ?? true),
    })
    return { ...shared, dataType: 'peo', tid: peo.tid, texts, product: undefined }
  })
  const isReplaced = (key: string, locale = '') => ofPeos.some(({ texts }) => texts.get(key)?.has(locale))
  const texts = visibleTexts({
    keys: view.values.keys(),
    rule: view.viewRule,
    value: (key) => view.values.get(key)?.value,
    shows: (key, locale) => view.shows(key, locale) && !isReplaced(key, locale),
  })
  const { name, level, tid } = view
  return [{ ...shared, dataType: 'product', tid, texts, product: { name, level, facts } }, ...ofPeos]
}
