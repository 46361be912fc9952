/** The tags of metadata in files that fill an attribute of files and that its value is written to. */
import { MultiSelect, Stack } from '@mantine/core'
import { embeddedKeys, embeddedTags, predefinedTags } from '@kontor/contract'
import { fact } from '../../object/items.ts'
import { metadataTexts } from '../../object/metadata-texts.ts'
import type { Definition } from '../../object/model.ts'
import { useTexts } from '../../ui/language.tsx'

type Key = (typeof embeddedKeys)[number]

const listOf = (text: string) => text.split(',').flatMap((name) => (['', 'none'].includes(name.trim()) ? [] : [name.trim()])) // prettier-ignore

/** The tags of a definition: its own, else the usual ones. */
function tagsOf(value: Definition, key: Key): string[] {
  const own = fact(value, key) ?? (key === 'embeddedOut' ? fact(value, 'embedded') : undefined)
  const list = listOf(own ?? predefinedTags[value.tid]?.[key === 'embedded' ? 0 : 1] ?? '')
  return key === 'embedded' ? list : list.filter((tag) => writable.has(tag))
}

const writable = new Set(embeddedTags.flatMap(({ name, target }) => (target ? [name] : [])))
const groups = (names: readonly string[]) =>
  [...Map.groupBy(names, (name) => name.split(':')[0]!.toUpperCase())].map(([group, items]) => ({
    group,
    items: items.map((value) => ({ value, label: value.slice(value.indexOf(':') + 1) })),
  }))

interface TagFieldsProps {
  readonly value: Definition
  readonly readOnly: boolean
  readonly onChange: (value: Definition) => void
}

export function TagFields({ value, readOnly, onChange }: TagFieldsProps) {
  const t = useTexts(metadataTexts)
  const set = (key: Key, tags: readonly string[]) => {
    const others = (value.meta?.itm ?? []).filter((item) => item.key !== key)
    onChange({ ...value, meta: { itm: [...others, { key, value: tags.join(', ') || 'none' }] } })
  }
  const field = (key: Key, label: string, description: string) => {
    const chosen = tagsOf(value, key)
    const names = embeddedTags.flatMap(({ name }) => (key === 'embedded' || writable.has(name) ? [name] : []))
    return (
      <MultiSelect
        label={label}
        description={description}
        placeholder={chosen.length === 0 ? t('noTag') : undefined}
        searchable
        clearable
        disabled={readOnly}
        data={groups([...names, ...chosen.filter((tag) => !names.includes(tag))])}
        value={chosen}
        onChange={(tags) => set(key, tags)}
      />
    )
  }
  return (
    <Stack gap="sm">
      {field('embedded', t('readFrom'), t('readHint'))}
      {field('embeddedOut', t('writtenTo'), t('writtenToHint'))}
    </Stack>
  )
}
