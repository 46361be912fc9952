/** Public addresses of a file: of a rendition, for a viewer, or to play it. Create one, copy it, revoke them all. */
import { Button, CopyButton, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMay } from '../../../object/client.tsx'
import { fact } from '../../../object/items.ts'
import { commonTexts } from '../../../ui/common-texts.ts'
import { confirmDanger } from '../../../ui/confirm.tsx'
import { useFormat } from '../../../ui/format.ts'
import { useTexts } from '../../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../../ui/notifications.tsx'
import { useRenditionProfiles } from '../../../object/rendition-select.tsx'
import { renditionTexts } from '../../../object/rendition-texts.ts'
import type { AssetMessage } from '../assets.ts'
import { texts } from '../detail-texts.ts'

type Service = 'iiif' | 'media'
/** The types of pictures that the image service cuts. */
const zoomable = /^image\/(?:jpeg|png|gif|webp|avif|tiff)$/
/** The use of a public address besides renditions; undefined for documents. */
const serviceOf = (asset: AssetMessage): Service | undefined => {
  const mime = fact(asset, 'mimeType') ?? ''
  return zoomable.test(mime) ? 'iiif' : /^(?:video|audio)\//.test(mime) ? 'media' : undefined
}
/** Before the tid of a profile, so that it differs from a service. */
const prefix = 'profile '
const requestOf = (kind: string) =>
  kind === 'iiif' ? { iiif: true } : kind === 'media' ? { media: true } : { profile: kind.slice(prefix.length) }

export function PublicAddress({ asset }: { asset: AssetMessage }) {
  const { tid = '', name = tid } = asset
  const t = useTexts(renditionTexts)
  const d = useTexts(texts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const may = useMay()
  const { dam } = useClient()
  const service = serviceOf(asset)
  const kinds = [
    ...useRenditionProfiles().map((profile) => ({ value: prefix + profile.tid, label: profile.name ?? profile.tid! })),
    ...(service ? [{ value: service, label: t(service) }] : []),
  ]
  const [kind, setKind] = useState<string | null>(null)
  const failed = (error: Error) => notifyFailed(w('failed'), error)
  const made = useMutation({
    mutationFn: async (wanted: string) =>
      (await dam.renditionUrls({ body: { tids: [tid], ...requestOf(wanted), days: 365 } })).urls?.[0],
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
  if (kinds.length === 0 && !may('update', 'asset')) return null
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
          {kinds.length > 0 && (
            <>
              <Select label={t('addressKind')} data={kinds} value={kind} onChange={setKind} />
              <Button
                variant="default"
                disabled={kind === null}
                loading={made.isPending}
                onClick={() => made.mutate(kind!)}
              >
                {t('createAddress')}
              </Button>
            </>
          )}
          {may('update', 'asset') && (
            <Button
              variant="light"
              color="red"
              h="auto"
              py={8}
              styles={{ label: { whiteSpace: 'normal' } }}
              onClick={askToRevoke}
            >
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
              {t(made.variables === 'media' ? 'mediaHint' : 'publicHint', { date: format.date(made.data.until) })}
              {made.variables === 'iiif' && ` ${t('iiifHint')}`}
            </Text>
          </>
        )}
      </Stack>
    </div>
  )
}
