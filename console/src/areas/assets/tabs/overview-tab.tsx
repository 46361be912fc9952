/** File properties, keywords, downloadable formats, and a link to share. */
import { Anchor, Badge, Button, CopyButton, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useClient } from '../../../object/client.tsx'
import { Colours, coloursOf } from '../../../object/colours.tsx'
import { fact } from '../../../object/items.ts'
import { useFormat } from '../../../ui/format.ts'
import { useTexts } from '../../../ui/language.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { notifyFailed } from '../../../ui/notifications.tsx'
import { type AssetMessage, keywordsOf } from '../assets.ts'
import { dimensionsOf } from '../asset-list.tsx'
import { texts } from '../detail-texts.ts'
import { Facts } from './facts.tsx'
import { FocalPoint } from './focal-point.tsx'
import { PublicAddress } from './public-address.tsx'
import { SimilarPictures } from './similar-pictures.tsx'

const minutes = 60

export function OverviewTab({ asset }: { asset: AssetMessage }) {
  return (
    <Stack gap="lg">
      <FileFacts asset={asset} />
      <SimilarPictures asset={asset} />
      <Formats asset={asset} />
      <FocalPoint asset={asset} />
      <SharedLink asset={asset} />
      <PublicAddress asset={asset} />
    </Stack>
  )
}

/** The properties of the file and its keywords. */
export function FileFacts({ asset }: { asset: AssetMessage }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const date = (key: string) => {
    const value = fact(asset, key)
    return value && format.dateTime(value)
  }
  const keywords = keywordsOf(asset)
  const colours = coloursOf(asset)
  return (
    <>
      <Facts
        facts={[
          [t('size'), format.bytes(Number(fact(asset, 'fileSize') ?? 0))],
          [t('dimensions'), dimensionsOf(asset, format)],
          [t('duration'), durationOf(asset)],
          [t('film'), filmOf(asset)],
          [t('sound'), soundOf(asset)],
          [t('colours'), colours.length > 0 && <Colours key="colours" colours={colours} />],
          [t('analysisNote'), fact(asset, 'analysisNote')],
          [t('mime'), fact(asset, 'mimeType')],
          [t('path'), asset.path],
          [w('updated'), `${date('modificationDate') ?? ''} ${w('by')} ${fact(asset, 'modificationUser') ?? ''}`],
          [w('created'), `${date('creationDate') ?? ''} ${w('by')} ${fact(asset, 'creationUser') ?? ''}`],
          ['ID', asset.tid],
          [t('checksum'), fact(asset, 'checksum')],
        ]}
      />
      {keywords.length > 0 && (
        <div>
          <Title order={2} size="h4" mb={6}>
            {t('keywords')}
          </Title>
          <Group gap={6}>
            {keywords.map((path) => (
              <Badge key={path} variant="light" tt="none">
                {path}
              </Badge>
            ))}
          </Group>
        </div>
      )}
    </>
  )
}

/** `1:02:03.4` */
function durationOf(asset: AssetMessage): string | undefined {
  const seconds = Number(fact(asset, 'duration') ?? NaN)
  if (Number.isNaN(seconds)) return undefined
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}
const joined = (...parts: (string | false | undefined)[]) => parts.filter(Boolean).join(', ') || undefined
const filmOf = (asset: AssetMessage) => {
  const [rate, rotation] = [fact(asset, 'frameRate'), fact(asset, 'rotation')]
  return joined(fact(asset, 'videoCodec'), rate && `${rate} fps`, rotation && `${rotation}°`)
}
const soundOf = (asset: AssetMessage) => {
  const [rate, channels] = [fact(asset, 'sampleRate'), fact(asset, 'audioChannels')]
  return joined(fact(asset, 'audioCodec'), rate && `${Number(rate) / 1000} kHz`, channels && `${channels} ch`)
}

const formatNames = ['thumbnail', 'preview', 'fullsize'] as const

function Formats({ asset }: { asset: AssetMessage }) {
  const t = useTexts(texts)
  const format = useFormat()
  const previews = asset.previews?.preview ?? []
  if (previews.length === 0) return null
  return (
    <div>
      <Title order={2} size="h4" mb={6}>
        {t('formats')}
      </Title>
      <Facts
        facts={formatNames.flatMap((name) => {
          const found = previews.find(({ type }) => type === name)
          if (!found) return []
          const text = `${fact(found, 'width')} × ${fact(found, 'height')} px, ${format.bytes(Number(fact(found, 'fileSize') ?? 0))}`
          return [
            [
              t(name),
              <Anchor key={name} size="sm" href={fact(found, 'url')} target="_blank" rel="noreferrer">
                {text}
              </Anchor>,
            ] as const,
          ]
        })}
      />
    </div>
  )
}

function SharedLink({ asset }: { asset: AssetMessage }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { dam } = useClient()
  const link = useMutation({
    mutationFn: () => dam.presignedUrl({ body: { tid: asset.tid!, expiresInSeconds: minutes * 60 } }),
    onError: (error) => notifyFailed(w('failed'), error),
  })
  return (
    <div>
      <Title order={2} size="h4" mb={6}>
        {t('link')}
      </Title>
      {link.data ? (
        <Stack gap={6}>
          <Group gap="xs" wrap="nowrap">
            <TextInput readOnly value={new URL(link.data, window.location.href).href} aria-label={t('link')} flex={1} />
            <CopyButton value={new URL(link.data, window.location.href).href}>
              {({ copied, copy }) => <Button onClick={copy}>{copied ? w('copied') : t('copyLink')}</Button>}
            </CopyButton>
          </Group>
          <Text size="xs" c="dimmed">
            {t('linkHint', { minutes })}
          </Text>
        </Stack>
      ) : (
        <Button
          variant="default"
          leftSection={<IconLink size={16} />}
          loading={link.isPending}
          onClick={() => link.mutate()}
        >
          {t('link')}
        </Button>
      )}
    </div>
  )
}
