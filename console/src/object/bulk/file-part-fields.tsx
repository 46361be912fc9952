/** The fields of operations on usage rights and keywords of files. */
import { usageMedia, usageRightFields } from '@kontor/contract'
import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core'
import { DateField } from '../../ui/date-field.tsx'
import { useLanguage, useTexts } from '../../ui/language.tsx'
import { codesOf } from '../locale-codes.ts'
import { Picker, PickOne } from '../picker.tsx'
import { usageTexts } from '../usage-texts.ts'
import { choiceOf, type OperationDraft, type UsageRight } from './operations.ts'
import { texts } from './texts.ts'

const parts: ReadonlySet<unknown> = new Set(['usage', 'usagePart', 'keywords', 'keywordPair'])
export const isFilePart = (fields: unknown) => parts.has(fields)

interface FilePartProps {
  readonly operation: OperationDraft
  readonly onChange: (operation: OperationDraft) => void
}

export function FilePartFields({ operation, onChange }: FilePartProps) {
  const t = useTexts(texts)
  const u = useTexts(usageTexts)
  const { fields } = choiceOf(operation.choice)
  const set = (changed: Partial<OperationDraft>) => onChange({ ...operation, ...changed })
  if (fields === 'keywords')
    return (
      <Picker
        kind="keyword"
        label={t('keywords')}
        value={[...operation.texts]}
        onChange={(keywords) => set({ texts: keywords })}
      />
    )
  if (fields === 'keywordPair')
    return (
      <>
        <PickOne
          kind="keyword"
          label={t('keyword')}
          value={operation.find || undefined}
          onChange={(find = '') => set({ find })}
        />
        <PickOne
          kind="keyword"
          label={t('newKeyword')}
          value={operation.replacement || undefined}
          onChange={(replacement = '') => set({ replacement })}
        />
      </>
    )
  return (
    <>
      <Select
        label={t('usagePart')}
        data={usageRightFields.map((value) => ({ value, label: u(value) }))}
        value={operation.usageRight ?? null}
        onChange={(value) => set({ usageRight: (value ?? undefined) as UsageRight | undefined, texts: [] })}
      />
      {fields === 'usage' && operation.usageRight && (
        <UsageField right={operation.usageRight} value={[...operation.texts]} onChange={(texts) => set({ texts })} />
      )}
    </>
  )
}

interface UsageFieldProps {
  readonly right: UsageRight
  readonly value: string[]
  readonly onChange: (value: string[]) => void
}

function UsageField({ right, value, onChange }: UsageFieldProps) {
  const u = useTexts(usageTexts)
  const t = useTexts(texts)
  const { language } = useLanguage()
  const shared = { label: t('value'), value, onChange }
  const [first = ''] = value
  const one = (text: string) => onChange(text === '' ? [] : [text])
  switch (right) {
    case 'channels':
      return <Picker kind="project" {...shared} />
    case 'territories':
      return <MultiSelect {...shared} data={codesOf('region', language)} searchable />
    case 'media':
      return <MultiSelect {...shared} data={usageMedia.map((medium) => ({ value: medium, label: u(medium) }))} />
    case 'releases':
      return <TagsInput {...shared} />
    case 'validFrom':
    case 'validUntil':
    case 'embargoUntil':
      return <DateField label={t('value')} value={first} onChange={one} />
    default:
      return <TextInput label={t('value')} value={first} onChange={({ currentTarget }) => one(currentTarget.value)} />
  }
}
