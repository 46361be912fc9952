/** Renames files by a pattern, with a live preview of old and new names. */
import { Checkbox, Group, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../ui/language.tsx'
import { useContentLocale } from '../locales.ts'
import { useAssetAttributes } from '../model.ts'
import type { Operation } from './operations.ts'
import { PatternModal } from './pattern-preview.tsx'
import { patternTexts } from './pattern-texts.ts'
import type { Selection } from './use-live-preview.ts'

const placeholders = {
  fieldName: '{$name}',
  fieldPart: '{$part:1}',
  fieldCounter: '{$counter:001}',
  fieldNumber: '{$number:1}',
  fieldTaken: '{$taken:yyyy-MM-dd}',
  fieldCreated: '{$created:yyyy-MM-dd}',
  fieldFolder: '{$folder}',
  fieldProduct: '{$product}',
  fieldProductName: '{$productName}',
} as const

export function RenameDialog({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const t = useTexts(patternTexts)
  const [locale] = useContentLocale()
  const attributes = useAssetAttributes()
  const [draft, setDraft] = useState({
    template: '{$name}',
    find: '',
    replacement: '',
    isPattern: false,
    letterCase: 'keep',
    plainCharacters: false,
    onConflict: 'refuse',
  })
  const set = (changed: Partial<typeof draft>) => setDraft({ ...draft, ...changed })
  const fields = Object.entries(placeholders) as [keyof typeof placeholders, string][]
  const inserts = [
    ...fields.map(([name, value]) => ({ value, label: t(name) })),
    ...[...attributes.values()]
      .filter(({ dataType }) => dataType !== 'table')
      .map(({ key, label, localized }) => ({ value: `{${key}${localized ? `@${locale}` : ''}}`, label })),
  ]
  const { template, find, replacement, isPattern, letterCase, plainCharacters, onConflict } = draft
  const operation: Operation | undefined = template.trim()
    ? {
        type: 'rename',
        template: template.trim(),
        ...(find && { find, replacement, ...(isPattern && { isPattern }) }),
        ...(letterCase !== 'keep' && { letterCase: letterCase as 'lower' | 'upper' }),
        ...(plainCharacters && { plainCharacters }),
        onConflict: onConflict as 'refuse' | 'number',
      }
    : undefined
  return (
    <PatternModal of="rename" selection={selection} operation={operation} onClose={onClose}>
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <TextInput
          label={t('newName')}
          description={t('newNameHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={2000}
          value={template}
          onChange={({ currentTarget }) => set({ template: currentTarget.value })}
          data-autofocus
        />
        <Select
          maw={260}
          label={t('insert')}
          data={inserts}
          value={null}
          onChange={(part) => part && set({ template: template + part })}
          searchable
        />
      </Group>
      <Group align="flex-end" grow>
        <TextInput
          label={t('find')}
          value={find}
          onChange={({ currentTarget }) => set({ find: currentTarget.value })}
        />
        <TextInput
          label={t('replacement')}
          value={replacement}
          onChange={({ currentTarget }) => set({ replacement: currentTarget.value })}
        />
        <Checkbox
          mb={8}
          label={t('isPattern')}
          checked={isPattern}
          onChange={({ currentTarget }) => set({ isPattern: currentTarget.checked })}
        />
      </Group>
      <Group align="flex-end" grow>
        <Select
          label={t('letterCase')}
          data={[
            { value: 'keep', label: t('keepCase') },
            { value: 'lower', label: t('lower') },
            { value: 'upper', label: t('upper') },
          ]}
          value={letterCase}
          onChange={(value) => set({ letterCase: value ?? 'keep' })}
          allowDeselect={false}
        />
        <Select
          label={t('onConflict')}
          data={[
            { value: 'refuse', label: t('refuse') },
            { value: 'number', label: t('number') },
          ]}
          value={onConflict}
          onChange={(value) => set({ onConflict: value ?? 'refuse' })}
          allowDeselect={false}
        />
        <Checkbox
          mb={8}
          label={t('plainCharacters')}
          checked={plainCharacters}
          onChange={({ currentTarget }) => set({ plainCharacters: currentTarget.checked })}
        />
      </Group>
    </PatternModal>
  )
}
