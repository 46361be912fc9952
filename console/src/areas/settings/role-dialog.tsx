/** One role: its name, its permissions, and a trial of them before they are stored. */
import { Button, Group, TextInput } from '@mantine/core'
import type { Infer, UserRole } from '@kontor/contract'
import { useState } from 'react'
import { commonTexts } from '../../ui/common-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { toBlocks, toGrants } from './blocks.ts'
import { GrantsInput } from './grants-input.tsx'
import { RoleTrial } from './role-trial.tsx'
import { texts } from './texts.ts'

export type Role = Infer<typeof UserRole>

interface RoleDialogProps {
  /** Without a name, a new one. */
  readonly role: Role
  readonly takenNames: readonly string[]
  /** Resolves to undefined if the role was refused. */
  readonly onSave: (role: Required<Role>) => Promise<unknown>
  readonly onClose: () => void
}

const isName = /^[a-z][a-z0-9_-]{0,63}$/

export function RoleDialog({ role, takenNames, onSave, onClose }: RoleDialogProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const [name, setName] = useState(role.name ?? '')
  const [description, setDescription] = useState(role.description ?? '')
  const [blocks, setBlocks] = useState(() => toBlocks(role.grants ?? []))
  const isNew = role.name === undefined
  const isReadOnly = role.name === 'admin'
  const grants = toGrants(blocks)
  const fault =
    name === ''
      ? undefined
      : !isName.test(name)
        ? t('roleNameRule')
        : isNew && takenNames.includes(name)
          ? t('roleNameTaken')
          : undefined
  const save = async () => {
    if ((await onSave({ name, description, grants })) !== undefined) onClose()
  }
  return (
    <FormModal title={role.name ?? t('newRole')} size="70rem" onSubmit={save} onClose={onClose}>
      <Group grow align="flex-start">
        <TextInput
          label={t('roleName')}
          description={t('roleNameRule')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value.toLowerCase())}
          error={fault}
          disabled={!isNew}
          required
          data-autofocus={isNew || undefined}
        />
        <TextInput
          label={t('description')}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          readOnly={isReadOnly}
        />
      </Group>
      <GrantsInput value={blocks} onChange={setBlocks} />
      <RoleTrial name={name} grants={grants} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {w('cancel')}
        </Button>
        {!isReadOnly && (
          <Button type="submit" disabled={name === '' || fault !== undefined}>
            {w('save')}
          </Button>
        )}
      </Group>
    </FormModal>
  )
}
