/** The dialogs of the users page: a new user, the roles of a user, and the permissions that these add up to. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type Infer, NewUserAccount, RoleNames, type UserAccount } from '@kontor/contract'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { hide } from '../../object/fields.ts'
import { FormDialog } from '../../object/form-dialog.tsx'
import { useLabels } from '../../object/labels.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useAttempt } from './attempt.ts'
import { GrantWords } from './grant-words.tsx'
import { viewAddress } from './role-trial.tsx'
import { texts } from './texts.ts'

export type User = Infer<typeof UserAccount>

interface UserDialogProps {
  readonly user: User
  readonly onClose: () => void
}

function useRoleNames(): readonly string[] {
  const { identity } = useClient()
  const { data = [] } = useQuery({
    queryKey: ['settings', 'role-names'],
    queryFn: async () => ((await identity.listRoles()).roles ?? []).map(({ name = '' }) => name),
  })
  return data
}

interface NewUserDialogProps {
  readonly onPassword: (created: { name: string; password: string }) => void
  readonly onClose: () => void
}

export function NewUserDialog({ onPassword, onClose }: NewUserDialogProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { identity } = useClient()
  const attempt = useAttempt()
  return (
    <FormDialog
      type={NewUserAccount}
      title={t('newUser')}
      submitLabel={w('create')}
      initial={{ name: '', roles: ['user'] }}
      labelOf={useLabels(texts)}
      fields={{
        name: { label: t('userName') },
        displayName: {},
        email: { inputType: 'email' },
        roles: { options: useRoleNames() },
        ...hide('password', 'groups'),
      }}
      onSubmit={async (sent) => {
        const body = { ...sent, name: sent.name.trim() }
        const created = await attempt(identity.createUser({ body }))
        if (created?.password) onPassword({ name: body.name, password: created.password })
        return created
      }}
      onClose={onClose}
    />
  )
}

export function UserRolesDialog({ user, onClose }: UserDialogProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { identity } = useClient()
  const attempt = useAttempt()
  return (
    <FormDialog
      type={RoleNames}
      title={t('setRoles', { name: user.name ?? '' })}
      submitLabel={w('save')}
      initial={{ roles: user.roles ?? [] }}
      labelOf={useLabels(texts)}
      fields={{ roles: { options: useRoleNames() } }}
      onSubmit={(body) => attempt(identity.setUserRoles({ params: { id: user.id! }, body }))}
      onClose={onClose}
    />
  )
}

/** The permissions of all roles of a user together. */
export function AccessDialog({ user, onClose }: UserDialogProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { identity } = useClient()
  const access = useQuery({
    queryKey: ['settings', 'access', user.id],
    queryFn: () => identity.getUserAccess({ params: { id: user.id! } }),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('viewAsTitle', { name: user.name ?? '' })}
      closeButtonProps={{ 'aria-label': w('close') }}
    >
      <Loaded query={access}>
        {({ roles = [], grants = [] }) => (
          <Stack>
            <Text size="sm">{t('rolesAre', { roles: roles.join(', ') || w('none') })}</Text>
            <GrantWords grants={grants} />
            <Group>
              <Button
                component="a"
                href={viewAddress('/', user.name!, user.name!)}
                target="_blank"
                rel="noreferrer"
                variant="default"
                leftSection={<IconExternalLink size={16} />}
              >
                {t('openAs', { name: user.name! })}
              </Button>
            </Group>
          </Stack>
        )}
      </Loaded>
    </Modal>
  )
}
