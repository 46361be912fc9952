/** The format of identifiers, measures and prices in the form of a definition. */
import { Checkbox, MultiSelect, Select, Stack } from '@mantine/core'
import { identifierSchemes } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import type { Definition } from '../../object/model.ts'
import { useFamilyName } from '../../object/unit-families.ts'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'

interface FormatFieldsProps {
  readonly value: Definition
  readonly readOnly: boolean
  /** Only products have unique values. */
  readonly mayBeUnique: boolean
  readonly onChange: (value: Definition) => void
}
type Scheme = (typeof identifierSchemes)[number]

export function IdentifierFormat({ value, readOnly, mayBeUnique, onChange }: FormatFieldsProps) {
  const t = useTexts(texts)
  const { scheme, unique } = value.format ?? {}
  const set = (next: { scheme?: Scheme | undefined; unique?: 'true' | 'false' | undefined }) => {
    const format = { scheme, unique, ...next }
    onChange({
      ...value,
      format: { ...(format.scheme && { scheme: format.scheme }), ...(format.unique === 'true' && { unique: 'true' }) },
    })
  }
  return (
    <Stack gap="sm">
      <Select
        label={t('scheme')}
        data={[
          { value: '', label: t('noScheme') },
          ...identifierSchemes.map((one) => ({ value: one, label: t(`scheme_${one}`) })),
        ]}
        disabled={readOnly}
        value={scheme ?? ''}
        allowDeselect={false}
        onChange={(next) => set({ scheme: identifierSchemes.find((one) => one === next) })}
      />
      {mayBeUnique && (
        <Checkbox
          label={t('unique')}
          disabled={readOnly}
          checked={unique === 'true'}
          onChange={({ currentTarget: { checked } }) => set({ unique: checked ? 'true' : 'false' })}
        />
      )}
    </Stack>
  )
}

export function MeasureFormat({ value, readOnly, onChange }: FormatFieldsProps) {
  const t = useTexts(texts)
  const familyName = useFamilyName()
  const byFamily = Map.groupBy(useUnits(), ({ family }) => family)
  const data = [...byFamily].flatMap(([family, some]) =>
    family === undefined ? [] : [{ family, codes: some.map(({ code }) => code).join(', ') }],
  )
  return (
    <Select
      label={t('family')}
      description={t('familyHint')}
      data={data.map(({ family, codes }) => ({ value: family, label: `${familyName(family)} (${codes})` }))}
      disabled={readOnly}
      required
      searchable
      value={value.format?.family ?? null}
      onChange={(family) => family && onChange({ ...value, format: { family } })}
    />
  )
}

export function PriceFormat({ value, readOnly, onChange }: FormatFieldsProps) {
  const t = useTexts(texts)
  const currencies = useUnits().filter(({ kind }) => kind === 'currency')
  return (
    <MultiSelect
      label={t('currencies')}
      data={currencies.map(({ code = '' }) => code)}
      disabled={readOnly}
      required
      searchable
      value={(value.format?.unit ?? []).map(({ code }) => code)}
      onChange={(codes) => onChange({ ...value, format: { unit: codes.map((code) => ({ code })) } })}
    />
  )
}

function useUnits() {
  const { common } = useClient()
  const { data = [] } = useQuery({
    queryKey: ['settings', 'units', 'all'],
    queryFn: async () => (await common.listUnits()).units ?? [],
  })
  return data
}
