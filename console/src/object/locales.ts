/** The content languages. The chosen one is in the address (`loc`) and is kept from page to page. */
import { useQuery } from '@tanstack/react-query'
import { useUrlState } from '../ui/url-state.ts'
import { useLanguage } from '../ui/language.tsx'
import { useClient } from './client.tsx'

interface ContentLocale {
  readonly tid: string
  readonly name: string
}

export function useContentLocales(): readonly ContentLocale[] {
  const { common } = useClient()
  const { data } = useQuery({
    queryKey: ['locales', 'CONTENT'],
    queryFn: async () => {
      const locales = await common.locales.retrieve({ mode: 'CONTENT' })
      return locales.map(({ tid = '', name }) => ({ tid, name: name ?? tid }))
    },
    staleTime: 300_000,
  })
  return data ?? []
}

export function useContentLocale(): [locale: string, choose: (locale: string) => void] {
  const [{ loc }, change] = useUrlState()
  const locales = useContentLocales()
  const { language } = useLanguage()
  const first = locales.find(({ tid }) => tid.startsWith(language)) ?? locales[0]
  return [loc ?? first?.tid ?? 'en_GB', (locale) => change({ loc: locale })]
}
