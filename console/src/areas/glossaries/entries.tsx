/** The entries of a glossary: one row each, one column per language, forbidden words marked. */
import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { IconBook2, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useMay } from '../../object/client.tsx'
import { type ListColumn, ObjectList } from '../../object/list.tsx'
import { useContentLocale, useContentLocales } from '../../object/locales.ts'
import { useTexts } from '../../ui/language.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Entry, Wording } from '../../object/glossary-entry.ts'
import { EntryForm } from './entry-form.tsx'
import { texts } from './texts.ts'
import type { GlossaryRow } from './use-glossaries.ts'

/** The number of languages side by side; the form has all of them. */
const mostColumns = 4

export function Entries({ glossary, entries }: { glossary: GlossaryRow; entries: readonly Entry[] }) {
  const t = useTexts(texts)
  const may = useMay()
  const [locale] = useContentLocale()
  const [editing, setEditing] = useState<Entry>()
  const columns = useEntryColumns(entries, setEditing)
  const add = may('create', 'glossaryEntry') && (
    <Button
      leftSection={<IconPlus size={16} />}
      variant="default"
      onClick={() => setEditing({ type: 'term', locale, wordings: {} })}
    >
      {t('newEntry')}
    </Button>
  )
  return (
    <>
      {entries.length === 0 ? (
        <Empty icon={IconBook2} title={t('noEntries')} action={add}>
          {t('noEntriesBody')}
        </Empty>
      ) : (
        <ObjectList
          label={t('entries')}
          rows={entries}
          columns={columns}
          keyOf={({ tid }) => tid!}
          onOpen={setEditing}
          tools={add}
        />
      )}
      {editing && (
        <EntryForm key={editing.tid} glossary={glossary} entry={editing} onClose={() => setEditing(undefined)} />
      )}
    </>
  )
}

/** The text in the source language. */
const ownText = ({ wordings, locale }: Entry) => wordings[locale]?.text ?? ''

/** The chosen language first, then languages that have entries, then the others. */
function useEntryColumns(entries: readonly Entry[], onOpen: (entry: Entry) => void): ListColumn<Entry>[] {
  const t = useTexts(texts)
  const [chosen] = useContentLocale()
  const locales = useContentLocales()
  return useMemo(() => {
    const used = new Set(entries.flatMap(({ wordings }) => Object.keys(wordings)))
    const ordered = [...new Set([chosen, ...used, ...locales.map(({ tid }) => tid)])].slice(0, mostColumns)
    return [
      {
        id: 'entry',
        title: t('entry'),
        width: 'minmax(9rem, 1fr)',
        text: ownText,
        show: (entry: Entry) => (
          <Anchor component="button" type="button" size="sm" truncate onClick={() => onOpen(entry)}>
            {ownText(entry)}
          </Anchor>
        ),
      },
      ...ordered.map((locale) => ({
        id: locale,
        title: locale,
        width: 'minmax(9rem, 1fr)',
        text: ({ wordings }: Entry) => wordings[locale]?.text ?? '',
        show: ({ wordings }: Entry) => <Words wording={wordings[locale]} />,
      })),
      { id: 'type', title: t('type'), width: '7rem', text: ({ type }: Entry) => t(type) },
    ]
  }, [entries, locales, chosen, t, onOpen])
}

function Words({ wording }: { wording: Wording | undefined }) {
  const t = useTexts(texts)
  if (!wording?.text) return null
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" truncate td={wording.forbidden ? 'line-through' : undefined}>
        {wording.text}
      </Text>
      {wording.forbidden && (
        <Badge size="xs" color="red" variant="light" tt="none">
          {t('forbidden')}
        </Badge>
      )}
    </Group>
  )
}
