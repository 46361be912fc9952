/** Roles and their permissions: kinds of objects, actions, and the subtrees they are limited to. */
import { ActionIcon, Button, Group } from '@mantine/core'
import { UserRole } from '@kontor/contract'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useAttempt } from './attempt.ts'
import { useGrantWords } from './grant-words.tsx'
import { type Role, RoleDialog } from './role-dialog.tsx'
import { texts } from './texts.ts'

/** Roles that cannot be deleted. */
const builtIn = new Set(['admin', 'editor', 'reader', 'user'])

export function RolesPart() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const labelOf = useLabels(texts)
  const words = useGrantWords()
  const { identity } = useClient()
  const attempt = useAttempt()
  const [edited, setEdited] = useState<Role>()
  const roles = useQuery({
    queryKey: ['settings', 'roles'],
    queryFn: async () => (await identity.listRoles()).roles ?? [],
  })
  const confirmDelete = useConfirmDelete()
  const remove = (name: string) =>
    confirmDelete(t('deleteRole', { name }), t('deleteRoleBody'), () =>
      attempt(identity.deleteRole({ params: { name } })),
    )
  const summary = ({ grants = [] }: Role) =>
    grants
      .map(({ kind, actions, scopes = {} }) => {
        const places = Object.values(scopes).flat()
        const within = Object.keys(scopes).length > 0 ? ` (${t('within')}: ${places.join(', ') || t('nothing')})` : ''
        return `${words.kind(kind)}: ${words.actions(actions)}${within}`
      })
      .join('; ')
  return (
    <>
      <ListPage
        type={UserRole}
        label={t('roles')}
        query={roles}
        labelOf={labelOf}
        keyOf={({ name }) => name!}
        onOpen={setEdited}
        tools={
          <Button onClick={() => setEdited({ grants: [{ kind: '*', actions: ['read'] }] })}>{t('newRole')}</Button>
        }
        fields={{
          name: {},
          description: { width: 'minmax(10rem, 2fr)' },
          grants: { width: 'minmax(12rem, 3fr)', text: summary },
        }}
        actions={(role) => (
          <Group gap={4} wrap="nowrap">
            <Button size="compact-sm" variant="subtle" onClick={() => setEdited(role)}>
              {w(role.name === 'admin' ? 'open' : 'edit')}
            </Button>
            {!builtIn.has(role.name!) && (
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={`${w('delete')}: ${role.name}`}
                onClick={() => remove(role.name!)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </Group>
        )}
        actionsWidth="11rem"
      />
      {edited && (
        <RoleDialog
          role={edited}
          takenNames={(roles.data ?? []).map(({ name = '' }) => name)}
          onSave={({ name, ...body }) => attempt(identity.putRole({ params: { name }, body }))}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}
