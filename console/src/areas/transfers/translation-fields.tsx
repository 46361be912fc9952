/** The fields of an export for translators: from which language into which one, and which texts. */
import { Checkbox, Select } from '@mantine/core'
import { translationStates } from '@kontor/contract'
import { useContentLocales, useLocaleName, useSourceLocale } from '../../object/locales.ts'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'

export interface Translation {
  readonly source: string
  readonly target: string | undefined
  readonly state: (typeof translationStates)[number]
  readonly memory: boolean
}
export const noTranslation: Translation = { source: '', target: undefined, state: 'open', memory: true }

interface TranslationFieldsProps {
  readonly value: Translation
  readonly onChange: (value: Translation) => void
}

export function TranslationFields({ value, onChange }: TranslationFieldsProps) {
  const t = useTexts(texts)
  const locales = useContentLocales()
  const usual = useSourceLocale()
  const localeName = useLocaleName()
  const source = value.source || usual
  const data = locales.map(({ tid }) => ({ value: tid, label: localeName(tid) }))
  return (
    <>
      <Select
        label={t('translateFrom')}
        data={data}
        value={source}
        allowDeselect={false}
        onChange={(one) => onChange({ ...value, source: one ?? '' })}
      />
      <Select
        label={t('translateInto')}
        data={data.filter((one) => one.value !== source)}
        value={value.target ?? null}
        onChange={(one) => onChange({ ...value, target: one ?? undefined })}
        required
        searchable
      />
      <Select
        label={t('whichTexts')}
        data={translationStates.map((state) => ({ value: state, label: t(`texts_${state}`) }))}
        value={value.state}
        allowDeselect={false}
        onChange={(one) => onChange({ ...value, state: (one ?? 'open') as Translation['state'] })}
      />
      <Checkbox
        label={t('fillKnown')}
        description={t('fillKnownHint')}
        checked={value.memory}
        onChange={({ currentTarget }) => onChange({ ...value, memory: currentTarget.checked })}
      />
    </>
  )
}
