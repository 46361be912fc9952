/** The values and tags that a download with metadata writes into the file of an asset. */
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import type { EmbeddedEntry, Infer } from '@kontor/contract'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../../object/client.tsx'
import { metadataTexts } from '../../../object/metadata-texts.ts'
import { usageTexts } from '../../../object/usage-texts.ts'
import type { Attribute } from '../../../object/values/attribute.ts'
import { useTexts } from '../../../ui/language.tsx'
import { Loaded } from '../../../ui/states.tsx'
import type { AssetMessage } from '../assets.ts'
import { useAssetActions } from '../selection-bar.tsx'
import { Facts } from './facts.tsx'

type Entry = Infer<typeof EmbeddedEntry>

interface WrittenMetadataProps {
  readonly asset: AssetMessage
  readonly attributes: readonly Attribute[]
}

export function WrittenMetadata({ asset, attributes }: WrittenMetadataProps) {
  const t = useTexts(metadataTexts)
  const u = useTexts(usageTexts)
  const { dam } = useClient()
  const act = useAssetActions()
  const { tid = '' } = asset
  const written = useQuery({
    queryKey: ['assets', 'embedded', tid, asset],
    queryFn: () => dam.embeddedMetadata({ query: { assetTid: tid } }),
  })
  const labelOf = ({ attribute, usage }: Entry) => {
    if (attribute !== undefined) return attributes.find(({ key }) => key === attribute)?.label ?? attribute
    if (usage === 'keywords' || usage === 'keywordPaths') return t('keywords')
    return u(usage === 'licenceUrl' ? 'licence' : (usage as 'licence'))
  }
  return (
    <div>
      <Title order={2} size="h4" mb={6}>
        {t('written')}
      </Title>
      <Loaded query={written}>
        {({ carries, entries = [] }) => (
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {t(entries.length > 0 ? 'writtenHint' : 'nothing')}
            </Text>
            {!carries && (
              <Alert color="gray" py="xs">
                {t('cannotCarry')}
              </Alert>
            )}
            <Facts
              facts={[...Map.groupBy(entries, labelOf)].map(([label, own]) => [
                label,
                <Values key={label} entries={own} />,
              ])}
            />
            <Group gap="xs">
              {carries && (
                <Button
                  variant="default"
                  leftSection={<IconDownload size={16} />}
                  onClick={() => void act.download([tid], 'embed')}
                >
                  {t('embed')}
                </Button>
              )}
              <Button
                variant="default"
                leftSection={<IconDownload size={16} />}
                onClick={() => void act.download([tid], 'sidecar')}
              >
                {t('sidecar')}
              </Button>
            </Group>
          </Stack>
        )}
      </Loaded>
    </div>
  )
}

/** The values once, and the tags that they are written to. */
function Values({ entries }: { readonly entries: readonly Entry[] }) {
  const t = useTexts(metadataTexts)
  const texts = entries[0]!.values?.map(({ value, loc }) => (loc === undefined ? value : `${value} (${loc})`)) ?? []
  return (
    <>
      {texts.length > 0 ? texts.join(', ') : t('removed')}
      <Text size="xs" c="dimmed">
        {entries.map(({ tag }) => tag).join(', ')}
      </Text>
    </>
  )
}
