/** Pictures that look almost the same, in groups: open them, or choose those that are not needed any more. */
import { Anchor, Checkbox, Group, Paper, Stack, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { fact } from '../../object/items.ts'
import { Thumbnail, usePictures } from '../../object/pictures.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import type { AssetMessage } from './assets.ts'
import { BackToAssets } from './back-to-assets.tsx'
import { SelectionBar, useAssetActions } from './selection-bar.tsx'
import { texts } from './texts.ts'

const most = 1000

export function NearDuplicatesPage() {
  const t = useTexts(texts)
  const { dam } = useClient()
  const act = useAssetActions()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const tids = useMemo(() => [...chosen], [chosen])
  const query = useQuery({
    queryKey: ['assets', 'near-duplicates'],
    queryFn: () => dam['assets/similar'].retrieve({ limit: most }),
  })
  const toggle = (tid: string) => setChosen(chosen.has(tid) ? new Set(tids.filter((one) => one !== tid)) : new Set([...tids, tid])) // prettier-ignore
  return (
    <Page title={t('nearDuplicates')} before={<BackToAssets />}>
      <Loaded query={query}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon={IconCopy} title={t('nearDuplicatesNone')}>
              {t('nearDuplicatesBody')}
            </Empty>
          ) : (
            <Stack>
              <Text size="sm">{t('nearDuplicatesBody')}</Text>
              <Groups found={found} chosen={chosen} onToggle={toggle} />
              {tids.length > 0 && <SelectionBar tids={tids} onClear={() => setChosen(new Set())} act={act} />}
            </Stack>
          )
        }
      </Loaded>
    </Page>
  )
}

interface GroupsProps {
  readonly found: readonly AssetMessage[]
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (tid: string) => void
}

function Groups({ found, chosen, onToggle }: GroupsProps) {
  const format = useFormat()
  const groups = [...Map.groupBy(found, (asset) => fact(asset, 'nearDuplicates') ?? '')]
  const pictures = usePictures([found.map(({ tid = '' }) => tid)])
  return groups.map(([key, some]) => (
    <Paper key={key} withBorder p="sm" component="section" aria-label={some[0]?.name ?? key}>
      <Group gap="md" align="flex-start">
        {some.map(({ tid = '', name = tid, path = '', ...asset }) => (
          <Stack key={tid} gap={4} w={160}>
            <Anchor
              renderRoot={(props) => <Link to="/assets/$tid" params={{ tid }} {...props} />}
              size="xs"
              title={path}
            >
              <Thumbnail picture={pictures.get(tid)} size={160} />
            </Anchor>
            <Checkbox size="xs" label={name} checked={chosen.has(tid)} onChange={() => onToggle(tid)} />
            <Text size="xs" c="dimmed" truncate title={path}>
              {format.bytes(Number(fact(asset, 'fileSize') ?? 0))} · {path.slice(0, path.lastIndexOf('/'))}
            </Text>
          </Stack>
        ))}
      </Group>
    </Paper>
  ))
}
