/** Personal tokens: make one for a program, see when it was used, end it. */
import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { ObjectList } from '../../object/list.tsx'
import { confirmDanger } from '../../ui/confirm.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { words } from '../../ui/words.ts'
import { useAttempt } from './attempt.ts'
import { Once } from './once.tsx'
import { texts } from './texts.ts'

export function TokensPart() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const format = useFormat()
  const { identity } = useClient()
  const attempt = useAttempt()
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<string>()
  const tokens = useQuery({
    queryKey: ['settings', 'tokens'],
    queryFn: async () => (await identity.listTokens()).tokens ?? [],
  })
  const revoke = (id: string, name: string) =>
    confirmDanger({
      title: t('revokeTitle', { name }),
      body: t('revokeBody'),
      confirm: t('revoke'),
      cancel: w('cancel'),
      onConfirm: () => void attempt(identity.revokeToken({ params: { id } }), t('revoked')),
    })
  const create = <Button onClick={() => setMaking(true)}>{t('newToken')}</Button>
  return (
    <>
      {made && (
        <div style={{ padding: '0.75rem' }}>
          <Once title={t('tokenOnce')} secret={made} onClose={() => setMade(undefined)} />
        </div>
      )}
      <Loaded query={tokens}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={IconKey} title={t('noTokens')} action={create}>
              {t('noTokensHint')}
            </Empty>
          ) : (
            <ObjectList
              label={t('tokens')}
              rows={all}
              keyOf={({ id }) => id!}
              tools={create}
              columns={[
                { id: 'name', title: w('name'), width: 'minmax(10rem, 2fr)', text: ({ name }) => name ?? '' },
                { id: 'kind', title: t('tokenKind'), width: '7rem', text: ({ kind }) => kind ?? '' },
                {
                  id: 'created',
                  title: w('created'),
                  width: '10rem',
                  text: ({ createdAt }) => createdAt ?? '',
                  show: ({ createdAt }) => createdAt && format.dateTime(createdAt),
                },
                {
                  id: 'used',
                  title: t('lastUsed'),
                  width: '9rem',
                  text: ({ lastUsedAt }) => lastUsedAt ?? '',
                  show: ({ lastUsedAt }) => (lastUsedAt ? format.ago(lastUsedAt) : t('never')),
                },
                {
                  id: 'expires',
                  title: t('expires'),
                  width: '9rem',
                  text: ({ expiresAt }) => expiresAt ?? '',
                  show: ({ expiresAt }) => (expiresAt ? format.date(expiresAt) : t('never')),
                },
                {
                  id: 'revoke',
                  title: w('actions'),
                  width: '8rem',
                  text: () => '',
                  show: ({ id, name = '' }) => (
                    <Button size="compact-sm" variant="light" color="red" onClick={() => revoke(id!, name)}>
                      {t('revoke')}
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {making && <NewToken onMade={setMade} onClose={() => setMaking(false)} />}
    </>
  )
}

function NewToken({ onMade, onClose }: { onMade: (token: string | undefined) => void; onClose: () => void }) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { identity } = useClient()
  const attempt = useAttempt()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<'access' | 'offline'>('access')
  const make = async () => {
    const made = await attempt(identity.createToken({ body: { name, kind } }))
    if (!made) return
    onMade(made.token)
    onClose()
  }
  return (
    <FormModal title={t('newToken')} onSubmit={make} onClose={onClose}>
      <TextInput
        label={t('tokenName')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <Select
        label={t('tokenKind')}
        data={[
          { value: 'access', label: t('access') },
          { value: 'offline', label: t('offline') },
        ]}
        value={kind}
        allowDeselect={false}
        onChange={(value) => setKind(value === 'offline' ? 'offline' : 'access')}
      />
      <Group justify="flex-end">
        <Button type="submit" disabled={name.trim() === ''}>
          {w('create')}
        </Button>
      </Group>
    </FormModal>
  )
}
