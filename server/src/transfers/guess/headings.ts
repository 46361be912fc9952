/**
 * Compares headings with tids, labels and well-known words. Case, accents and signs do not matter, `ö`, `oe` and `o` are the
 * same, units and languages behind the words are set aside, and small typing errors are forgiven.
 */
import { distance } from './distance.ts'
import { languageWords } from './words.ts'

export function fold(text: string): string {
  const plain = text.toLowerCase().replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/[^\p{L}\p{N}]/gu, '') // prettier-ignore
  return plain.replaceAll(/([aou])e/g, '$1')
}

export interface Heading {
  /** The words without what follows, folded. */
  readonly key: string
  /** The whole heading, folded. */
  readonly whole: string
  /** The words of the heading, folded, from longer to shorter parts at its beginning. */
  readonly parts: readonly string[]
  readonly unit?: string
  /** A language or locale: de, de_DE. */
  readonly language?: string
}

const languages: ReadonlyMap<string, string> = new Map(
  Object.entries(languageWords).map(([word, code]) => [fold(word), code]),
)
const codes = new Set(Object.values(languageWords))
const locale = /^([a-z]{2})(?:[_-]([a-z]{2,3}))?$/i
const bracket = /^(.*\S)\s*[([{]([^()[\]{}]{1,30})[)\]}]\s*$/
const suffix = /^(.*?\S)(?:[\s_.:-]+|@)([a-z]{2}(?:[_-][A-Z]{2,3})?)$/i
const unitSuffix = /^(.*\S)\s+(?:in\s+|en\s+)([^\s\d]{1,5}|%)$/i

/** The language that a text names: German, de or de_DE. */
export function languageOf(text: string): string | undefined {
  const word = languages.get(fold(text))
  if (word !== undefined) return word
  const [, language = '', country] = locale.exec(text.trim()) ?? []
  if (!codes.has(language.toLowerCase())) return undefined
  return language.toLowerCase() + (country === undefined ? '' : `_${country.toUpperCase()}`)
}

export function parseHeading(heading: string): Heading {
  const whole = fold(heading)
  const [, inside, bracketed] = bracket.exec(heading) ?? []
  const language = bracketed === undefined ? undefined : languageOf(bracketed)
  if (inside !== undefined)
    return { ...partsOf(inside), whole, ...(language === undefined ? { unit: bracketed!.trim() } : { language }) }
  const [, named, code] = suffix.exec(heading) ?? []
  const suffixed = code === undefined ? undefined : languageOf(code)
  if (named !== undefined && suffixed !== undefined) return { ...partsOf(named), whole, language: suffixed }
  const last = heading.trim().split(/\s+/).at(-1)!
  const spoken = /\s/.test(heading.trim()) ? languageOf(last) : undefined
  if (spoken !== undefined) return { ...partsOf(heading.trim().slice(0, -last.length)), whole, language: spoken }
  const [, measured, unit] = unitSuffix.exec(heading) ?? []
  return measured === undefined ? { ...partsOf(heading), whole } : { ...partsOf(measured), whole, unit: unit! }
}

const partsOf = (text: string) => {
  const words = text.trim().split(/[\s_/-]+/)
  return { key: fold(text), parts: words.map((_, i) => fold(words.slice(0, words.length - i).join(''))).slice(1) }
}

/** How similar a heading is to a key, from 0 to 1; 1 is equal. */
export function similarity({ key, parts, whole }: Heading, other: string): number {
  if (other === '') return 0
  if (key === other || whole === other) return 1
  if (parts.includes(other) && other.length >= 4) return 0.6
  const allowed = other.length >= 9 ? 2 : other.length >= 5 ? 1 : 0
  if (allowed === 0 || Math.abs(key.length - other.length) > allowed) return 0
  const errors = distance(key, other, allowed)
  return errors > allowed ? 0 : 0.85 - errors * 0.1
}
