/** Webhooks: who is told of changes, whether they take them, and what waits. */
import { Badge, Button, Group, TagsInput, TextInput } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { ObjectList } from '../../object/list.tsx'
import { confirmDanger } from '../../ui/confirm.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.tsx'
import { words } from '../../ui/words.ts'
import { useAttempt } from './attempt.ts'
import { Once } from './once.tsx'
import { texts } from './texts.ts'

export function WebhooksPart() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { webhooks } = useClient()
  const attempt = useAttempt()
  const [making, setMaking] = useState(false)
  const [secret, setSecret] = useState<string>()
  const list = useQuery({
    queryKey: ['settings', 'webhooks'],
    queryFn: async () => (await webhooks.listWebhooks()).webhooks ?? [],
    refetchInterval: 5000,
  })
  const test = async (id: string) => {
    const answer = await attempt(webhooks.sendTest({ params: { id } }))
    if (answer) tellDone(t('tested', { status: String(answer.status ?? answer.answer ?? '') }))
  }
  const remove = (id: string) =>
    confirmDanger({
      title: t('deleteWebhook'),
      body: t('deleteWebhookBody'),
      confirm: w('delete'),
      cancel: w('cancel'),
      onConfirm: () => void attempt(webhooks.deleteWebhook({ params: { id } })),
    })
  const create = <Button onClick={() => setMaking(true)}>{t('newWebhook')}</Button>
  return (
    <>
      {secret && (
        <div style={{ padding: '0.75rem' }}>
          <Once title={t('webhookSecret')} secret={secret} onClose={() => setSecret(undefined)} />
        </div>
      )}
      <Loaded query={list}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={IconWebhook} title={t('noWebhooks')} action={create}>
              {t('noWebhooksHint')}
            </Empty>
          ) : (
            <ObjectList
              label={t('webhooks')}
              rows={all}
              keyOf={({ id }) => String(id)}
              tools={create}
              columns={[
                { id: 'url', title: t('url'), width: 'minmax(14rem, 3fr)', text: ({ url }) => url ?? '' },
                {
                  id: 'types',
                  title: t('types'),
                  width: 'minmax(8rem, 1fr)',
                  text: ({ types = [] }) => types.join(', '),
                },
                { id: 'waiting', title: t('waiting'), width: '7rem', text: ({ waiting = 0 }) => String(waiting) },
                {
                  id: 'state',
                  title: t('state'),
                  width: '10rem',
                  text: ({ enabled, problem }) => problem ?? t(enabled === false ? 'disabled' : 'enabled'),
                  show: ({ enabled, failingSince, problem }) => (
                    <Badge
                      variant="dot"
                      tt="none"
                      color={failingSince ? 'red' : enabled === false ? 'gray' : 'teal'}
                      title={problem}
                    >
                      {failingSince ? t('failure') : t(enabled === false ? 'disabled' : 'enabled')}
                    </Badge>
                  ),
                },
                {
                  id: 'actions',
                  title: w('actions'),
                  width: '16rem',
                  text: () => '',
                  show: ({ id }) => (
                    <Group gap={4} wrap="nowrap">
                      <Button size="compact-sm" variant="light" onClick={() => void test(String(id))}>
                        {t('sendTest')}
                      </Button>
                      <Button size="compact-sm" variant="subtle" color="red" onClick={() => remove(String(id))}>
                        {w('delete')}
                      </Button>
                    </Group>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {making && <NewWebhook onSecret={setSecret} onClose={() => setMaking(false)} />}
    </>
  )
}

function NewWebhook({ onSecret, onClose }: { onSecret: (secret: string | undefined) => void; onClose: () => void }) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { webhooks } = useClient()
  const attempt = useAttempt()
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState<string[]>([])
  const make = async () => {
    const made = await attempt(webhooks.createWebhook({ body: { url, ...(types.length > 0 && { types }) } }))
    if (!made) return
    onSecret(made.secret)
    onClose()
  }
  return (
    <FormModal title={t('newWebhook')} onSubmit={make} onClose={onClose}>
      <TextInput
        label={t('url')}
        type="url"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        data-autofocus
      />
      <TagsInput label={t('types')} value={types} onChange={setTypes} />
      <Button type="submit" disabled={url === ''}>
        {w('create')}
      </Button>
    </FormModal>
  )
}
