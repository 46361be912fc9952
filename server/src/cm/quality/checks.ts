/**
 * The checks of quality. Each judges a product, or a product extension object, in one locale; it passes, fails with the
 * places and the remedy, or does not apply. Values that the caller may not see are treated as absent.
 */
import {
  type Infer,
  productTypes,
  type qualityChecks,
  type QualityFault,
  type QualityResult,
  type QualitySetting,
} from '@kontor/contract'
import { isProse, type StoredValue, textsOf, type ValueRule, type Words, wordsOf } from '../../values/api.ts'
import type { Facts } from './facts.sql.ts'

export type Setting = Infer<typeof QualitySetting>
export type CheckName = (typeof qualityChecks)[number]
/** A fault of the subject, or of an article or variation of it if these are named. */
type Fault = Infer<typeof QualityFault>

/** Channels without settings of their own or above them. */
export const defaultSettings: readonly Setting[] = [
  { check: 'forbiddenWords', weight: 2 },
  { check: 'identicalTexts', weight: 1 },
  { check: 'staleTranslation', weight: 2 },
  { check: 'mainPicture', weight: 2 },
  { check: 'duplicateIdentifier', weight: 3 },
  { check: 'similarName', weight: 1 },
]

/** An object with its texts, of the attributes and locales that the caller may see. */
export interface Subject {
  readonly dataType: 'peo' | 'product'
  readonly tid: string
  readonly words: Words
  /** Texts by attribute key and locale; '' for texts without a language, of which only the length is judged. */
  readonly texts: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
  /** Undefined for product extension objects: these checks are about the product. */
  readonly product: { readonly name: string; readonly level: number; readonly facts: Facts } | undefined
  /** Whether the caller may see the attribute. */
  sees(attr: string): boolean
  seesEntries(locale: string): boolean
}

interface ValueSource {
  readonly keys: Iterable<string>
  rule(key: string): ValueRule | undefined
  value(key: string): StoredValue | undefined
  shows(key: string, locale: string | undefined): boolean
}

export function visibleTexts({ keys, rule: ruleOf, value, shows }: ValueSource): Subject['texts'] {
  const all = new Map<string, ReadonlyMap<string, readonly string[]>>()
  for (const key of keys) {
    const rule = ruleOf(key)
    if (!rule || !isProse({ ...rule, localized: true })) continue
    const texts = [...textsOf(rule, value(key))].filter(([locale]) => shows(key, locale || undefined))
    if (texts.length > 0) all.set(key, new Map(texts))
  }
  return all
}

/** All texts of a locale, with their attribute. */
const textsIn = ({ texts }: Subject, locale: string) =>
  [...texts].flatMap(([attr, byLocale]) => ((locale && byLocale.get(locale)) || []).map((text) => ({ attr, text })))
const languageOf = (locale: string) => locale.split('_')[0]
const normal = (text: string) => wordsOf(text).join(' ')

type Normal = ReadonlyMap<string, ReadonlySet<string>>
const normalTexts = new WeakMap<object, { readonly min: number; readonly texts: Normal }>()

/** The texts of an attribute by locale as they are compared. Each is compared with all locales, so they are kept. */
function normalOf(byLocale: ReadonlyMap<string, readonly string[]>, min: number): Normal {
  const known = normalTexts.get(byLocale)
  if (known?.min === min) return known.texts
  const long = (some: readonly string[]) => some.filter((text) => text.length >= min)
  const texts = new Map([...byLocale].map(([locale, some]) => [locale, new Set(long(some).map(normal))]))
  normalTexts.set(byLocale, { min, texts })
  return texts
}
const defaultMin = 20

/** The faults of the subject, or undefined if the check does not apply to it. */
type Judge = (subject: Subject, locale: string, setting: Setting) => Fault[] | undefined

