/** Users: who there is, with which roles; make, disable, help, and look at what somebody may do. */
import {
  ActionIcon,
  Badge,
  Button,
  Group,
  Menu,
  Modal,
  MultiSelect,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { Infer, UserAccount } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { ObjectList } from '../../object/list.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { words } from '../../ui/words.ts'
import { useAttempt } from './attempt.ts'
import { Once } from './once.tsx'
import { texts } from './texts.ts'

type User = Infer<typeof UserAccount>
interface Shown {
  readonly name: string
  readonly password: string
}

export function UsersPart() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { identity } = useClient()
  const [making, setMaking] = useState(false)
  const [shown, setShown] = useState<Shown>()
  const [looked, setLooked] = useState<User>()
  const [changed, setChanged] = useState<User>()
  const users = useQuery({
    queryKey: ['settings', 'users'],
    queryFn: async () => (await identity.listUsers({ query: { count: '1000' } })).users ?? [],
  })
  return (
    <>
      {shown && (
        <div style={{ padding: '0.75rem' }}>
          <Once
            title={t('passwordOnce', { name: shown.name })}
            secret={shown.password}
            onClose={() => setShown(undefined)}
          />
        </div>
      )}
      <Loaded query={users}>
        {(all) => (
          <ObjectList
            label={t('users')}
            rows={all}
            keyOf={({ id }) => id!}
            onOpen={setLooked}
            tools={<Button onClick={() => setMaking(true)}>{t('newUser')}</Button>}
            columns={[
              { id: 'name', title: t('userName'), width: 'minmax(9rem, 1fr)', text: ({ name }) => name ?? '' },
              {
                id: 'displayName',
                title: w('name'),
                width: 'minmax(9rem, 1fr)',
                text: ({ displayName }) => displayName ?? '',
              },
              {
                id: 'roles',
                title: t('roles'),
                width: 'minmax(10rem, 2fr)',
                text: ({ roles = [] }) => roles.join(', '),
              },
              {
                id: 'groups',
                title: t('groups'),
                width: 'minmax(8rem, 1fr)',
                text: ({ groups = [] }) => groups.join(', '),
              },
              {
                id: 'state',
                title: t('state'),
                width: '9rem',
                text: (user) => t(stateOf(user)),
                show: (user) => <State user={user} />,
              },
              {
                id: 'menu',
                title: w('actions'),
                width: '6rem',
                text: () => '',
                show: (user) => (
                  <UserMenu
                    user={user}
                    onShown={setShown}
                    onLook={() => setLooked(user)}
                    onRoles={() => setChanged(user)}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {making && <NewUser onShown={setShown} onClose={() => setMaking(false)} />}
      {looked && <Access user={looked} onClose={() => setLooked(undefined)} />}
      {changed && <Roles user={changed} onClose={() => setChanged(undefined)} />}
    </>
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

function UserMenu({
  user,
  onShown,
  onLook,
  onRoles,
}: {
  user: User
  onShown: (shown: Shown) => void
  onLook: () => void
  onRoles: () => void
}) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { identity } = useClient()
  const attempt = useAttempt()
  const params = { id: user.id! }
  const reset = async () => {
    const made = await attempt(identity.resetPassword({ params, body: {} }))
    if (made?.password) onShown({ name: user.name!, password: made.password })
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`${w('actions')}: ${user.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onLook}>{t('viewAs')}</Menu.Item>
        <Menu.Item onClick={onRoles}>{t('roles')}</Menu.Item>
        <Menu.Item onClick={() => void reset()}>{t('resetPassword')}</Menu.Item>
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

function useRoleNames(): readonly string[] {
  const { identity } = useClient()
  const { data = [] } = useQuery({
    queryKey: ['settings', 'role-names'],
    queryFn: async () => ((await identity.listRoles()).roles ?? []).map(({ name = '' }) => name),
  })
  return data
}

function NewUser({ onShown, onClose }: { onShown: (shown: Shown) => void; onClose: () => void }) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { identity } = useClient()
  const attempt = useAttempt()
  const offered = useRoleNames()
  const [name, setName] = useState('')
  const [displayName, setDisplayName] = useState('')
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState<string[]>(['user'])
  const make = async () => {
    const made = await attempt(
      identity.createUser({ body: { name, roles, ...(displayName && { displayName }), ...(email && { email }) } }),
    )
    if (!made) return
    if (made.password) onShown({ name, password: made.password })
    onClose()
  }
  return (
    <FormModal title={t('newUser')} onSubmit={make} onClose={onClose}>
      <TextInput
        label={t('userName')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={t('displayName')}
        value={displayName}
        onChange={(event) => setDisplayName(event.currentTarget.value)}
      />
      <TextInput
        label={t('email')}
        type="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <MultiSelect label={t('roles')} data={[...offered]} value={roles} onChange={setRoles} />
      <Group justify="flex-end">
        <Button type="submit" disabled={name.trim() === ''}>
          {w('create')}
        </Button>
      </Group>
    </FormModal>
  )
}

function Roles({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { identity } = useClient()
  const attempt = useAttempt()
  const offered = useRoleNames()
  const [roles, setRoles] = useState<string[]>([...(user.roles ?? [])])
  const save = async () => {
    await attempt(identity.setUserRoles({ params: { id: user.id! }, body: { roles } }))
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('setRoles', { name: user.name ?? '' })}
      closeButtonProps={{ 'aria-label': w('close') }}
    >
      <Stack>
        <MultiSelect label={t('roles')} data={[...offered]} value={roles} onChange={setRoles} />
        <Button onClick={() => void save()}>{w('save')}</Button>
      </Stack>
    </Modal>
  )
}

/** What all roles of somebody allow together. */
function Access({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useTexts(texts)
  const w = useTexts(words)
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
            <Text size="sm">{roles.join(', ')}</Text>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('kind')}</Table.Th>
                  <Table.Th>{t('actions')}</Table.Th>
                  <Table.Th>{t('within')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {grants.map((grant, i) => (
                  <Table.Tr key={i}>
                    <Table.Td>{grant.kind === '*' ? t('everything') : grant.kind}</Table.Td>
                    <Table.Td>{grant.actions.includes('*') ? t('everything') : grant.actions.join(', ')}</Table.Td>
                    <Table.Td>
                      {Object.values(grant.scopes ?? {})
                        .flat()
                        .join(', ')}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Stack>
        )}
      </Loaded>
    </Modal>
  )
}
