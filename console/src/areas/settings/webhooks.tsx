/** Webhooks: systems that are notified of changes, the state of their deliveries, and a way to test them. */
import { Badge, Button, Group } from '@mantine/core'
import { type Infer, NewWebhook, Webhook } from '@kontor/contract'
import { IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { hide } from '../../object/fields.ts'
import { FormDialog } from '../../object/form-dialog.tsx'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Empty } from '../../ui/states.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useAttempt } from './attempt.ts'
import { OneTimeSecret } from '../../ui/one-time-secret.tsx'
import { texts } from './texts.ts'

export function WebhooksPart() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const labelOf = useLabels(texts)
  const { webhooks } = useClient()
  const attempt = useAttempt()
  const [creating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  const list = useQuery({
    queryKey: ['settings', 'webhooks'],
    queryFn: async () => (await webhooks.listWebhooks()).webhooks ?? [],
    refetchInterval: 5000,
  })
  const create = <Button onClick={() => setCreating(true)}>{t('newWebhook')}</Button>
  return (
    <>
      {secret && <OneTimeSecret title={t('webhookSecret')} secret={secret} onClose={() => setSecret(undefined)} />}
      <ListPage
        type={Webhook}
        label={t('webhooks')}
        query={list}
        labelOf={labelOf}
        keyOf={({ id }) => id!}
        tools={create}
        empty={
          <Empty icon={IconWebhook} title={t('noWebhooks')} action={create}>
            {t('noWebhooksHint')}
          </Empty>
        }
        fields={{
          url: { width: 'minmax(14rem, 3fr)' },
          types: {},
          waiting: { text: ({ waiting = 0 }) => String(waiting) },
          enabled: {
            title: t('state'),
            width: '10rem',
            text: ({ enabled, problem }) => problem ?? t(enabled === false ? 'disabled' : 'enabled'),
            show: (webhook) => <State webhook={webhook} />,
          },
          ...hide('id', 'description', 'secrets', 'position', 'failingSince', 'nextAttemptAt', 'problem'),
          ...hide('createdAt', 'createdBy'),
        }}
        actions={({ id }) => <WebhookActions id={id!} />}
        actionsWidth="16rem"
      />
      {creating && (
        <FormDialog
          type={NewWebhook}
          title={t('newWebhook')}
          submitLabel={w('create')}
          initial={{ url: '' }}
          labelOf={labelOf}
          fields={{ url: { inputType: 'url' }, types: {}, ...hide('description', 'after') }}
          onSubmit={async (body) => {
            const created = await attempt(webhooks.createWebhook({ body }))
            setSecret(created?.secret)
            return created
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  )
}

function State({ webhook }: { webhook: Infer<typeof Webhook> }) {
  const t = useTexts(texts)
  const { enabled, failingSince, problem } = webhook
  const color = failingSince ? 'red' : enabled === false ? 'gray' : 'teal'
  return (
    <Badge variant="dot" tt="none" color={color} title={problem}>
      {t(failingSince ? 'failing' : enabled === false ? 'disabled' : 'enabled')}
    </Badge>
  )
}

function WebhookActions({ id }: { id: string }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { webhooks } = useClient()
  const attempt = useAttempt()
  const test = async () => {
    const answer = await attempt(webhooks.sendTest({ params: { id } }))
    if (answer) notifyDone(t('tested', { status: String(answer.status ?? answer.answer ?? '') }))
  }
  const confirmDelete = useConfirmDelete()
  const remove = () =>
    confirmDelete(t('deleteWebhook'), t('deleteWebhookBody'), () => attempt(webhooks.deleteWebhook({ params: { id } })))
  return (
    <Group gap={4} wrap="nowrap">
      <Button size="compact-sm" variant="subtle" onClick={() => void test()}>
        {t('sendTest')}
      </Button>
      <Button size="compact-sm" variant="light" color="red" onClick={remove}>
        {w('delete')}
      </Button>
    </Group>
  )
}
