/** Further rules of a column: units, parts of a cell, and other values for what the cells contain. */
import { ActionIcon, Button, Group, NumberInput, Textarea, TextInput } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { useState } from 'react'
import { FormModal } from '../../../ui/form-modal.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { useTexts } from '../../../ui/language.tsx'
import { texts } from './texts.ts'
import type { Column } from './use-mapping.ts'
import { linesOf, type Values, valuesIn } from './value-lines.ts'

interface ColumnOptionsProps {
  readonly column: Column
  /** The file does not have the column: a template fills it. */
  readonly isAdded: boolean
  readonly onChange: (column: Column) => void
}

export function ColumnOptions(props: ColumnOptionsProps) {
  const t = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  const { column } = props
  const { unit, split, join, template, values, position } = column
  const hasAny = [unit, split, join, template, values, position].some((one) => one !== undefined)
  return (
    <>
      <ActionIcon
        variant={hasAny ? 'light' : 'subtle'}
        size="lg"
        aria-label={t('optionsOf', { column: column.column })}
        onClick={() => setOpen(true)}
      >
        <IconAdjustments size={18} />
      </ActionIcon>
      {isOpen && <OptionsForm {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

const ownFields = ['unit', 'cellUnit', 'split', 'join'] as const

function OptionsForm({ column, isAdded, onChange, onClose }: ColumnOptionsProps & { readonly onClose: () => void }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const [draft, setDraft] = useState<Column>(column)
  const [lines, setLines] = useState(linesOf((column.values ?? {}) as Values))
  const places = draft.attr === undefined ? (['part'] as const) : (['part', 'position'] as const)
  const fields = isAdded ? (['template', ...ownFields] as const) : ownFields
  const submit = () => {
    const { values: _, ...others } = draft
    const values = valuesIn(lines)
    const filled = Object.entries(others).filter(([, value]) => value !== '' && value !== undefined)
    onChange({ ...Object.fromEntries(filled), column: draft.column, ...(Object.keys(values).length > 0 && { values }) })
    onClose()
  }
  return (
    <FormModal title={t('optionsOf', { column: column.column })} onSubmit={submit} onClose={onClose}>
      {fields.map((field) => (
        <TextInput
          key={field}
          label={t(field)}
          description={t(`${field}Hint`, { example: '{Brand} {Model}' })}
          value={draft[field] ?? ''}
          onChange={(event) => setDraft({ ...draft, [field]: event.currentTarget.value })}
        />
      ))}
      {places.map((field) => (
        <NumberInput
          key={field}
          label={t(field)}
          description={t(`${field}Hint`)}
          min={1}
          max={1000}
          value={draft[field] === undefined ? '' : draft[field] + 1}
          onChange={(value) => {
            const { [field]: _, ...others } = draft
            setDraft(typeof value === 'number' ? { ...others, [field]: value - 1 } : others)
          }}
        />
      ))}
      <Textarea
        label={t('values')}
        description={t('valuesHint')}
        autosize
        minRows={2}
        maxRows={10}
        value={lines}
        onChange={(event) => setLines(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button type="submit">{w('save')}</Button>
      </Group>
    </FormModal>
  )
}
