/** The form of a group: its name, its roles, and its members. The interface keeps the members with the users. */
import { Button, Group, TextInput } from '@mantine/core'
import type { Infer, UserAccount, UserGroup } from '@kontor/contract'
import type { Client } from '@kontor/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { Picker } from '../../object/picker.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useAttempt } from './attempt.ts'
import { texts } from './texts.ts'

type GroupMessage = Infer<typeof UserGroup>
type User = Infer<typeof UserAccount>
interface GroupDialogProps {
  readonly group: GroupMessage
  /** The names of all groups. */
  readonly taken: readonly string[]
  readonly onClose: () => void
}

export function GroupDialog({ group, taken, onClose }: GroupDialogProps) {
  const t = useTexts(texts)
  const client = useClient()
  const { name = '' } = group
  const members = useQuery({
    queryKey: ['settings', 'groups', 'members', name],
    queryFn: () => (name === '' ? [] : membersOf(client, name)),
  })
  return (
    <Loaded query={members}>
      {(users) => (
        <GroupForm title={name || t('newGroup')} group={group} taken={taken} members={users} onClose={onClose} />
      )}
    </Loaded>
  )
}

const pageSize = 200

async function membersOf(client: Client, group: string, after = ''): Promise<User[]> {
  const query = { group, count: String(pageSize), ...(after && { after }) }
  const { users = [] } = await client.identity.listUsers({ query })
  return users.length < pageSize ? users : [...users, ...(await membersOf(client, group, users.at(-1)!.name))]
}

interface GroupFormProps extends GroupDialogProps {
  readonly title: string
  readonly members: readonly User[]
}

function GroupForm({ title, group, taken, members, onClose }: GroupFormProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const client = useClient()
  const attempt = useAttempt()
  const before = members.map(({ name = '' }) => name)
  const [name, setName] = useState(group.name ?? '')
  const [description, setDescription] = useState(group.description ?? '')
  const [roles, setRoles] = useState<readonly string[]>(group.roles ?? [])
  const [people, setPeople] = useState<readonly string[]>(before)
  const isTaken = group.name === undefined && taken.includes(name.trim())
  const save = async () => {
    const { identity } = client
    const store = async () => {
      const params = { name: name.trim() }
      await identity.putGroup({ params, body: { roles: [...roles], ...(description && { description }) } })
      for (const user of people.filter((one) => !before.includes(one))) await setMember(client, params.name, user, true)
      for (const user of before.filter((one) => !people.includes(one)))
        await setMember(client, params.name, user, false)
      return true
    }
    if (await attempt(store())) onClose()
  }
  return (
    <FormModal title={title} onSubmit={save} onClose={onClose}>
      <TextInput
        label={t('groupName')}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        disabled={group.name !== undefined}
        error={isTaken && w('nameTaken')}
        data-autofocus
        required
      />
      <TextInput
        label={t('description')}
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <Picker kind="role" label={t('roles')} value={roles} onChange={setRoles} />
      <Picker kind="user" label={t('members')} value={people} onChange={setPeople} />
      <Group justify="flex-end">
        <Button type="submit" disabled={name.trim() === '' || isTaken}>
          {w(group.name === undefined ? 'create' : 'save')}
        </Button>
      </Group>
    </FormModal>
  )
}

/** The other groups of the user stay. */
async function setMember({ identity }: Client, group: string, userName: string, isMember: boolean): Promise<void> {
  const { users = [] } = await identity.listUsers({ query: { search: userName, count: String(pageSize) } })
  const user = users.find(({ name }) => name === userName)
  if (!user) return // deleted meanwhile
  const others = (user.groups ?? []).filter((one) => one !== group)
  await identity.setUserGroups({ params: { id: user.id! }, body: { groups: isMember ? [...others, group] : others } })
}
