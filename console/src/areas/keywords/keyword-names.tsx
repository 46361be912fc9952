/** The names of one keyword: the technical one, and one per language of the content. An emptied name is removed. */
import { Anchor, Button, Group, Stack, TextInput, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../object/client.tsx'
import { useContentLocales } from '../../object/locales.ts'
import { useTexts } from '../../ui/language.tsx'
import { words } from '../../ui/words.ts'
import { texts } from './texts.ts'
import type { KeywordActions, KeywordMessage } from './use-keywords.tsx'

export function KeywordNames({ keyword, act }: { keyword: KeywordMessage; act: KeywordActions }) {
  const t = useTexts(texts)
  const word = useTexts(words)
  const may = useMay()
  const locales = useContentLocales()
  const stored = Object.fromEntries((keyword.name?.itm ?? []).map(({ loc = '', value = '' }) => [loc, value]))
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({})
  const names: Readonly<Record<string, string>> = { ...stored, ...changed }
  const isChanged = Object.entries(changed).some(([loc, value]) => value !== (stored[loc] ?? ''))
  const save = async () => {
    const itm = Object.entries(names).map(([loc, value]) => ({
      ...(value.trim() && { value: value.trim() }),
      ...(loc && { loc }),
    }))
    if (await act.save(keyword, { itm })) setChanged({})
  }
  const field = (loc: string, label: string) => ({
    label,
    value: names[loc] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setChanged((before) => ({ ...before, [loc]: value })),
    readOnly: !may('update', 'keyword'),
  })
  return (
    <Stack p="lg" gap="md" maw={560} style={{ overflow: 'auto' }}>
      <Title order={2}>{keyword.path}</Title>
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/assets" search={{ side: 'keywords', keyword: keyword.path } as never} {...props} />
        )}
      >
        {t('files')}
      </Anchor>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack gap="sm">
          <TextInput {...field('', t('technicalName'))} description={t('technicalHint')} required />
          <Title order={3} mt="sm">
            {t('translations')}
          </Title>
          {locales.map(({ tid }) => (
            <TextInput key={tid} {...field(tid, t('nameIn', { locale: tid }))} />
          ))}
          {may('update', 'keyword') && (
            <Group justify="flex-end">
              <Button type="submit" disabled={!isChanged || !names['']?.trim()}>
                {word('save')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Stack>
  )
}
