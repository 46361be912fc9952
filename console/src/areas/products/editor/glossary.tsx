/** Glossary terms in a text: highlighted in place and listed below, forbidden ones as a warning. */
import { Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconBook2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useClient } from '../../../object/client.tsx'
import { toEntry } from '../../../object/glossary-entry.ts'
import { useTexts } from '../../../ui/language.tsx'
import { createFinder, type Finder, termsOf } from './terms.ts'
import { texts } from './texts.ts'
import classes from './editor.module.css'

/** Finds glossary terms of a locale. All glossaries are loaded at once, because there are few. */
export function useFinder(locale: string): Finder {
  const { common } = useClient()
  const { data } = useQuery({
    queryKey: ['glossaries', 'terms', locale],
    staleTime: 300_000,
    enabled: locale !== '',
    queryFn: async () => {
      const { glossaryEntries } = await common.glossaries.retrieveMessage({ retrieveEntries: true })
      const entries = (glossaryEntries?.glossaryEntry ?? []).map(toEntry)
      return createFinder(
        entries.flatMap(({ type, wordings: { [locale]: wording } }) =>
          type === 'term' && wording?.text ? wording : [],
        ),
      )
    },
  })
  return data ?? noFinder
}
const noFinder = createFinder([])

/** The text with its terms highlighted. */
export const marked =
  (find: Finder) =>
  (text: string): ReactNode =>
    find(text).map(({ text: part, term }, i) =>
      term ? (
        <mark key={i} className={term.forbidden ? classes.forbidden : classes.term}>
          {part}
        </mark>
      ) : (
        part
      ),
    )

export function GlossaryNotes({ text, find }: { text: string; find: Finder }) {
  const t = useTexts(texts)
  const found = termsOf(find(text))
  if (found.length === 0) return null
  return (
    <Group gap="sm" mt={3}>
      {found.map(({ text: term, forbidden, instead }) => (
        <Group key={term} gap={4} wrap="nowrap" role={forbidden ? 'alert' : undefined}>
          {forbidden ? (
            <IconAlertTriangle size={13} color="var(--mantine-color-red-6)" aria-hidden />
          ) : (
            <IconBook2 size={13} color="var(--mantine-color-harbour-5)" aria-hidden />
          )}
          <Text size="xs" c={forbidden ? 'var(--mantine-color-error)' : 'dimmed'} fw={forbidden ? 600 : 400}>
            {forbidden && instead
              ? t('forbiddenUse', { term, instead })
              : t(forbidden ? 'forbidden' : 'term', { term })}
          </Text>
        </Group>
      ))}
    </Group>
  )
}
