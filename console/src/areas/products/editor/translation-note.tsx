/**
 * Beside a translated text: that its source text has changed since, with a button to say that it is still right; and a
 * translation that another product has, while the text is empty or out of date.
 */
import { Anchor, Group, Text } from '@mantine/core'
import { IconBulb, IconLanguage } from '@tabler/icons-react'
import { plainText } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../../object/client.tsx'
import { useChange } from '../../../object/change.ts'
import { useLocaleName } from '../../../object/locales.ts'
import type { Attribute } from '../../../object/values/attribute.ts'
import { useFormat } from '../../../ui/format.ts'
import { useTexts } from '../../../ui/language.tsx'
import type { Item } from './product.ts'
import { texts } from './texts.ts'

const levels = { p: 'product', a: 'article', v: 'variant' } as const
const translationsKey = (tid: string) => ['products', 'translations', tid]

interface TranslationNoteProps {
  /** The product. */
  readonly product: string
  readonly item: Item
  readonly attribute: Attribute
  readonly locale: string
  readonly isEmpty: boolean
  /** Absent if the user may not change the text. */
  readonly onTake?: ((text: string) => void) | undefined
}

interface Place {
  readonly level?: string
  readonly tid?: string
  readonly attribute?: string
}

export function TranslationNote({ product, item, attribute, locale, isEmpty, onTake }: TranslationNoteProps) {
  const t = useTexts(texts)
  const format = useFormat()
  const localeName = useLocaleName()
  const { pim } = useClient()
  const change = useChange(translationsKey(product), ['products', 'history'])
  const { data } = useQuery({
    queryKey: translationsKey(product),
    queryFn: () => pim.retrieveTranslations({ body: { tid: product } }),
  })
  const level = levels[item.level]
  const isHere = (one: Place) => one.level === level && one.tid === item.tid && one.attribute === attribute.key
  const stale = data?.stale?.find((one) => isHere(one) && one.locale === locale)
  const isOpen =
    onTake !== undefined && data !== undefined && data.source !== locale && (isEmpty || stale !== undefined)
  const suggestions = useSuggestions(product, locale, isOpen)
  const [match] = (isOpen && suggestions?.find(isHere)?.matches) || []
  const label = `${attribute.label}, ${localeName(locale)}`
  const confirm = (since: string) => {
    const text = { level, tid: item.tid, attribute: attribute.key, locale, since }
    return change(() => pim.confirmTranslations({ body: { tid: product, texts: [text] } }))
  }
  return (
    <>
      {stale && (
        <Group gap={6} mt={3} role="note">
          <IconLanguage size={13} color="var(--mantine-color-amber-7)" aria-hidden />
          <Text size="xs">
            {t('sourceChanged', { locale: localeName(stale.source), date: format.dateTime(stale.since) })}
          </Text>
          {onTake && (
            <Anchor
              component="button"
              size="xs"
              aria-label={`${t('stillRight')}: ${label}`}
              onClick={() => void confirm(stale.since)}
            >
              {t('stillRight')}
            </Anchor>
          )}
        </Group>
      )}
      {match && (
        <Group gap={6} mt={3} role="note" wrap="nowrap" align="baseline">
          <IconBulb size={13} aria-hidden />
          <Text size="xs" title={t('knownFrom', { name: match.name ?? '', text: plainText(match.source ?? '') })}>
            {t('knownTranslation', { score: match.score ?? 0, text: plainText(match.target ?? '') })}
          </Text>
          <Anchor
            component="button"
            size="xs"
            aria-label={`${t('takeTranslation')}: ${label}`}
            onClick={() => onTake?.(match.target ?? '')}
          >
            {t('takeTranslation')}
          </Anchor>
        </Group>
      )}
    </>
  )
}

/** One call for all open texts of the product in a language. */
function useSuggestions(tid: string, target: string, enabled: boolean) {
  const { transfers } = useClient()
  const { data } = useQuery({
    queryKey: [...translationsKey(tid), 'suggestions', target],
    enabled,
    staleTime: 60_000,
    retry: false, // the search may be busy; suggestions are not worth waiting for
    queryFn: async () => (await transfers.suggestTranslations({ body: { tid, target } })).suggestions ?? [],
  })
  return data
}
