/** A name per language, and a tid for what is new. */
import { Button, Group, TextInput } from '@mantine/core'
import type { Infer, Name } from '@kontor/contract'
import { useState } from 'react'
import { useContentLocales } from '../../object/locales.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { words } from '../../ui/words.ts'
import { texts } from './texts.ts'

interface NameModalProps {
  readonly title: string
  readonly name?: Infer<typeof Name> | undefined
  /** Of what is there already; it cannot be changed. */
  readonly tid?: string | undefined
  readonly onClose: () => void
  /** Whether it was done; the window closes then. */
  readonly onDone: (tid: string, name: { itm: { value?: string; loc?: string }[] }) => Promise<boolean>
}

export function NameModal({ title, name, tid: known, onClose, onDone }: NameModalProps) {
  const t = useTexts(texts)
  const word = useTexts(words)
  const locales = useContentLocales().slice(0, 6)
  const [tid, setTid] = useState(known ?? '')
  const [names, setNames] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries((name?.itm ?? []).map(({ loc = '', value = '' }) => [loc, value])),
  )
  const store = async () => {
    const itm = Object.entries(names).map(([loc, value]) => ({ ...(value && { value }), ...(loc && { loc }) }))
    if (await onDone(tid, { itm })) onClose()
  }
  return (
    <FormModal title={title} onSubmit={store} onClose={onClose}>
      <TextInput
        label={t('tid')}
        value={tid}
        onChange={({ currentTarget }) => setTid(currentTarget.value)}
        disabled={known !== undefined}
        required
        data-autofocus={known === undefined || undefined}
      />
      {locales.map(({ tid: locale }) => (
        <TextInput
          key={locale}
          label={t('nameIn', { locale })}
          value={names[locale] ?? ''}
          onChange={({ currentTarget: { value } }) => setNames((before) => ({ ...before, [locale]: value }))}
        />
      ))}
      <Group justify="flex-end">
        <Button type="submit" disabled={!tid}>
          {word('save')}
        </Button>
      </Group>
    </FormModal>
  )
}
