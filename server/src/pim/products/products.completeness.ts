/**
 * What an object must say and does not, and how complete that makes it. A localized value is missing in a locale that it
 * says nothing in; any other is there in all locales or in none. Readiness of channels and the search index judge by it.
 */
import type { EffectiveAttribute } from '../model/effective.ts'
import { columnKey, isLocalized, plainOf, type StoredValue } from '../../values/api.ts'

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

/** An attribute that there must be a value of, by one of the keys: a table has one for each column. */
export interface Demand {
  readonly attr: string
  readonly keys: readonly string[]
}

export const demandOf = (attr: string, columns: readonly string[] = []): Demand => ({
  attr,
  keys: columns.length === 0 ? [attr] : columns.map((column) => columnKey(attr, column)),
})

/** What a classification node demands. */
export const demandsOf = (required: readonly EffectiveAttribute[]): Demand[] =>
  required.map(({ key, definition }) => demandOf(key, definition.columns))

export function judge(demands: readonly Demand[], valueOf: (key: string) => StoredValue | undefined): Judgement {
  const absent: string[] = []
  const localized = new Map<string, ReadonlySet<string>>()
  for (const { attr, keys } of demands) {
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
    required: demands.length,
    absent,
    localized: [...localized.keys()],
    gaps: new Map([...locales].map((locale) => [locale, lacking(locale)])),
  }
}

/** The attributes that are missing in a locale. */
export const lackingIn = ({ absent, localized, gaps }: Judgement, locale: string): readonly string[] =>
  localized.length === 0 ? absent : [...absent, ...(gaps.get(locale) ?? localized)]

/** Rounded down, so that 100 means all. What demands nothing is complete. */
export const percentOf = (required: number, missing: number): number =>
  required === 0 ? 100 : Math.floor(((required - missing) / required) * 100)

const complete: ReadonlyMap<string, readonly [number]> = new Map([['', [100]]])

/** Several objects as one, in percent by locale; '' holds for every locale that is not named. */
export function completenessOf(judged: readonly Judgement[]): ReadonlyMap<string, readonly [number]> {
  const required = judged.reduce((sum, one) => sum + one.required, 0)
  if (required === 0) return complete
  const locales = new Set(['', ...judged.flatMap(({ gaps }) => [...gaps.keys()])])
  const percentIn = (locale: string) =>
    percentOf(
      required,
      judged.reduce((sum, one) => sum + lackingIn(one, locale).length, 0),
    )
  return new Map([...locales].map((locale) => [locale, [percentIn(locale)]]))
}
