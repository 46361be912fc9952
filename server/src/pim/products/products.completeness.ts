/**
 * Which required values an object lacks, and how complete that makes it. A localized value is missing in each locale
 * without content; any other value exists in all locales or in none. Channel readiness and the search index use it.
 */
import type { EffectiveAttribute } from '../model/effective.ts'
import { columnKey, isLocalized, plainOf, type StoredValue } from '../../values/api.ts'

/** The result for all locales at once. */
export interface Judgement {
  readonly required: number
  /** Attributes without a value in any locale. */
  readonly absent: readonly string[]
  /** Attributes with a value by locale. */
  readonly localized: readonly string[]
  /** For each locale that occurs: those of `localized` without a value in it. */
  readonly gaps: ReadonlyMap<string, readonly string[]>
}

/** A required attribute. It has a value if one of the keys has: a table has one key per column. */
export interface Demand {
  readonly attr: string
  readonly keys: readonly string[]
}

export const demandOf = (attr: string, columns: readonly string[] = []): Demand => ({
  attr,
  keys: columns.length === 0 ? [attr] : columns.map((column) => columnKey(attr, column)),
})

/** The attributes that a classification node requires. */
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

/** Rounded down, so that 100 means all. Without required values, an object is complete. */
export const percentOf = (required: number, missing: number): number =>
  required === 0 ? 100 : Math.floor(((required - missing) / required) * 100)

const complete: ReadonlyMap<string, readonly [number]> = new Map([['', [100]]])

/**
 * The completeness of several objects together, in percent by locale; '' is for every locale that is not listed. With
 * `only`, other locales have none.
 */
export function completenessOf(
  judged: readonly Judgement[],
  only?: Iterable<string>,
): ReadonlyMap<string, readonly [number]> {
  const required = judged.reduce((sum, one) => sum + one.required, 0)
  if (required === 0 && !only) return complete
  const locales = new Set(only ?? ['', ...judged.flatMap(({ gaps }) => [...gaps.keys()])])
  const percentIn = (locale: string) =>
    percentOf(
      required,
      judged.reduce((sum, one) => sum + lackingIn(one, locale).length, 0),
    )
  return new Map([...locales].map((locale) => [locale, [percentIn(locale)]]))
}
