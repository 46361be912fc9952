/** Personal tokens of the signed-in user: create one for a program, see when it was last used, revoke it. */
import { Button } from '@mantine/core'
import { type Infer, NewPersonalToken, PersonalToken } from '@kontor/contract'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { hide } from '../../object/fields.ts'
import { FormDialog } from '../../object/form-dialog.tsx'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Empty } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useAttempt } from './attempt.ts'
import { OneTimeSecret } from '../../ui/one-time-secret.tsx'
import { texts } from './texts.ts'

export function TokensPart() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const labelOf = useLabels(texts)
  const format = useFormat()
  const { identity } = useClient()
  const attempt = useAttempt()
  const [creating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
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
  const create = <Button onClick={() => setCreating(true)}>{t('newToken')}</Button>
  return (
    <>
      {secret && <OneTimeSecret title={t('tokenOnce')} secret={secret} onClose={() => setSecret(undefined)} />}
      <ListPage
        type={PersonalToken}
        label={t('tokens')}
        query={tokens}
        labelOf={labelOf}
        keyOf={({ id }) => id!}
        tools={create}
        empty={
          <Empty icon={IconKey} title={t('noTokens')} action={create}>
            {t('noTokensHint')}
          </Empty>
        }
        fields={{
          name: { width: 'minmax(10rem, 2fr)' },
          kind: { text: ({ kind = '' }) => kind },
          createdAt: { title: w('created') },
          lastUsedAt: { show: ({ lastUsedAt }) => (lastUsedAt ? format.ago(lastUsedAt) : t('never')) },
          expiresAt: { show: ({ expiresAt }) => (expiresAt ? format.date(expiresAt) : t('never')) },
          ...hide('id', 'lastUsedFrom', 'session', 'token'),
        }}
        actions={({ id, name = '' }) => (
          <Button size="compact-sm" variant="light" color="red" onClick={() => revoke(id!, name)}>
            {t('revoke')}
          </Button>
        )}
      />
      {creating && (
        <FormDialog<Infer<typeof NewPersonalToken>>
          type={NewPersonalToken}
          title={t('newToken')}
          submitLabel={w('create')}
          initial={{ name: '', kind: 'access' }}
          labelOf={labelOf}
          fields={{ name: { label: t('tokenName') } }}
          onSubmit={async (body) => {
            const created = await attempt(identity.createToken({ body }))
            setSecret(created?.token)
            return created
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  )
}
