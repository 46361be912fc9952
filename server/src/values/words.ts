/**
 * Forbidden words of glossaries in texts.
 *
 * Words are compared whole, in lower case and in the compatibility form of Unicode (NFKC). Accents count, because words that
 * differ by one may mean something else. What is between two words (spaces, hyphens, punctuation) does not count: `E-Mail`
 * matches `e mail`. The words of a locale form a trie, so the time for a text does not grow with the number of entries. It
 * grows with the length of the longest one, so whole paragraphs are left out.
 */
import { because, plainText } from '@kontor/contract'
import { type ValueFault, ValueProblem } from '../errors.ts'
import type { ValueRule } from './rule.ts'
import { isLocalized, plainOf, type StoredValue, type StoredValues } from './stored.ts'

export type Enforcement = 'off' | 'warn' | 'refuse'
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
}

/** Words of an entry. Longer ones are not looked for. */
const maxEntryWords = 50

interface Step {
  word?: ForbiddenWord
  next?: Map<string, Step>
}
const anyWord = /[\p{L}\p{M}\p{N}]+/gu
export const wordsOf = (text: string): string[] => text.normalize('NFKC').toLowerCase().match(anyWord) ?? []
const strictness: Readonly<Record<Enforcement, number>> = { off: 0, warn: 1, refuse: 2 }

export function toWords(forbidden: readonly ForbiddenWord[]): Words {
  const roots = new Map<string, Step>()
  for (const word of forbidden) {
    const parts = wordsOf(word.value)
    if (parts.length > maxEntryWords) continue
    let step: Step = getOrAdd(roots, word.locale, () => ({}))
    for (const part of parts) step = getOrAdd((step.next ??= new Map()), part, () => ({}))
    // of two entries with the same word, the stricter one counts
    if (!step.word || strictness[step.word.enforcement] < strictness[word.enforcement]) step.word = word
  }
  return {
    in(locale, text) {
      const root = roots.get(locale)
      if (!root) return []
      const parts = wordsOf(text)
      const found = new Set<ForbiddenWord>()
      for (let at = 0; at < parts.length; at++) {
        let step = root.next?.get(parts[at]!)
        for (let ahead = at + 1; step; ahead++) {
          if (step.word) found.add(step.word)
          step = ahead < parts.length ? step.next?.get(parts[ahead]!) : undefined
        }
      }
      return [...found]
    },
  }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

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
}

/**
 * Refuses a change that writes a forbidden word into a text, if its glossary says so; returns the warnings of the others.
 * Words that the text had before are not reported.
 */
export function checkWords(before: StoredValues, after: StoredValues, check: WordCheck): ValueFault[] {
  const [refused, warnings]: [ValueFault[], ValueFault[]] = [[], []]
  for (const key in after) {
    if (after[key] === before[key]) continue
    const rule = check.rule(key)
    if (!rule || !isProse(rule)) continue
    const old = textsOf(rule, before[key])
    for (const [locale, texts] of textsOf(rule, after[key])) {
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
