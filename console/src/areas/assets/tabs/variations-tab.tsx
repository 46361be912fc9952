/** The tree of variations that the asset belongs to. */
import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { IconVersions } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../../object/client.tsx'
import { fact } from '../../../object/items.ts'
import { useTexts } from '../../../ui/language.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import type { AssetMessage } from '../assets.ts'
import { texts } from '../detail-texts.ts'

export function VariationsTab({ asset }: { asset: AssetMessage }) {
  const t = useTexts(texts)
  const { dam } = useClient()
  const variations = useQuery({
    queryKey: ['assets', 'variations', asset.tid],
    queryFn: async () =>
      (await dam.retrieveVariations({ body: { assetTids: [asset.tid!] } })).variations?.variation ?? [],
  })
  return (
    <Loaded query={variations}>
      {(all) =>
        all.length < 2 ? (
          <Empty icon={IconVersions} title={t('variationsNone')}>
            {t('variationsNoneBody')}
          </Empty>
        ) : (
          <Stack gap="xs">
            {all.map((one) => (
              <Group key={one.assetTid} gap="xs">
                <Anchor
                  renderRoot={(props) => <Link to="/assets/$tid" params={{ tid: one.assetTid ?? '' }} {...props} />}
                  size="sm"
                  fw={one.assetTid === asset.tid ? 700 : 400}
                >
                  {fact(one, 'name') ?? one.assetTid}
                </Anchor>
                {fact(one, 'variationType') && (
                  <Badge variant="light" tt="none">
                    {fact(one, 'variationType')}
                  </Badge>
                )}
              </Group>
            ))}
            <Text size="xs" c="dimmed">
              {t('variationsNoneBody')}
            </Text>
          </Stack>
        )
      }
    </Loaded>
  )
}
