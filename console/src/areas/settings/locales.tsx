/** The languages of the installation: which of them are used for content and for user interfaces. New ones can be added. */
import { Button, Select, Stack, Switch } from '@mantine/core'
import { type Infer, Locale } from '@kontor/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { hide } from '../../object/fields.ts'
import { fact } from '../../object/items.ts'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { useLanguage, useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { adminTexts } from './admin-texts.ts'
import { useAttempt } from './attempt.ts'
import { codesOf } from '../../object/locale-codes.ts'
import { texts } from './texts.ts'

type LocaleValue = Infer<typeof Locale>
const uses = ['content', 'frontend', 'source'] as const

export function LocalesPart() {
  const t = useTexts(texts)
  const a = useTexts(adminTexts)
  const labelOf = useLabels(texts)
  const { common } = useClient()
  const change = useLocaleChange()
  const [adding, setAdding] = useState(false)
  const locales = useQuery({
    queryKey: ['locales', 'ALL'],
    queryFn: () => common.locales.retrieve({ mode: 'ALL' }),
  })
  const isUsed = (locale: LocaleValue, use: (typeof uses)[number]) => fact(locale, use) === 'true'
  const contentCount = locales.data?.filter((locale) => isUsed(locale, 'content')).length ?? 0
  /** One language is always used for content, and texts are always translated from one of those. */
  const isFixed = (locale: LocaleValue, use: (typeof uses)[number]) =>
    use === 'source'
      ? isUsed(locale, use) || !isUsed(locale, 'content')
      : use === 'content' && contentCount === 1 && isUsed(locale, use)
  return (
    <>
      <ListPage
        type={Locale}
        label={t('locales')}
        query={locales}
        labelOf={labelOf}
        keyOf={({ tid = '' }) => tid}
        tools={<Button onClick={() => setAdding(true)}>{a('newLocale')}</Button>}
        fields={{
          name: { width: 'minmax(12rem, 2fr)' },
          tid: { title: a('code'), width: '7rem' },
          ...hide('id', 'language', 'country'),
        }}
        moreColumns={uses.map((use) => ({
          id: use,
          title: a(use),
          width: '13rem',
          text: (locale: LocaleValue) => String(isUsed(locale, use)),
          show: (locale: LocaleValue) => (
            <Switch
              aria-label={`${a(use)}: ${locale.name}`}
              title={use === 'content' ? a('localeOff') : undefined}
              checked={isUsed(locale, use)}
              disabled={isFixed(locale, use)}
              onChange={({ currentTarget: { checked } }) => void change(locale.tid!, { [use]: checked })}
            />
          ),
        }))}
      />
      {adding && (
        <AddLocale
          taken={(locales.data ?? []).map(({ tid = '' }) => tid)}
          onAdd={(tid) => change(tid, { content: true })}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

function useLocaleChange() {
  const { common } = useClient()
  const attempt = useAttempt()
  const queries = useQueryClient()
  return async (tid: string, body: { content?: boolean; frontend?: boolean; source?: boolean }) => {
    const stored = await attempt(common.putLocale({ params: { locale: tid }, body }))
    await queries.invalidateQueries({ queryKey: ['locales'] })
    return stored
  }
}

interface AddLocaleProps {
  readonly taken: readonly string[]
  readonly onAdd: (tid: string) => Promise<unknown>
  readonly onClose: () => void
}

/** Language and country are chosen by their names. */
function AddLocale({ taken, onAdd, onClose }: AddLocaleProps) {
  const a = useTexts(adminTexts)
  const w = useTexts(commonTexts)
  const { language: shown } = useLanguage()
  const [language, setLanguage] = useState<string | null>(null)
  const [country, setCountry] = useState<string | null>(null)
  const tid = language && country ? `${language}_${country}` : ''
  const submit = async () => {
    if (await onAdd(tid)) onClose()
  }
  return (
    <FormModal title={a('newLocale')} onSubmit={submit} onClose={onClose}>
      <Stack>
        <Select
          label={a('localeLanguage')}
          data={codesOf('language', shown)}
          value={language}
          onChange={setLanguage}
          searchable
          required
          data-autofocus
        />
        <Select
          label={a('localeCountry')}
          data={codesOf('region', shown)}
          value={country}
          onChange={setCountry}
          searchable
          required
        />
        <Button type="submit" disabled={tid === '' || taken.includes(tid)} ml="auto">
          {w('add')}
        </Button>
      </Stack>
    </FormModal>
  )
}
