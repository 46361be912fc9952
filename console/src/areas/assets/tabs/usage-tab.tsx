/** The objects that link to the asset: products, channels and others. */
import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { IconUnlink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { useClient } from '../../../object/client.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import type { AssetMessage } from '../assets.ts'
import { texts } from '../detail-texts.ts'

/** The page of an object, where the console has one. */
function pageOf(dataType: string, tid: string) {
  switch (dataType) {
    case 'product':
      return linkOptions({ to: '/products/$tid', params: { tid } })
    case 'project':
      return linkOptions({ to: '/channels', search: { channel: tid } })
    case 'asset':
      return linkOptions({ to: '/assets/$tid', params: { tid } })
    default:
      return undefined
  }
}

export function UsageTab({ asset }: { asset: AssetMessage }) {
  const t = useTexts(texts)
  const { cm } = useClient()
  const used = useQuery({
    queryKey: ['assets', 'used', asset.tid],
    queryFn: async () => (await cm.retrieveWhereUsed({ body: { dataType: 'asset', tids: [asset.tid!] } })).objects?.[0],
  })
  return (
    <Loaded query={{ ...used, data: used.isSuccess ? (used.data ?? null) : undefined }}>
      {(found) => {
        const uses = found?.uses ?? []
        if (uses.length === 0)
          return (
            <Empty icon={IconUnlink} title={t('usageNone')}>
              {t('usageNoneBody')}
            </Empty>
          )
        return (
          <Stack gap="xs">
            <Text size="sm" c="dimmed">
              {t('uses', { count: Number(found?.total ?? uses.length) })}
            </Text>
            {uses.map(({ dataType = '', tid = '', path, kind }) => {
              const page = pageOf(dataType, tid)
              return (
                <Group key={`${dataType} ${tid} ${kind}`} gap="xs" wrap="nowrap">
                  <Badge variant="light" tt="none">
                    {dataType}
                  </Badge>
                  {page ? (
                    <Anchor renderRoot={(props) => <Link {...page} {...props} />} size="sm" truncate>
                      {path ?? tid}
                    </Anchor>
                  ) : (
                    <Text size="sm" truncate>
                      {path ?? tid}
                    </Text>
                  )}
                </Group>
              )
            })}
          </Stack>
        )
      }}
    </Loaded>
  )
}
