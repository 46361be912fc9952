/** Public addresses of renditions of a file: create one by a profile, copy it, revoke them all. */
import { Button, CopyButton, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMay } from '../../../object/client.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { confirmDanger } from '../../../ui/confirm.tsx'
import { useFormat } from '../../../ui/format.ts'
import { useTexts } from '../../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../../ui/notifications.tsx'
import { RenditionSelect, useRenditionProfiles } from '../../../object/rendition-select.tsx'
import { renditionTexts } from '../../../object/rendition-texts.ts'
import type { AssetMessage } from '../assets.ts'
import { texts } from '../detail-texts.ts'

export function PublicAddress({ asset: { tid = '', name = tid } }: { asset: AssetMessage }) {
  const t = useTexts(renditionTexts)
  const d = useTexts(texts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const may = useMay()
  const { dam } = useClient()
  const [profile, setProfile] = useState<string | null>(null)
  const profiles = useRenditionProfiles()
  const failed = (error: Error) => notifyFailed(w('failed'), error)
  const made = useMutation({
    mutationFn: async (wanted: string) =>
      (await dam.renditionUrls({ body: { tids: [tid], profile: wanted, days: 365 } })).urls?.[0],
    onError: failed,
  })
  const revoked = useMutation({
    mutationFn: () => dam.revokeRenditionUrls({ body: { tids: [tid] } }),
    onSuccess: () => {
      made.reset()
      notifyDone(t('revoked'))
    },
    onError: failed,
  })
  if (profiles.length === 0) return null
  const askToRevoke = () =>
    confirmDanger({
      title: t('revokeTitle', { name }),
      body: t('revokeBody'),
      confirm: t('revoke'),
      cancel: w('cancel'),
      onConfirm: () => revoked.mutate(),
    })
  return (
    <div>
      <Title order={2} size="h4" mb={6}>
        {t('publicAddress')}
      </Title>
      <Stack gap={6}>
        <Group gap="xs" align="flex-end">
          <RenditionSelect label={t('rendition')} value={profile} onChange={setProfile} />
          <Button
            variant="default"
            disabled={profile === null}
            loading={made.isPending}
            onClick={() => made.mutate(profile!)}
          >
            {t('createAddress')}
          </Button>
          {may('update', 'asset') && (
            <Button variant="light" color="red" onClick={askToRevoke}>
              {t('revokeFile')}
            </Button>
          )}
        </Group>
        {made.data && (
          <>
            <Group gap="xs" wrap="nowrap">
              <TextInput readOnly value={made.data.url} aria-label={t('publicAddress')} flex={1} />
              <CopyButton value={made.data.url}>
                {({ copied, copy }) => <Button onClick={copy}>{copied ? w('copied') : d('copyLink')}</Button>}
              </CopyButton>
            </Group>
            <Text size="xs" c="dimmed">
              {t('publicHint', { date: format.date(made.data.until) })}
            </Text>
          </>
        )}
      </Stack>
    </div>
  )
}
