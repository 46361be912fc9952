/** The content languages. The chosen one is in the address (`loc`) and is kept from page to page. */
import { useQuery } from '@tanstack/react-query'
import { useUrlState } from '../ui/url-state.ts'
import { useLanguage } from '../ui/language.tsx'
import { useClient } from './client.tsx'
import { fact } from './items.ts'

interface ContentLocale {
  readonly tid: string
  readonly name: string
  /** Whether texts are translated from it. */
  readonly isSource: boolean
}

export function useContentLocales(): readonly ContentLocale[] {
  const { common } = useClient()
  const { data } = useQuery({
    queryKey: ['locales', 'CONTENT'],
    queryFn: async () => {
      const locales = await common.locales.retrieve({ mode: 'CONTENT' })
      return locales.map((one) => ({ tid: one.tid ?? '', name: one.name ?? one.tid ?? '', isSource: fact(one, 'source') === 'true' })) // prettier-ignore
    },
    staleTime: 300_000,
  })
  return data ?? []
}

/** The language that texts are translated from. */
export const useSourceLocale = (): string => useContentLocales().find(({ isSource }) => isSource)?.tid ?? ''

/**
 * The name of a content locale for labels, in the language of the reader: German for de_DE, with the country if others
 * have the same language. A name that an administrator has given is used as it is.
 */
export function useLocaleName(): (locale: string) => string {
  const locales = useContentLocales()
  const { language } = useLanguage()
  return (locale) => {
    const known = locales.find(({ tid }) => tid === locale)
    const own = locale.split('_')[0]!
    if (known && known.name !== nameIn(own, locale)) return known.name
    const isOnly = locales.every(({ tid }) => tid === locale || !tid.startsWith(`${own}_`))
    return nameIn(language, isOnly ? own : locale)
  }
}

/** English (United Kingdom) rather than British English, as the server names its locales. */
const nameIn = (language: string, locale: string) =>
  new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' }).of(locale.replace('_', '-')) ??
  locale

export function useContentLocale(): [locale: string, choose: (locale: string) => void] {
  const [{ loc }, change] = useUrlState()
  const locales = useContentLocales()
  const { language } = useLanguage()
  const first = locales.find(({ tid }) => tid.startsWith(language)) ?? locales[0]
  return [loc ?? first?.tid ?? 'en_GB', (locale) => change({ loc: locale })]
}
