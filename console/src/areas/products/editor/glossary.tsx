/** Words of the glossaries in a text: terms are named, forbidden ones are warned of. */
import { Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconBook2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../../object/client.tsx'
import { fact } from '../../../object/items.ts'
import { useTexts } from '../../../ui/language.tsx'
import { type Term, termsIn } from './terms.ts'
import { texts } from './texts.ts'

/** The terms of a locale; the glossaries are few and read rarely. */
function useTerms(locale: string): readonly Term[] {
  const { common } = useClient()
  const { data } = useQuery({
    queryKey: ['glossaries', 'terms', locale],
    staleTime: 300_000,
    queryFn: async () => {
      const message = await common.glossaries.retrieveMessage({ retrieveEntries: true, sourceLocales: [locale] })
      return (message.glossaryEntries?.glossaryEntry ?? []).flatMap((entry) => {
        const text = fact(entry, 'value')
        return text && entry.type === 'term' ? [{ text, forbidden: fact(entry, 'forbidden') === 'true' }] : []
      })
    },
  })
  return data ?? []
}

export function GlossaryNotes({ text, locale }: { text: string; locale: string }) {
  const t = useTexts(texts)
  const found = termsIn(text, useTerms(locale))
  if (found.length === 0) return null
  return (
    <Group gap="sm" mt={3}>
      {found.map(({ text: term, forbidden }) => (
        <Group key={term} gap={4} wrap="nowrap" role={forbidden ? 'alert' : undefined}>
          {forbidden ? (
            <IconAlertTriangle size={13} color="var(--mantine-color-red-6)" aria-hidden />
          ) : (
            <IconBook2 size={13} color="var(--mantine-color-harbour-5)" aria-hidden />
          )}
          <Text size="xs" c={forbidden ? 'red' : 'dimmed'} fw={forbidden ? 600 : 400}>
            {t(forbidden ? 'forbidden' : 'term', { term })}
          </Text>
        </Group>
      ))}
    </Group>
  )
}
