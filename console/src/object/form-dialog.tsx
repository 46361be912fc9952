/** A dialog with a form for a shape of the contract, and a button that stores it once the required fields have a value. */
import { Button, Group, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormModal } from '../ui/form-modal.tsx'
import { isComplete, withoutEmptyTexts } from './fields.ts'
import { DraftNotice, useFormDraft } from './form-draft.tsx'
import { type FormFields, ObjectForm, type ObjectFormProps, requiredFields } from './form.tsx'

interface FormDialogProps<V extends object> extends Pick<ObjectFormProps<V>, 'type' | 'labelOf'> {
  /** The page's exceptions; a function where they depend on the other values. */
  readonly fields?: FormFields<V> | ((value: V) => FormFields<V>)
  readonly title: string
  /** Absent where the form is only read. */
  readonly submitLabel: string | undefined
  readonly initial: V
  /** Names the edited object, such as `keyword./Sea`: unsaved changes are kept in the browser. */
  readonly draftOf?: string
  /** Stores the message; the dialog closes unless the result is false or undefined, which means that it was refused. */
  readonly onSubmit: (value: V) => Promise<unknown>
  readonly onClose: () => void
  /** For a value that is not a message yet: empty texts stay in it. */
  readonly keepEmptyTexts?: boolean
  /** A condition beyond the required fields. */
  readonly canSubmit?: (value: V) => boolean
  readonly size?: ModalProps['size']
  /** Left of the button. */
  readonly footer?: ReactNode
}

export function FormDialog<V extends object>(props: FormDialogProps<V>) {
  const { title, submitLabel, initial, draftOf, onSubmit, onClose, keepEmptyTexts, canSubmit, size, footer, ...form } =
    props
  const draft = useFormDraft(draftOf, initial)
  const { value } = draft
  const fields = typeof props.fields === 'function' ? props.fields(value) : (props.fields ?? {})
  const isReady = isComplete(value, requiredFields(form.type, fields)) && (canSubmit?.(value) ?? true)
  const submit = async () => {
    const result = await onSubmit(keepEmptyTexts ? value : withoutEmptyTexts(value))
    if (result === undefined || result === false) return
    draft.discard()
    onClose()
  }
  return (
    <FormModal
      title={title}
      {...(size !== undefined && { size })}
      keepsInput={draftOf !== undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <DraftNotice draft={draft} />
      <ObjectForm {...form} fields={fields} value={value} onChange={draft.change} autoFocus />
      <Group justify={footer ? 'space-between' : 'flex-end'}>
        {footer}
        {submitLabel !== undefined && (
          <Button type="submit" disabled={!isReady}>
            {submitLabel}
          </Button>
        )}
      </Group>
    </FormModal>
  )
}
