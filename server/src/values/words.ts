/** Forbidden words of glossaries in texts, and the check of texts that are written. See terms.ts for terms. */
import { because, plainText } from '@kontor/contract'
import type { Rights } from '../core/access/permissions.ts'
import { type ValueFault, ValueProblem } from '../errors.ts'
import { type Enforcement, Phrases, strictness, wordsOf } from './phrases.ts'
import type { ValueRule } from './rule.ts'
import { isLocalized, plainOf, type StoredValue, type StoredValues } from './stored.ts'
import { lostTerms, type MissingTerm, noTerms, type Terms } from './terms.ts'

export interface ForbiddenWord {
  /** The glossary entry. */
  readonly id: number
  readonly locale: string
  readonly value: string
  /** The word to write instead. */
  readonly instead?: string | null
  readonly enforcement: Enforcement
}
export interface Words {
  /** The forbidden words in a text, each once. */
  in(locale: string, text: string): readonly ForbiddenWord[]
  readonly terms: Terms
}

export function toWords(forbidden: readonly ForbiddenWord[], terms = noTerms): Words {
  const byLocale = new Map(
    [...Map.groupBy(forbidden, ({ locale }) => locale)].map(([locale, words]) => {
      const phrases = new Phrases<ForbiddenWord>()
      // of two entries with the same word, the stricter one counts
      for (const word of words) phrases.add(word.value, (known) => (known && isStricter(known, word) ? known : word))
      return [locale, phrases]
    }),
  )
  return { terms, in: (locale, text) => [...(byLocale.get(locale)?.in(wordsOf(text)) ?? [])] }
}
const isStricter = (a: ForbiddenWord, b: ForbiddenWord) => strictness[a.enforcement] >= strictness[b.enforcement]

/** Whether values of the attribute are texts in a language. */
export const isProse = ({
  dataType,
  localized,
  domain,
}: Pick<ValueRule, 'dataType' | 'localized'> & { domain?: unknown }) =>
  localized && !domain && (dataType === 'text' || dataType === 'richtext')

/** The texts of a value in each locale, without markup. Texts without a language are under ''. */
export function textsOf(rule: ValueRule, value: StoredValue | undefined): ReadonlyMap<string, readonly string[]> {
  const plain = value === undefined ? undefined : plainOf(value)
  if (plain === undefined) return new Map()
  const toText = rule.dataType === 'richtext' ? plainText : (text: string) => text
  return new Map(
    Object.entries(isLocalized(plain) ? plain : { '': plain }).map(([locale, content]) => [
      locale,
      [content].flat().flatMap((text) => (text === null ? [] : toText(text))),
    ]),
  )
}

export interface WordCheck {
  readonly words: Words
  rule(key: string): ValueRule | undefined
  /** Whether the caller may read glossary entries in the locale. */
  seesEntries(locale: string): boolean
  /** Absent for callers with all rights. */
  readonly rights?: Pick<Rights, 'attribute'> | undefined
}

/**
 * Refuses a change that writes a forbidden word into a text, or a translation without a term, if the glossary says so; returns
 * the warnings of the others. Words that the text had before, and terms that it lacked, are not reported.
 */
export function checkWords(before: StoredValues, after: StoredValues, check: WordCheck): ValueFault[] {
  const [refused, warnings]: [ValueFault[], ValueFault[]] = [[], []]
  for (const key in after) {
    if (after[key] === before[key]) continue
    const rule = check.rule(key)
    if (!rule || !isProse(rule)) continue
    const old = textsOf(rule, before[key])
    const now = textsOf(rule, after[key])
    for (const missing of lostTerms(check.words.terms, old, now)) {
      const faults = missing.enforcement === 'refuse' ? refused : warnings
      faults.push([key, lackOf(missing, key, check)])
    }
    for (const [locale, texts] of now) {
      const had = new Set(old.get(locale)?.flatMap((text) => check.words.in(locale, text)))
      const fresh = new Set(texts.flatMap((text) => check.words.in(locale, text)).filter((word) => !had.has(word)))
      for (const word of fresh) {
        if (word.enforcement === 'off') continue
        const faults = word.enforcement === 'refuse' ? refused : warnings
        faults.push([key, faultOf(word, check.seesEntries(locale))])
      }
    }
  }
  if (refused.length > 0) throw new ValueProblem('invalid', refused)
  return warnings
}

const faultOf = ({ value: word, locale, instead }: ForbiddenWord, isSeen: boolean) =>
  isSeen && instead
    ? because('forbiddenWordUse', { word, locale, instead })
    : because('forbiddenWord', { word, locale })

/** The source text and both sides of the entry must be visible to the caller. */
function lackOf({ term, source, locale, translations }: MissingTerm, key: string, { seesEntries, rights }: WordCheck) {
  const isSeen = seesEntries(source) && seesEntries(locale) && rights?.attribute(key, source).visible !== false
  return isSeen
    ? because('missingTerm', { translation: translations.join(' / '), locale, term })
    : because('missingTermHidden', { locale })
}