const judges: Readonly<Record<CheckName, Judge>> = {
  length(subject, locale, { attr = '', min = 0, max = Infinity }) {
    const byLocale = subject.texts.get(attr)
    const texts = byLocale?.get(locale) ?? byLocale?.get('')
    return texts?.flatMap((text): Fault[] => {
      const length = [...text].length
      if (length >= min && length <= max) return []
      const [limit, remedy] =
        length < min
          ? [`at least ${min} are needed`, 'write a longer text']
          : [`at most ${max} are allowed`, 'shorten it']
      const expected = max === Infinity ? `${min}–` : `${min}–${max}`
      return [{ attr, value: String(length), expected, text: `has ${length} characters; ${limit}: ${remedy}` }]
    })
  },

  forbiddenWords(subject, locale) {
    const texts = textsIn(subject, locale)
    if (texts.length === 0) return undefined
    return texts.flatMap(({ attr, text }) =>
      subject.words.in(locale, text).map(({ value, instead }): Fault => {
        const use = instead && subject.seesEntries(locale) ? instead : undefined
        const remedy = use === undefined ? 'remove it' : `write ${use} instead`
        return { attr, value, ...(use && { expected: use }), text: `contains the forbidden word ${value}; ${remedy}` }
      }),
    )
  },

  identicalTexts(subject, locale, { min = defaultMin }) {
    const long = textsIn(subject, locale).filter(({ text }) => text.length >= min)
    if (long.length === 0) return undefined
    return long.flatMap(({ attr, text }): Fault[] => {
      const [key, all] = [normal(text), normalOf(subject.texts.get(attr)!, min)]
      const same = [...all].find(([other, texts]) => languageOf(other) !== languageOf(locale) && texts.has(key))
      if (!same) return []
      return [{ attr, value: same[0], text: `is the same as in ${same[0]}; translate one of them` }]
    })
  },

  staleTranslation(subject, locale) {
    if (!subject.product || textsIn(subject, locale).length === 0) return undefined
    return subject.product.facts.stale
      .filter(({ attr, locale: of }) => of === locale && subject.texts.get(attr)?.has(locale))
      .map(({ attr, source }) => ({
        attr,
        ...(subject.texts.get(attr)!.has(source)
          ? { value: source, text: `is older than the text in ${source}; translate it again or confirm it` }
          : { text: 'is older than the text that it was translated from; translate it again or confirm it' }),
      }))
  },

  mainPicture({ product }, _locale, { role }) {
    if (!product || product.facts.pictures === null) return undefined
    if (product.facts.pictures.some((one) => one.isUsable && (role === undefined || one.role === role))) return []
    if (role === undefined) return [{ text: 'has no picture; link one' }]
    return [{ expected: role, text: `has no picture with the role ${role}; link one, or give a picture this role` }]
  },

  duplicateIdentifier(subject) {
    const seen = subject.product?.facts.identifiers.filter(({ attr }) => subject.sees(attr)) ?? []
    if (seen.length === 0) return undefined
    return seen.flatMap(
      ({ attr, value, others, level, tid }): Fault[] =>
      others.length === 0
        ? []
        : [{ dataType: productTypes[level], tid, attr, value, others: others.map(({ tid }) => tid), text: `${value} is also that of ${listed(others)}; correct one of them` }], // prettier-ignore
    )
  },

  similarName({ product }) {
    if (product?.level !== 0) return undefined
    const { alike } = product.facts
    if (alike.length === 0) return []
    const text = `the name looks like that of ${listed(alike)}; rename one, or delete it if it is the same product`
    return [{ value: alike[0]!.name, others: alike.map(({ tid }) => tid), text }]
  },
}

const listed = (others: readonly { readonly tid: string }[]) => others.map(({ tid }) => tid).join(', ')
const mostFaults = 20

export interface Quality {
  /** Undefined if no check applies. */
  readonly score: number | undefined
  readonly checks: readonly Infer<typeof QualityResult>[]
}

/** The quality of a product in a channel: of the product itself and of its extension objects there. */
export function judgeQuality(subjects: readonly Subject[], settings: readonly Setting[], locale: string): Quality {
  const checks = settings.flatMap((setting) => {
    const { check, attr, weight = 1 } = setting
    const judged = subjects.flatMap(({ dataType, tid, ...subject }) => {
      const faults = judges[check]({ dataType, tid, ...subject }, locale, setting)
      return faults ? [faults.map((fault) => ({ dataType, tid, ...fault }))] : []
    })
    if (judged.length === 0) return []
    const faults = judged.flat().slice(0, mostFaults)
    const passed = faults.length === 0
    return [{ check, ...(attr !== undefined && { attr }), weight, passed, ...(!passed && { faults }) }]
  })
  const sum = (some: readonly { weight: number }[]) => some.reduce((total, { weight }) => total + weight, 0)
  const all = sum(checks)
  const score = all === 0 ? undefined : Math.floor((sum(checks.filter(({ passed }) => passed)) / all) * 100)
  return { score, checks }
}
