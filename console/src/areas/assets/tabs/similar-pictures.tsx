/** Pictures that look like this one, nearest first. */
import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../../object/client.tsx'
import { fact } from '../../../object/items.ts'
import { Thumbnail, usePictures } from '../../../object/pictures.tsx'
import { useTexts } from '../../../ui/language.tsx'
import type { AssetMessage } from '../assets.ts'
import { texts } from '../detail-texts.ts'

const most = 12
/** Bits that differ at most between pictures that are almost the same. */
const nearDistance = 4

/** Left out for files that are not pictures. */
export function SimilarPictures({ asset }: { asset: AssetMessage }) {
  const t = useTexts(texts)
  const { dam } = useClient()
  const isPicture = fact(asset, 'mimeType')?.startsWith('image/') ?? false
  const { data } = useQuery({
    queryKey: ['assets', 'similar', asset.tid, fact(asset, 'checksum'), fact(asset, 'importStatus')],
    queryFn: () => dam['assets/similar'].retrieve({ tids: [asset.tid!], limit: most }),
    enabled: isPicture,
  })
  const pictures = usePictures([(data ?? []).map(({ tid = '' }) => tid)])
  if (!isPicture || !data) return null
  return (
    <section aria-label={t('similar')}>
      <Title order={2} size="h4" mb={6}>
        {t('similar')}
      </Title>
      {data.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('similarNone')}
        </Text>
      )}
      <Group gap="sm" align="flex-start">
        {data.map((one) => (
          <Stack key={one.tid} gap={4} w={110}>
            <Anchor
              renderRoot={(props) => <Link to="/assets/$tid" params={{ tid: one.tid ?? '' }} {...props} />}
              size="xs"
              title={one.path ?? ''}
            >
              <Thumbnail picture={pictures.get(one.tid ?? '')} size={110} />
              <Text size="xs" truncate>
                {one.name}
              </Text>
            </Anchor>
            {Number(fact(one, 'distance')) <= nearDistance && (
              <Badge size="xs" variant="light" tt="none">
                {t('nearDuplicate')}
              </Badge>
            )}
          </Stack>
        ))}
      </Group>
    </section>
  )
}
