/** Roles and what they allow: kinds of objects, actions, and the subtrees they are narrowed to. */
import { ActionIcon, Button, Group, Modal, MultiSelect, Paper, Stack, TagsInput, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { Infer, RoleGrant, UserRole } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { ObjectList } from '../../object/list.tsx'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { words } from '../../ui/words.ts'
import { useAttempt } from './attempt.ts'
import { texts } from './texts.ts'

type Role = Infer<typeof UserRole>
type Grant = Infer<typeof RoleGrant>
const actions = ['*', 'read', 'create', 'update', 'delete', 'link', 'checkout', 'administer']
const trees = ['node', 'dir', 'channel', 'keyword'] as const
/** These are there always. */
const fixed = new Set(['admin', 'editor', 'reader', 'user'])

export function RolesPart() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { identity } = useClient()
  const attempt = useAttempt()
  const [edited, setEdited] = useState<Role>()
  const roles = useQuery({
    queryKey: ['settings', 'roles'],
    queryFn: async () => (await identity.listRoles()).roles ?? [],
  })
  const remove = (name: string) =>
    confirmDanger({
      title: t('deleteRole', { name }),
      body: t('deleteRoleBody'),
      confirm: w('delete'),
      cancel: w('cancel'),
      onConfirm: () => void attempt(identity.deleteRole({ params: { name } })),
    })
  const said = ({ grants = [] }: Role) =>
    grants
      .map(
        ({ kind, actions: allowed }) =>
          `${kind === '*' ? t('everything') : kind}: ${allowed.includes('*') ? t('everything') : allowed.join(', ')}`,
      )
      .join('; ')
  return (
    <>
      <Loaded query={roles}>
        {(all) => (
          <ObjectList
            label={t('roles')}
            rows={all}
            keyOf={({ name }) => name!}
            onOpen={setEdited}
            tools={
              <Button onClick={() => setEdited({ grants: [{ kind: '*', actions: ['read'] }] })}>{t('newRole')}</Button>
            }
            columns={[
              { id: 'name', title: w('name'), width: 'minmax(9rem, 1fr)', text: ({ name }) => name ?? '' },
              {
                id: 'description',
                title: t('description'),
                width: 'minmax(10rem, 2fr)',
                text: ({ description }) => description ?? '',
              },
              { id: 'grants', title: t('grants'), width: 'minmax(12rem, 3fr)', text: said },
              {
                id: 'actions',
                title: w('actions'),
                width: '11rem',
                text: () => '',
                show: (role) => (
                  <Group gap={4} wrap="nowrap">
                    <Button size="compact-sm" variant="light" onClick={() => setEdited(role)}>
                      {w('edit')}
                    </Button>
                    {!fixed.has(role.name!) && (
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
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {edited && <Editor role={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

function Editor({ role, onClose }: { role: Role; onClose: () => void }) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { identity } = useClient()
  const attempt = useAttempt()
  const [name, setName] = useState(role.name ?? '')
  const [description, setDescription] = useState(role.description ?? '')
  const [grants, setGrants] = useState<Grant[]>([...(role.grants ?? [])])
  const replace = (index: number, grant?: Grant) =>
    setGrants(grants.flatMap((one, i) => (i === index ? (grant ?? []) : one)))
  const save = async () => {
    const saved = await attempt(identity.putRole({ params: { name }, body: { description, grants } }))
    if (saved) onClose()
  }
  return (
    <Modal
      opened
      size="xl"
      onClose={onClose}
      title={role.name ?? t('newRole')}
      closeButtonProps={{ 'aria-label': w('close') }}
    >
      <Stack>
        {!role.name && (
          <TextInput label={t('roleName')} value={name} onChange={(event) => setName(event.currentTarget.value)} />
        )}
        <TextInput
          label={t('description')}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        {grants.map((grant, index) => (
          <Paper key={index} p="sm">
            <Group align="flex-end" wrap="nowrap">
              <TextInput
                label={t('kind')}
                value={grant.kind}
                w={160}
                onChange={(event) => replace(index, { ...grant, kind: event.currentTarget.value })}
              />
              <MultiSelect
                label={t('actions')}
                flex={1}
                data={actions}
                value={grant.actions}
                onChange={(allowed) => replace(index, { ...grant, actions: allowed })}
              />
              <ActionIcon variant="subtle" color="red" aria-label={w('remove')} onClick={() => replace(index)}>
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
            <Group grow mt="xs">
              {trees.map((tree) => (
                <TagsInput
                  key={tree}
                  label={`${t('within')}: ${tree}`}
                  value={[...(grant.scopes?.[tree] ?? [])]}
                  onChange={(paths) => {
                    const { [tree]: _before, ...others } = grant.scopes ?? {}
                    const scopes = paths.length > 0 ? { ...others, [tree]: paths } : others
                    const { scopes: _scopes, ...rest } = grant
                    replace(index, Object.keys(scopes).length > 0 ? { ...rest, scopes } : rest)
                  }}
                />
              ))}
            </Group>
          </Paper>
        ))}
        <Group justify="space-between">
          <Button
            variant="light"
            leftSection={<IconPlus size={16} />}
            onClick={() => setGrants([...grants, { kind: 'product', actions: ['read'] }])}
          >
            {w('add')}
          </Button>
          <Button disabled={name.trim() === ''} onClick={() => void save()}>
            {w('save')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
