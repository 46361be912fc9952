/** Clients of the identity provider: systems that call Kontor themselves or let people sign in through it. */
import { ActionIcon, Badge, Button, Menu } from '@mantine/core'
import { ClientAccount, type Infer, NewClientAccount } from '@kontor/contract'
import { IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { hide } from '../../object/fields.ts'
import { FormDialog } from '../../object/form-dialog.tsx'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { Picker } from '../../object/picker.tsx'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { OneTimeSecret } from '../../ui/one-time-secret.tsx'
import { adminTexts } from './admin-texts.ts'
import { useAttempt } from './attempt.ts'

type Account = Infer<typeof ClientAccount>

export function ClientsPart() {
  const t = useTexts(adminTexts)
  const w = useTexts(commonTexts)
  const labelOf = useLabels(adminTexts)
  const { identity } = useClient()
  const attempt = useAttempt()
  const [edited, setEdited] = useState<Account>()
  const [secret, setSecret] = useState<{ name: string; secret: string }>()
  const clients = useQuery({
    queryKey: ['settings', 'clients'],
    queryFn: async () => (await identity.listClients()).clients ?? [],
  })
  const isNew = edited?.id === undefined
  const show = (account: Account | undefined) => {
    if (account?.secret) setSecret({ name: account.id!, secret: account.secret })
    return account
  }
  const save = async ({ id, name = '', redirectUris = [], roles = [] }: Infer<typeof NewClientAccount>) =>
    show(
      await attempt(
        isNew
          ? identity.createClient({ body: { id: id.trim(), redirectUris, roles, ...(name && { name }) } })
          : identity.changeClient({ params: { id }, body: { name, redirectUris, roles } }),
      ),
    )
  return (
    <>
      {secret && (
        <OneTimeSecret
          title={t('clientSecret', { name: secret.name })}
          secret={secret.secret}
          onClose={() => setSecret(undefined)}
        />
      )}
      <ListPage
        type={ClientAccount}
        label={t('clients')}
        query={clients}
        labelOf={labelOf}
        keyOf={({ id = '' }) => id}
        onOpen={(client) => client.confidential && setEdited(client)}
        tools={<Button onClick={() => setEdited({})}>{t('newClient')}</Button>}
        fields={{
          id: { title: t('clientId'), width: 'minmax(10rem, 1fr)' },
          name: { width: 'minmax(10rem, 1fr)' },
          confidential: {
            width: '12rem',
            text: ({ confidential }) => t(confidential ? 'hasSecret' : 'noSecret'),
          },
          roles: { title: t('clientRoles'), width: 'minmax(10rem, 1fr)', text: ({ roles = [] }) => roles.join(', ') },
          enabled: {
            title: t('state'),
            width: '8rem',
            text: ({ enabled }) => t(enabled ? 'enabled' : 'disabled'),
            show: ({ enabled }) => (
              <Badge variant="dot" tt="none" color={enabled ? 'teal' : 'red'}>
                {t(enabled ? 'enabled' : 'disabled')}
              </Badge>
            ),
          },
          createdAt: { title: w('created') },
          ...hide('redirectUris', 'secret'),
        }}
        actions={(client) =>
          client.confidential && <ClientMenu client={client} onEdit={() => setEdited(client)} onSecret={show} />
        }
        actionsWidth="6rem"
      />
      {edited && (
        <FormDialog<Infer<typeof NewClientAccount>>
          type={NewClientAccount}
          title={edited.id ?? t('newClient')}
          submitLabel={w(isNew ? 'create' : 'save')}
          initial={{
            id: edited.id ?? '',
            ...(edited.name && { name: edited.name }),
            redirectUris: edited.redirectUris ?? [],
            roles: edited.roles ?? [],
          }}
          labelOf={labelOf}
          fields={{
            id: { label: t('clientId'), description: t('clientIdHint'), disabled: !isNew },
            name: {},
            roles: {
              control: (client, onChange) => (
                <Picker
                  kind="role"
                  label={t('clientRoles')}
                  value={client.roles ?? []}
                  onChange={(roles) => onChange({ ...client, roles })}
                />
              ),
            },
            redirectUris: {},
          }}
          onSubmit={save}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

interface ClientMenuProps {
  readonly client: Account
  readonly onEdit: () => void
  readonly onSecret: (account: Account | undefined) => unknown
}

function ClientMenu({ client, onEdit, onSecret }: ClientMenuProps) {
  const t = useTexts(adminTexts)
  const w = useTexts(commonTexts)
  const { identity } = useClient()
  const attempt = useAttempt()
  const confirmDelete = useConfirmDelete()
  const { id = '', enabled } = client
  const params = { id }
  const renew = () =>
    confirmDanger({
      title: t('renewTitle', { name: id }),
      body: t('renewBody'),
      confirm: t('renewSecret'),
      cancel: w('cancel'),
      onConfirm: () =>
        void attempt(identity.changeClient({ params, body: { renewSecret: true } })).then((changed) =>
          onSecret(changed),
        ),
    })
  const remove = () =>
    confirmDelete(t('deleteClient', { name: id }), t('deleteClientBody'), () =>
      attempt(identity.deleteClient({ params })),
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`${w('actions')}: ${id}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>{w('edit')}</Menu.Item>
        <Menu.Item onClick={renew}>{t('renewSecret')}</Menu.Item>
        <Menu.Item onClick={() => void attempt(identity.changeClient({ params, body: { enabled: !enabled } }))}>
          {t(enabled ? 'disable' : 'enable')}
        </Menu.Item>
        <Menu.Item color="red" onClick={remove}>
          {w('delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
