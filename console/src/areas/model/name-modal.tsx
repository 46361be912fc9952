/** A dialog for the ID and the names of a classification or category. */
import { Classification, type Infer, type Name } from '@kontor/contract'
import { FormDialog } from '../../object/form-dialog.tsx'
import { useLabels } from '../../object/labels.ts'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'

interface NameModalProps {
  readonly title: string
  /** Names and ID of an object that exists; its ID cannot be changed. */
  readonly name?: Infer<typeof Name> | undefined
  readonly tid?: string | undefined
  readonly onClose: () => void
  /** Resolves to whether the object was stored; the dialog closes then. */
  readonly onSave: (tid: string, name: Infer<typeof Name>) => Promise<boolean>
}

export function NameModal({ title, name = {}, tid, onClose, onSave }: NameModalProps) {
  const word = useTexts(commonTexts)
  return (
    <FormDialog<Infer<typeof Classification>>
      type={Classification}
      title={title}
      submitLabel={word('save')}
      draftOf={`category.${tid ?? `new.${title}`}`}
      initial={{ name, ...(tid !== undefined && { tid }) }}
      labelOf={useLabels(texts)}
      fields={{
        tid: { required: true, disabled: tid !== undefined },
        name: { names: { most: 6 } },
        id: false,
      }}
      onSubmit={(value) => onSave(value.tid ?? '', value.name ?? {})}
      onClose={onClose}
    />
  )
}
