/** A text per locale: one input for each language of the content, and one for the technical name where an object has it. */
import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { Infer, Name } from '@kontor/contract'
import { valueIn, withValue } from './items.ts'
import { useContentLocales, useLocaleName } from './locales.ts'

type Names = Infer<typeof Name>

export interface NamesOptions {
  /** The name without a locale, which forms the path of the object. */
  readonly technical?: { readonly label: string; readonly description: string }
  /** How many of the languages get an input; all when absent. */
  readonly most?: number
}

interface NamesInputProps extends NamesOptions {
  readonly label: string
  readonly disabled: boolean
  readonly readOnly: boolean
  readonly value: Names | undefined
  readonly onChange: (value: Names) => void
}

export function NamesInput({ label, disabled, readOnly, technical, most, value, onChange }: NamesInputProps) {
  const locales = useContentLocales().slice(0, most)
  const localeName = useLocaleName()
  const inputOf = (locale: string | undefined) => ({
    disabled,
    readOnly,
    value: valueIn(value, locale),
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange(withValue(value, locale, event.currentTarget.value)),
  })
  return (
    <Stack gap="sm">
      {technical && <TextInput {...inputOf(undefined)} {...technical} required />}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="sm">
        {locales.map(({ tid }) => (
          <TextInput key={tid} {...inputOf(tid)} label={`${label}, ${localeName(tid)}`} />
        ))}
      </SimpleGrid>
    </Stack>
  )
}
