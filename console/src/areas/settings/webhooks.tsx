/** Webhooks: systems that are notified of changes, the state of their deliveries, and a way to test them. */
import { Badge, Button, Group } from '@mantine/core'
import { type Infer, NewWebhook, Webhook } from '@kontor/contract'
import { IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { FormDialog } from '../../object/form-dialog.tsx'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Empty } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.tsx'
import { words } from '../../ui/words.ts'
import { useAttempt } from './attempt.ts'
import { OneTimeSecret } from './one-time-secret.tsx'
import { texts } from './texts.ts'

export function WebhooksPart() {
  const t = useTexts(texts)
  const w = useTexts(words)
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
          ...hidden,
          url: { width: 'minmax(14rem, 3fr)' },
          types: {},
          waiting: { text: ({ waiting = 0 }) => String(waiting) },
          enabled: {
            title: t('state'),
            width: '10rem',
            text: ({ enabled, problem }) => problem ?? t(enabled === false ? 'disabled' : 'enabled'),
            show: (webhook) => <State webhook={webhook} />,
          },
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
          fields={{ url: { inputType: 'url' }, types: {}, description: false, after: false }}
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

const hidden = {
  id: false,
  description: false,
  secrets: false,
  position: false,
  failingSince: false,
  nextAttemptAt: false,
  problem: false,
  createdAt: false,
  createdBy: false,
} as const

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
  const w = useTexts(words)
  const { webhooks } = useClient()
  const attempt = useAttempt()
  const test = async () => {
    const answer = await attempt(webhooks.sendTest({ params: { id } }))
    if (answer) tellDone(t('tested', { status: String(answer.status ?? answer.answer ?? '') }))
  }
  const remove = () =>
    confirmDanger({
      title: t('deleteWebhook'),
      body: t('deleteWebhookBody'),
      confirm: w('delete'),
      cancel: w('cancel'),
      onConfirm: () => void attempt(webhooks.deleteWebhook({ params: { id } })),
    })
  return (
    <Group gap={4} wrap="nowrap">
      <Button size="compact-sm" variant="light" onClick={() => void test()}>
        {t('sendTest')}
      </Button>
      <Button size="compact-sm" variant="subtle" color="red" onClick={remove}>
        {w('delete')}
      </Button>
    </Group>
  )
}
