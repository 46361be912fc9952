/**
 * The language of the console itself (not of the content). Each area defines its texts beside its pages, so that they
 * are loaded with them. A text that is missing in one language does not compile.
 *
 *   const texts = defineTexts({
 *     en: { found: { zero: 'no products', one: '{count} product', other: '{count} products' } },
 *     de: { found: { zero: 'keine Produkte', one: '{count} Produkt', other: '{count} Produkte' } },
 *   })
 *   const t = useTexts(texts)
 *   t('found', { count: 3 })
 */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

/**
 * A text with one form for each plural category of its language (`Intl.PluralRules`); a category that is left out reads
 * as `other`. Our addition: `zero` is used for a count of exactly 0 in every language, although English and German have
 * no such category.
 */
type PluralText = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>
type Text = string | PluralText
type Fillings = Readonly<Record<string, string | number>>

export interface Texts<K extends string> {
  readonly en: Readonly<Record<K, Text>>
  readonly de: Readonly<Record<K, Text>>
}
export type Translate<K extends string> = (key: K, fillings?: Fillings) => string
export type { Translate as Say } // the former name

export const defineTexts = <const K extends string>(texts: {
  en: Record<K, Text>
  de: Record<NoInfer<K>, Text>
}): Texts<K> => texts

interface LanguageChoice {
  readonly language: Language
  setLanguage(language: Language): void
}
const LanguageContext = createContext<LanguageChoice>({ language: 'en', setLanguage: () => {} })
const storageKey = 'kontor.language'

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(initialLanguage)
  useEffect(() => {
    document.documentElement.lang = language
    localStorage.setItem(storageKey, language)
  }, [language])
  const choice = useMemo(() => ({ language, setLanguage }), [language])
  return <LanguageContext value={choice}>{children}</LanguageContext>
}

/** The language chosen last time, else the first of the browser's languages that the console has. */
function initialLanguage(): Language {
  const preferred = [localStorage.getItem(storageKey) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2))
  return preferred.find((tag): tag is Language => tag in languages) ?? 'en'
}

export const useLanguage = () => useContext(LanguageContext)

export function useTexts<K extends string>(texts: Texts<K>): Translate<K> {
  const { language } = useLanguage()
  return useMemo(() => translator(texts, language), [texts, language])
}

/** For code outside of React; components call `useTexts`. */
export function translator<K extends string>(texts: Texts<K>, language: Language): Translate<K> {
  const plurals = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (key, fillings = {}) =>
    pickForm(texts[language][key], fillings['count'], plurals).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = fillings[name] ?? ''
      return typeof value === 'number' ? numbers.format(value) : value
    })
}

function pickForm(text: Text, count: string | number | undefined, plurals: Intl.PluralRules): string {
  if (typeof text === 'string') return text
  if (typeof count !== 'number') return text.other
  return (count === 0 ? text.zero : undefined) ?? text[plurals.select(count)] ?? text.other
}
