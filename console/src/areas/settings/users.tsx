/** Users: the list, loaded page by page and searched on the server, and what an administrator can do with a user. */
import { ActionIcon, Badge, Button, Menu } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { UserAccount } from '@kontor/contract'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { hide } from '../../object/fields.ts'
import { useKeysetPages } from '../../object/keyset-pages.ts'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useAttempt } from './attempt.ts'
import { OneTimeSecret } from '../../ui/one-time-secret.tsx'
import { texts } from './texts.ts'
import { AccessDialog, NewUserDialog, type User, UserRolesDialog } from './user-dialogs.tsx'

interface NewPassword {
  readonly name: string
  readonly password: string
}
type Dialog = 'access' | 'roles'

export function UsersPart() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const labelOf = useLabels(texts)
  const [search, setSearch] = useState('')
  const { query, paging } = useUsers(search)
  const [creating, setCreating] = useState(false)
  const [password, setPassword] = useState<NewPassword>()
  const [dialog, setDialog] = useState<{ user: User; kind: Dialog }>()
  const close = () => setDialog(undefined)
  return (
    <>
      {password && (
        <OneTimeSecret
          title={t('passwordOnce', { name: password.name })}
          secret={password.password}
          onClose={() => setPassword(undefined)}
        />
      )}
      <ListPage
        type={UserAccount}
        label={t('users')}
        query={query}
        paging={paging}
        filter={search}
        onFilter={setSearch}
        labelOf={labelOf}
        keyOf={({ id }) => id!}
        onOpen={(user) => setDialog({ user, kind: 'access' })}
        tools={<Button onClick={() => setCreating(true)}>{t('newUser')}</Button>}
        fields={{
          name: { title: t('userName') },
          displayName: { title: w('name') },
          roles: { width: 'minmax(10rem, 2fr)' },
          groups: {},
          enabled: {
            title: t('state'),
            width: '9rem',
            text: (user) => t(stateOf(user)),
            show: (user) => <State user={user} />,
          },
          ...hide('id', 'email', 'locked', 'twoFactor', 'mustChangePassword', 'issuer', 'createdAt'),
        }}
        actions={(user) => (
          <UserMenu user={user} onPassword={setPassword} onDialog={(kind) => setDialog({ user, kind })} />
        )}
        actionsWidth="6rem"
      />
      {creating && <NewUserDialog onPassword={setPassword} onClose={() => setCreating(false)} />}
      {dialog?.kind === 'access' && <AccessDialog user={dialog.user} onClose={close} />}
      {dialog?.kind === 'roles' && <UserRolesDialog user={dialog.user} onClose={close} />}
    </>
  )
}

function useUsers(search: string) {
  const { identity } = useClient()
  const [wanted] = useDebouncedValue(search.trim(), 300)
  return useKeysetPages(
    ['settings', 'users', wanted],
    async (after, count) => {
      const query = { count: String(count), ...(wanted && { search: wanted }), ...(after && { after }) }
      return (await identity.listUsers({ query })).users ?? []
    },
    ({ name = '' }) => name,
  )
}

const stateOf = ({ enabled, locked }: User) => (locked ? 'locked' : enabled === false ? 'disabled' : 'enabled')
const colors = { locked: 'amber', disabled: 'red', enabled: 'teal' } as const

function State({ user }: { user: User }) {
  const t = useTexts(texts)
  const state = stateOf(user)
  return (
    <Badge variant="dot" color={colors[state]} tt="none">
      {t(state)}
    </Badge>
  )
}

interface UserMenuProps {
  readonly user: User
  readonly onPassword: (password: NewPassword) => void
  readonly onDialog: (kind: Dialog) => void
}

function UserMenu({ user, onPassword, onDialog }: UserMenuProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { identity } = useClient()
  const attempt = useAttempt()
  const params = { id: user.id! }
  const resetPassword = async () => {
    const reset = await attempt(identity.resetPassword({ params, body: {} }))
    if (reset?.password) onPassword({ name: user.name!, password: reset.password })
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`${w('actions')}: ${user.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onDialog('access')}>{t('viewAs')}</Menu.Item>
        <Menu.Item onClick={() => onDialog('roles')}>{t('roles')}</Menu.Item>
        <Menu.Item onClick={() => void resetPassword()}>{t('resetPassword')}</Menu.Item>
        {user.locked && (
          <Menu.Item onClick={() => void attempt(identity.unlockUser({ params }))}>{t('unlock')}</Menu.Item>
        )}
        {user.twoFactor && (
          <Menu.Item onClick={() => void attempt(identity.resetTwoFactor({ params }))}>{t('resetTwoFactor')}</Menu.Item>
        )}
        <Menu.Item onClick={() => void attempt(identity.logoutUser({ params }))}>{t('endSessions')}</Menu.Item>
        <Menu.Item
          color="red"
          onClick={() => void attempt(identity.changeUser({ params, body: { enabled: user.enabled === false } }))}
        >
          {t(user.enabled === false ? 'enable' : 'disable')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
