/** A dialog for the ID and the names of a classification or category. */
import { Classification, type Infer, type Name } from '@kontor/contract'
import { FormDialog } from '../../object/form-dialog.tsx'
import { nameIn } from '../../object/items.ts'
import { useLabels } from '../../object/labels.ts'
import { useContentLocale } from '../../object/locales.ts'
import { newId } from '../../object/new-id.ts'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'

interface NameModalProps {
  readonly title: string
  /** Names and ID of an object that exists; its ID cannot be changed. */
  readonly name?: Infer<typeof Name> | undefined
  readonly tid?: string | undefined
  /** IDs of the objects beside it, for a new one. */
  readonly taken?: readonly string[]
  readonly onClose: () => void
  /** Resolves to whether the object was stored; the dialog closes then. */
  readonly onSave: (tid: string, name: Infer<typeof Name>) => Promise<boolean>
}

export function NameModal({ title, name = {}, tid, taken, onClose, onSave }: NameModalProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const [locale] = useContentLocale()
  return (
    <FormDialog<Infer<typeof Classification>>
      type={Classification}
      title={title}
      submitLabel={word('save')}
      draftOf={`category.${tid ?? `new.${title}`}`}
      initial={{ name, ...(tid !== undefined && { tid }) }}
      labelOf={useLabels(texts)}
      fields={{
        name: { names: { most: 6 } },
        tid: { disabled: tid !== undefined, description: tid === undefined ? t('idHint') : undefined },
        id: false,
      }}
      canSubmit={(value) => nameIn(value.name, locale) !== ''}
      onSubmit={(value) => onSave(value.tid?.trim() || newId(nameIn(value.name, locale), taken), value.name ?? {})}
      onClose={onClose}
    />
  )
}
