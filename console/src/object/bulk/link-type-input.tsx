/** The type of a link: a relation between products, or the role of a picture, for which people may type a word of their own. */
import { Autocomplete, type AutocompleteProps, Select } from '@mantine/core'
import { nameIn } from '../items.ts'
import { useContentLocale } from '../locales.ts'
import { usePictureRoles } from '../picture-roles.ts'
import { useRelationTypes } from '../relation-types.ts'

interface LinkTypeInputProps extends Pick<AutocompleteProps, 'label' | 'flex'> {
  readonly kind: 'product' | 'file'
  readonly value: string
  readonly onChange: (value: string) => void
}

export const LinkTypeInput = ({ kind, ...props }: LinkTypeInputProps) =>
  kind === 'product' ? <RelationInput {...props} /> : <RoleInput {...props} />

function RelationInput({ value, onChange, ...props }: Omit<LinkTypeInputProps, 'kind'>) {
  const [locale] = useContentLocale()
  const types = useRelationTypes().map(({ tid = '', label }) => ({ value: tid, label: nameIn(label, locale) || tid }))
  const isKnown = value === '' || types.some((one) => one.value === value)
  return (
    <Select
      {...props}
      data={isKnown ? types : [...types, { value, label: value }]}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
      searchable
      clearable
    />
  )
}

function RoleInput({ value, onChange, ...props }: Omit<LinkTypeInputProps, 'kind'>) {
  const { names, nameOf, roleOf } = usePictureRoles()
  return (
    <Autocomplete
      {...props}
      data={names}
      maxLength={255}
      value={nameOf(value)}
      onChange={(name) => onChange(roleOf(name))}
    />
  )
}
