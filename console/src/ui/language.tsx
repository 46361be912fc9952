/**
 * The language of the console's own words (not of the content). Each area keeps its words beside its pages, so that they
 * are loaded with them; a language that lacks a word does not compile.
 *
 *   const texts = defineTexts({ en: { found: 'one product|{count} products' }, de: { found: 'ein Produkt|{count} Produkte' } })
 *   const t = useTexts(texts)
 *   t('found', { count: 3 })
 */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

/** Forms of a text by `count`. `zero` replaces the plural rule's form for exactly 0. */
export interface Plural {
  readonly zero?: string
  readonly one: string
  readonly other: string
}
export interface Texts<K extends string> {
  readonly en: Readonly<Record<K, string | Plural>>
  readonly de: Readonly<Record<K, string | Plural>>
}
export type Fillings = Readonly<Record<string, string | number>>
export type Say<K extends string> = (key: K, fillings?: Fillings) => string

export const defineTexts = <const K extends string>(texts: {
  en: Record<K, string | Plural>
  de: Record<NoInfer<K>, string | Plural>
}): Texts<K> => texts

interface LanguageChoice {
  readonly language: Language
  setLanguage(language: Language): void
}
const LanguageContext = createContext<LanguageChoice>({ language: 'en', setLanguage: () => {} })
const stored = 'kontor.language'

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
    localStorage.setItem(stored, language)
  }, [language])
  const choice = useMemo(() => ({ language, setLanguage }), [language])
  return <LanguageContext value={choice}>{children}</LanguageContext>
}

function firstLanguage(): Language {
  const wanted = [localStorage.getItem(stored) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2))
  return wanted.find((tag): tag is Language => tag in languages) ?? 'en'
}

export const useLanguage = () => useContext(LanguageContext)

export function useTexts<K extends string>(texts: Texts<K>): Say<K> {
  const { language } = useLanguage()
  return useMemo(() => {
    const numbers = new Intl.NumberFormat(language)
    return (key, fillings = {}) => fill(texts[language][key], fillings, numbers)
  }, [texts, language])
}

function fill(text: string | Plural, fillings: Fillings, numbers: Intl.NumberFormat): string {
  const count = Number(fillings['count'])
  const { zero, one, other } = typeof text === 'string' ? legacyForms(text) : text
  const form = count === 0 && zero !== undefined ? zero : count === 1 ? one : other
  return form.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = fillings[name] ?? ''
    return typeof value === 'number' ? numbers.format(value) : value
  })
}

/** `one|many`, as areas write it that have no plural forms yet. */
function legacyForms(text: string): Plural {
  const [one = '', other = one] = text.split('|')
  return { one, other }
}
