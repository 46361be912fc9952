/**
 * What one object must say and does not.
 *
 *   of a product extension object   what its template requires, and what the node of its product requires and the
 *                                   template does not hide; by its values in the end
 *   of a product                    what its node requires
 *
 * A localized value is missing in a locale that it says nothing in; any other is there in all locales or in none.
 */
import { columnKey, isLocalized, plainOf, type ProductView, type StoredValue } from '../../pim/api.ts'
import { behaviourOf, effectiveValue, type ExtendingPeo, type TemplateRow } from '../../peo/api.ts'

/** For every locale at once. */
export interface Judgement {
  readonly required: number
  /** Attributes without a value in any locale. */
  readonly absent: readonly string[]
  /** Attributes with a value by locale. */
  readonly localized: readonly string[]
  /** Of these, the ones without a value, for each locale in which there is any. */
  readonly gaps: ReadonlyMap<string, readonly string[]>
}

/** The attributes that are missing in a locale. */
export const lackingIn = ({ absent, localized, gaps }: Judgement, locale: string): readonly string[] =>
  localized.length === 0 ? absent : [...absent, ...(gaps.get(locale) ?? localized)]

/** The keys of values that an attribute has; one of them must be there. A table has one for each column. */
type Required = ReadonlyMap<string, readonly string[]>

const keysOf = (attr: string, columns: readonly string[] = []): readonly string[] =>
  columns.length === 0 ? [attr] : columns.map((column) => columnKey(attr, column))

const requiredOf = (view: ProductView): Required =>
  new Map(view.required.map(({ key, definition }) => [key, keysOf(key, definition.columns)]))

export const judgeProduct = (view: ProductView): Judgement =>
  judge(requiredOf(view), (key) => view.values.get(key)?.value)

export function judgePeo(peo: Pick<ExtendingPeo, 'vals'>, template: TemplateRow, view: ProductView): Judgement {
  const demanded = Object.entries(template.attributes).filter(([, { mode, required }]) => required && mode !== 'hidden')
  const required = new Map([
    ...[...requiredOf(view)].filter(([attr]) => behaviourOf(template, attr).mode !== 'hidden'),
    ...demanded.map(([attr]) => [attr, keysOf(attr, view.shown(attr)?.columns)] as const),
  ])
  return judge(required, (key) => effectiveValue(peo, template, view, key)?.value)
}

function judge(required: Required, valueOf: (key: string) => StoredValue | undefined): Judgement {
  const absent: string[] = []
  const localized = new Map<string, ReadonlySet<string>>()
  for (const [attr, keys] of required) {
    const plain = keys.flatMap((key) => {
      const value = valueOf(key)
      return value === undefined ? [] : [plainOf(value)]
    })
    if (plain.length === 0) absent.push(attr)
    else if (plain.every(isLocalized)) localized.set(attr, new Set(plain.flatMap((value) => Object.keys(value))))
  }
  const locales = new Set([...localized.values()].flatMap((some) => [...some]))
  const lacking = (locale: string) => [...localized].flatMap(([attr, some]) => (some.has(locale) ? [] : [attr]))
  return {
    required: required.size,
    absent,
    localized: [...localized.keys()],
    gaps: new Map([...locales].map((locale) => [locale, lacking(locale)])),
  }
}
