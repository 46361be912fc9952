/** The form for a message to a user or to everyone with a role. Administrators get suggestions of names. */
import { Autocomplete, Button, Group, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { severities } from '@kontor/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMe } from '../../object/client.tsx'
import { DraftNotice, useFormDraft } from '../../object/form-draft.tsx'
import { accepted } from '../../object/records.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Failure } from '../../ui/states.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { texts } from './texts.ts'

export interface Draft {
  readonly recipient?: string
  readonly subject?: string
}
type RecipientKind = 'user' | 'role'
interface Message {
  readonly kind: RecipientKind
  readonly recipient: string
  readonly subject: string
  readonly body: string
  readonly severity: (typeof severities)[number]
}

export function Compose({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const t = useTexts(texts)
  const { common } = useClient()
  const queryClient = useQueryClient()
  const form = useFormDraft<Message>(`message.${draft.recipient ?? ''}.${draft.subject ?? ''}`, {
    kind: 'user',
    recipient: draft.recipient ?? '',
    subject: draft.subject ?? '',
    body: '',
    severity: 'INFO',
  })
  const { kind, recipient, subject, body, severity } = form.value
  const change = (fields: Partial<Message>) => form.change({ ...form.value, ...fields })
  const [fault, setFault] = useState<unknown>()
  const names = useNames(kind, recipient)
  const send = async () => {
    const to = kind === 'user' ? { recipientUser: recipient } : { recipientRole: recipient }
    const reply = common.persistMessages({ body: { messages: [{ subject, body, severity, ...to }] } })
    try {
      await accepted(reply.then(({ response = [] }) => response))
      await queryClient.invalidateQueries({ queryKey: ['messages'] })
      form.discard()
      notifyDone(t('sent'))
      onClose()
    } catch (error) {
      setFault(error)
    }
  }
  return (
    <FormModal size="lg" title={t('compose')} keepsInput onSubmit={send} onClose={onClose}>
      <Stack gap="sm">
        <DraftNotice draft={form} />
        <SegmentedControl
          aria-label={t('recipient')}
          data={(['user', 'role'] as const).map((value) => ({ value, label: t(value) }))}
          value={kind}
          onChange={(next) => change({ kind: next as RecipientKind })}
        />
        <Autocomplete
          label={kind === 'user' ? t('recipientUser') : t('recipientRole')}
          data={names}
          value={recipient}
          onChange={(next) => change({ recipient: next })}
          required
        />
        <TextInput
          label={t('subject')}
          value={subject}
          onChange={({ currentTarget }) => change({ subject: currentTarget.value })}
          required
        />
        <Textarea
          label={t('body')}
          value={body}
          onChange={({ currentTarget }) => change({ body: currentTarget.value })}
          autosize
          minRows={5}
          maxRows={14}
          required
        />
        <Select
          label={t('severity')}
          data={severities.map((value) => ({ value, label: t(value) }))}
          value={severity}
          onChange={(next) => next && change({ severity: next })}
          allowDeselect={false}
        />
        {fault !== undefined && <Failure error={fault} />}
        <Group justify="flex-end">
          <Button type="submit" disabled={!recipient.trim() || !subject.trim() || !body.trim()}>
            {t('send')}
          </Button>
        </Group>
      </Stack>
    </FormModal>
  )
}

const suggested = 20

/** The names of users or roles that contain what was typed. Only administrators may list them; others get no suggestions. */
function useNames(kind: RecipientKind, typed: string): string[] {
  const { identity } = useClient()
  const { roles = [] } = useMe()
  const search = kind === 'user' ? typed.trim() : ''
  const { data } = useQuery({
    queryKey: ['recipients', kind, search],
    enabled: roles.includes('admin'),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const found =
        kind === 'user'
          ? (await identity.listUsers({ query: { count: String(suggested), ...(search && { search }) } })).users
          : (await identity.listRoles()).roles
      return (found ?? []).flatMap(({ name }) => name ?? [])
    },
  })
  return data ?? []
}
