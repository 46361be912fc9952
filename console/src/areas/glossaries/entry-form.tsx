/** One entry: its language and kind, and for every language a text that may be forbidden. */
import { Button, Checkbox, Divider, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { glossaryEntryTypes } from '@kontor/contract'
import { useState } from 'react'
import { useClient, useMay } from '../../object/client.tsx'
import { useContentLocales } from '../../object/locales.ts'
import { settled } from '../../object/settle.ts'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useTexts } from '../../ui/language.tsx'
import { tellDone } from '../../ui/tell.tsx'
import { words } from '../../ui/words.ts'
import { type Entry, fromEntry, type Wording } from '../../object/glossary-entry.ts'
import { texts } from './texts.ts'
import { type GlossaryRow, useGlossaryChange } from './use-glossaries.ts'

interface EntryFormProps {
  readonly glossary: GlossaryRow
  readonly entry: Entry
  readonly onClose: () => void
}

export function EntryForm({ glossary, entry: before, onClose }: EntryFormProps) {
  const t = useTexts(texts)
  const word = useTexts(words)
  const may = useMay()
  const { common } = useClient()
  const change = useGlossaryChange()
  const locales = useContentLocales()
  const [entry, setEntry] = useState(before)
  const isNew = before.tid === undefined
  const own = entry.wordings[entry.locale]
  const all = [...new Set([entry.locale, ...locales.map(({ tid }) => tid), ...Object.keys(entry.wordings)])]
  const say = (locale: string, wording: Wording) =>
    setEntry((now) => ({ ...now, wordings: { ...now.wordings, [locale]: wording } }))
  const save = async () => {
    if (!(await change(() => settled(common.glossaryEntries.persist([fromEntry(entry, glossary.tid)]))))) return
    tellDone(word('saved'))
    onClose()
  }
  const remove = () =>
    confirmDanger({
      title: t('deleteEntry', { text: own?.text ?? '' }),
      body: t('deleteEntryBody'),
      confirm: word('delete'),
      cancel: word('cancel'),
      onConfirm: () =>
        void change(async () => {
          await settled(common.glossaryEntries.perform([{ type: 'delete', tid: before.tid! }]))
          onClose()
        }),
    })
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={isNew ? t('newEntry') : t('editEntry')}
      closeButtonProps={{ 'aria-label': word('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack gap="sm">
          <Group grow>
            <Select
              label={t('source')}
              data={locales.map(({ tid }) => tid)}
              value={entry.locale}
              onChange={(locale) => locale && setEntry((now) => ({ ...now, locale }))}
              disabled={!isNew}
              allowDeselect={false}
            />
            <Select
              label={t('kind')}
              data={glossaryEntryTypes.map((value) => ({ value, label: t(value) }))}
              value={entry.type}
              onChange={(type) => type && setEntry((now) => ({ ...now, type }))}
              allowDeselect={false}
            />
          </Group>
          {all.map((locale, i) => (
            <Stack key={locale} gap="xs">
              {i === 1 && <Divider label={t('translations')} labelPosition="left" />}
              <WordingField
                locale={locale}
                wording={entry.wordings[locale] ?? { text: '', forbidden: false }}
                required={i === 0}
                onChange={(wording) => say(locale, wording)}
              />
            </Stack>
          ))}
          <Text size="xs" c="dimmed">
            {t('forbidden')}: {t('forbiddenHint')}
          </Text>
          <Group justify="space-between">
            {!isNew && may('delete', 'glossaryEntry') ? (
              <Button variant="light" color="red" onClick={remove}>
                {word('delete')}
              </Button>
            ) : (
              <span />
            )}
            {may(isNew ? 'create' : 'update', 'glossaryEntry') && (
              <Button type="submit" disabled={!own?.text.trim()}>
                {word('save')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
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
  return (
    <Group wrap="nowrap" align="flex-end">
      <TextInput
        flex={1}
        label={t('textIn', { locale })}
        value={wording.text}
        onChange={({ currentTarget }) => onChange({ ...wording, text: currentTarget.value })}
        required={required}
      />
      <Checkbox
        pb={9}
        label={t('forbidden')}
        aria-label={t('forbiddenIn', { locale })}
        checked={wording.forbidden}
        onChange={({ currentTarget }) => onChange({ ...wording, forbidden: currentTarget.checked })}
      />
    </Group>
  )
}
