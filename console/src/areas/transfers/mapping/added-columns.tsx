/** Columns that the file does not have: a text made of other columns, or one value for all rows. */
import { ActionIcon, Button, Group, Select, Table, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { storedText } from '../../../object/stored-text.ts'
import { FormModal } from '../../../ui/form-modal.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { CommittedInput } from './committed-input.tsx'
import { constantHeading, namesHeading, withConstant } from './constants.ts'
import { TargetCell } from './target-cell.tsx'
import { texts } from './texts.ts'
import type { Column, MappedColumn, Profile } from './use-mapping.ts'

const contents = ['template', 'constant'] as const

interface AddColumnProps {
  readonly profile: Profile
  /** The headings of the file and of the columns that were added before. */
  readonly taken: readonly string[]
  readonly onChange: (profile: Profile) => void
}

export function AddColumn(props: AddColumnProps) {
  const t = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  return (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
        {t('addColumn')}
      </Button>
      <Text size="sm" c="dimmed">
        {t('addColumnHint')}
      </Text>
      {isOpen && <AddForm {...props} onClose={() => setOpen(false)} />}
    </Group>
  )
}

function AddForm({ profile, taken, onChange, onClose }: AddColumnProps & { readonly onClose: () => void }) {
  const t = useTexts(texts)
  const [content, setContent] = useState<(typeof contents)[number]>('template')
  const [name, setName] = useState('')
  const [target, setTarget] = useState<Column>()
  const [text, setText] = useState('')
  const isTemplate = content === 'template'
  const heading = isTemplate || !target ? name.trim() : constantHeading(target)
  const isTaken = taken.includes(heading)
  const isUnclear = isTemplate && text !== '' && !namesHeading(text)
  const isReady = target !== undefined && target.field !== 'ignore' && heading !== '' && !isTaken && !isUnclear
  const submit = () => {
    if (!target) return
    const added = { ...target, column: heading, template: text }
    onChange(isTemplate ? { ...profile, columns: [...(profile.columns ?? []), added] } : withConstant(profile, heading, text)) // prettier-ignore
    onClose()
  }
  return (
    <FormModal title={t('addColumn')} size="lg" onSubmit={submit} onClose={onClose}>
      <Select
        label={t('content')}
        data={contents.map((value) => ({ value, label: t(value) }))}
        value={content}
        allowDeselect={false}
        onChange={(one) => setContent(one as typeof content)}
      />
      {isTemplate && (
        <TextInput
          label={t('heading')}
          required
          value={name}
          error={isTaken && t('headingTaken')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <div>
        <Text size="sm" fw={500}>
          {t('target')}
        </Text>
        <TargetCell heading={heading} target={target} hasOptions={false} onChange={setTarget} />
        {!isTemplate && isTaken && (
          <Text size="sm" c="red">
            {t('headingTaken')}
          </Text>
        )}
      </div>
      <TextInput
        label={t(isTemplate ? 'template' : 'constantValue')}
        required
        {...(isTemplate && { description: t('templateHint', { example: '{Brand} {Model}' }) })}
        value={text}
        error={isUnclear && t('templateNames')}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button type="submit" disabled={!isReady}>
          {t('addColumn')}
        </Button>
      </Group>
    </FormModal>
  )
}

interface ConstantRowProps {
  readonly column: MappedColumn
  readonly profile: Profile
  readonly onChange: (profile: Profile) => void
}

/** A constant has no other target than its heading. */
export function ConstantRow({ column: { column: heading = '', fault }, profile, onChange }: ConstantRowProps) {
  const t = useTexts(texts)
  const value = profile.constants?.[heading]
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        {heading}
      </Table.Th>
      <Table.Td>
        <Group gap="xs">
          <CommittedInput
            input={({ onChange: change, ...props }) => (
              <TextInput
                aria-label={t('valueOf', { column: heading })}
                w={308}
                onChange={(event) => change(event.currentTarget.value)}
                {...props}
              />
            )}
            value={String(value ?? '')}
            onCommit={(next) => onChange(withConstant(profile, heading, next))}
          />
          <RemoveColumn heading={heading} onRemove={() => onChange(withConstant(profile, heading, ''))} />
        </Group>
        {fault !== undefined && (
          <Text size="sm" c="red">
            {storedText(fault)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" c="dimmed">
          {t('constant')}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}

export function RemoveColumn({ heading, onRemove }: { readonly heading: string; readonly onRemove: () => void }) {
  const t = useTexts(texts)
  return (
    <ActionIcon
      variant="subtle"
      color="red"
      size="lg"
      aria-label={t('removeColumn', { column: heading })}
      onClick={onRemove}
    >
      <IconTrash size={18} />
    </ActionIcon>
  )
}
