/**
 * The language of the console itself (not of the content). Each area defines its texts in English beside its pages. A
 * further language is one file in `languages/` with the texts of all areas, which is loaded when somebody reads it.
 *
 *   export const texts = defineTexts('products', {
 *     found: { zero: 'no products', one: '{count} product', other: '{count} products' },
 *   })
 *   const t = useTexts(texts)
 *   t('found', { count: 3 })
 */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

/**
 * A text with one form for each plural category of its language (`Intl.PluralRules`); a category that is left out reads
 * as `other`. Our addition: `zero` is used for a count of exactly 0 in every language, although English and German have
 * no such category.
 */
type PluralText = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>
export type Text = string | PluralText
type Fillings = Readonly<Record<string, string | number>>

/** The texts of one area. `name` is the key of the area in the files of the other languages. */
export interface Texts<K extends string, N extends string = string> {
  readonly name: N
  readonly en: Readonly<Record<K, Text>>
}
export type Translate<K extends string> = (key: K, fillings?: Fillings) => string

export const defineTexts = <const N extends string, const K extends string>(
  name: N,
  en: Readonly<Record<K, Text>>,
): Texts<K, N> => ({ name, en })

/** A language with its texts by area and key. English has none, because the areas contain them. */
export interface Language {
  readonly tag: string
  readonly texts: Readonly<Record<string, Readonly<Record<string, Text>>>>
}
export const english: Language = { tag: 'en', texts: {} }

interface LanguageChoice {
  readonly language: string
  setLanguage(tag: string): void
}
interface LanguageState extends LanguageChoice {
  readonly chosen: Language
}
const LanguageContext = createContext<LanguageState>({ language: 'en', setLanguage: () => {}, chosen: english })
const storageKey = 'kontor.language'

/** For code outside of React, such as notifications. */
let current = english

interface LanguageProviderProps {
  readonly first: Language
  readonly load: (tag: string) => Promise<Language>
  readonly children: ReactNode
}
export function LanguageProvider({ first, load, children }: LanguageProviderProps) {
  const [chosen, setChosen] = useState(first)
  useEffect(() => {
    current = chosen
    document.documentElement.lang = chosen.tag
    localStorage.setItem(storageKey, chosen.tag)
  }, [chosen])
  const state = useMemo(
    () => ({ language: chosen.tag, chosen, setLanguage: (tag: string) => void load(tag).then(setChosen) }),
    [chosen, load],
  )
  return <LanguageContext value={state}>{children}</LanguageContext>
}

/** The language chosen last time, else the first of the browser's languages that the console has. */
export function preferredLanguage(tags: readonly string[]): string {
  const preferred = [localStorage.getItem(storageKey) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2))
  return preferred.find((tag) => tags.includes(tag)) ?? english.tag
}

export const useLanguage = (): LanguageChoice => useContext(LanguageContext)

export function useTexts<K extends string>(texts: Texts<K>): Translate<K> {
  const { chosen } = useContext(LanguageContext)
  return useMemo(() => translator(texts, chosen), [texts, chosen])
}

/** For code outside of React; components call `useTexts`. */
export function translator<K extends string>({ name, en }: Texts<K>, { tag, texts } = current): Translate<K> {
  const plurals = new Intl.PluralRules(tag)
  const numbers = new Intl.NumberFormat(tag)
  return (key, fillings = {}) =>
    pickForm(texts[name]?.[key] ?? en[key], fillings['count'], plurals).replaceAll(
      /\{(\w+)\}/g,
      (_, placeholder: string) => {
        const value = fillings[placeholder] ?? ''
        return typeof value === 'number' ? numbers.format(value) : value
      },
    )
}

function pickForm(text: Text, count: string | number | undefined, plurals: Intl.PluralRules): string {
  if (typeof text === 'string') return text
  if (typeof count !== 'number') return text.other
  return (count === 0 ? text.zero : undefined) ?? text[plurals.select(count)] ?? text.other
}
