/** A dialog with a form for a shape of the contract, and a button that stores it once the required fields have a value. */
import { Button, Group, type ModalProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { FormModal } from '../ui/form-modal.tsx'
import { isComplete, withoutEmptyTexts } from './fields.ts'
import { type FormFields, ObjectForm, type ObjectFormProps, requiredFields } from './form.tsx'

interface FormDialogProps<V extends object> extends Pick<ObjectFormProps<V>, 'type' | 'labelOf'> {
  /** The page's exceptions; a function where they depend on the other values. */
  readonly fields?: FormFields<V> | ((value: V) => FormFields<V>)
  readonly title: string
  /** Absent where the form is only read. */
  readonly submitLabel: string | undefined
  readonly initial: V
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
  const { title, submitLabel, initial, onSubmit, onClose, keepEmptyTexts, canSubmit, size, footer, ...form } = props
  const [value, setValue] = useState(initial)
  const fields = typeof props.fields === 'function' ? props.fields(value) : (props.fields ?? {})
  const isReady = isComplete(value, requiredFields(form.type, fields)) && (canSubmit?.(value) ?? true)
  const submit = async () => {
    const result = await onSubmit(keepEmptyTexts ? value : withoutEmptyTexts(value))
    if (result !== undefined && result !== false) onClose()
  }
  return (
    <FormModal title={title} {...(size !== undefined && { size })} onSubmit={submit} onClose={onClose}>
      <ObjectForm {...form} fields={fields} value={value} onChange={setValue} autoFocus />
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
