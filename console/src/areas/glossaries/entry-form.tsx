/** One entry of a glossary: its source language and kind, and for every language a text that may be forbidden. */
import { Button, Checkbox, Divider, Group, Stack, Text, TextInput } from '@mantine/core'
import { GlossaryEntry, type Type } from '@kontor/contract'
import { useClient, useMay } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { FormDialog } from '../../object/form-dialog.tsx'
import { type Entry, fromEntry, type Wording } from '../../object/glossary-entry.ts'
import { useLabels } from '../../object/labels.ts'
import { useContentLocales, useLocaleName } from '../../object/locales.ts'
import { accepted } from '../../object/records.ts'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'
import { type GlossaryRow, useGlossaryChange } from './use-glossaries.ts'

/** The message keeps the texts in `meta` and `links`; the form edits them together as wordings. */
const EntryShape: Type<Entry> = {
  name: 'entry',
  doc: GlossaryEntry.doc,
  fields: {
    locale: { ...GlossaryEntry.fields['loc']!, required: true },
    type: { ...GlossaryEntry.fields['type']!, required: true },
    wordings: { kind: 'map' },
  },
}

interface EntryFormProps {
  readonly glossary: GlossaryRow
  readonly entry: Entry
  readonly onClose: () => void
}

export function EntryForm({ glossary, entry, onClose }: EntryFormProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const may = useMay()
  const { common } = useClient()
  const change = useGlossaryChange()
  const locales = useContentLocales().map(({ tid }) => tid)
  const isNew = entry.tid === undefined
  const save = async (changed: Entry) => {
    const isDone = await change(() => accepted(common.glossaryEntries.persist([fromEntry(changed, glossary.tid)])))
    if (isDone) notifyDone(word('saved'))
    return isDone
  }
  const confirmDelete = useConfirmDelete()
  const { text = '' } = entry.wordings[entry.locale] ?? {}
  const remove = () =>
    confirmDelete(t('deleteEntry', { text }), t('deleteEntryBody'), () =>
      change(async () => {
        await accepted(common.glossaryEntries.perform([{ type: 'delete', tid: entry.tid! }]))
        onClose()
      }),
    )
  return (
    <FormDialog
      type={EntryShape}
      title={t(isNew ? 'newEntry' : 'entry')}
      submitLabel={may(isNew ? 'create' : 'update', 'glossaryEntry') ? word('save') : undefined}
      size="lg"
      initial={entry}
      draftOf={`glossaryEntry.${entry.tid ?? `new.${glossary.tid}`}`}
      keepEmptyTexts
      labelOf={useLabels(texts)}
      fields={{
        locale: { options: locales, disabled: !isNew },
        type: {},
        wordings: { control: (value, onChange) => <Wordings entry={value} locales={locales} onChange={onChange} /> },
      }}
      canSubmit={({ wordings, locale }) => Boolean(wordings[locale]?.text.trim())}
      onSubmit={save}
      onClose={onClose}
      footer={
        !isNew &&
        may('delete', 'glossaryEntry') && (
          <Button variant="light" color="red" onClick={remove}>
            {word('delete')}
          </Button>
        )
      }
    />
  )
}

interface WordingsProps {
  readonly entry: Entry
  readonly locales: readonly string[]
  readonly onChange: (entry: Entry) => void
}

/** The text of the source language first, then all translations. */
function Wordings({ entry, locales, onChange }: WordingsProps) {
  const t = useTexts(texts)
  const all = [...new Set([entry.locale, ...locales, ...Object.keys(entry.wordings)])]
  return (
    <Stack gap="sm">
      {all.map((locale, i) => (
        <Stack key={locale} gap="xs">
          {i === 1 && <Divider label={t('translations')} labelPosition="left" />}
          <WordingField
            locale={locale}
            wording={entry.wordings[locale] ?? { text: '', forbidden: false, instead: '' }}
            required={i === 0}
            onChange={(wording) => onChange({ ...entry, wordings: { ...entry.wordings, [locale]: wording } })}
          />
        </Stack>
      ))}
      <Text size="xs" c="dimmed">
        {t('forbiddenHint')}
      </Text>
    </Stack>
  )
}

interface WordingFieldProps {
  readonly locale: string
  readonly wording: Wording
  readonly required: boolean
  readonly onChange: (wording: Wording) => void
}

function WordingField({ locale, wording, required, onChange }: WordingFieldProps) {
  const t = useTexts(texts)
  const name = useLocaleName()(locale)
  return (
    <Group wrap="nowrap" align="flex-end">
      <TextInput
        flex={1}
        label={t('textIn', { locale: name })}
        value={wording.text}
        onChange={({ currentTarget }) => onChange({ ...wording, text: currentTarget.value })}
        required={required}
      />
      {wording.forbidden && (
        <TextInput
          flex={1}
          label={t('insteadIn', { locale: name })}
          value={wording.instead}
          onChange={({ currentTarget }) => onChange({ ...wording, instead: currentTarget.value })}
        />
      )}
      <Checkbox
        pb={9}
        label={t('forbidden')}
        aria-label={t('forbiddenIn', { locale: name })}
        checked={wording.forbidden}
        onChange={({ currentTarget }) => onChange({ ...wording, forbidden: currentTarget.checked })}
      />
    </Group>
  )
}
