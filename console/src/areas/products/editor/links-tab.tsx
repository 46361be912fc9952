/** Links of a product: pictures and files, other products, channels. */
import { ActionIcon, Anchor, Badge, Button, Card, Group, Stack, Text, Title, Tooltip } from '@mantine/core'
import { IconLink, IconLinkOff, IconPhotoPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { AssetPicker } from '../../../object/asset-picker.tsx'
import { useClient, useMay } from '../../../object/client.tsx'
import { toItems } from '../../../object/items.ts'
import { Thumbnail, usePictures } from '../../../object/pictures.tsx'
import { accepted } from '../../../object/records.ts'
import { type Linked, linkedOf } from '../../../object/links.ts'
import { useTexts } from '../../../ui/language.tsx'
import { Empty } from '../../../ui/states.tsx'
import { notifyDone, notifyFailed } from '../../../ui/notifications.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import type { Item, ProductMessage } from './product.ts'
import { texts } from './texts.ts'
import { productKey } from './use-product.ts'
import classes from './editor.module.css'

export function LinksTab({ item, product }: { item: Item; product: ProductMessage }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const may = useMay()
  const client = useClient()
  const queryClient = useQueryClient()
  const [picking, setPicking] = useState(false)
  const assets = linkedOf(item.message, 'assetToProduct', 'assetTid')
  const products = linkedOf(item.message, 'productToProduct', 'linkedProductTid')
  const channels = linkedOf(item.message, 'productToProject', 'projectTid')
  const pictures = usePictures([assets.map(({ tid }) => tid)])
  const refresh = () => queryClient.invalidateQueries({ queryKey: productKey(product.tid ?? '') })
  const failed = (error: unknown) => notifyFailed(word('failed'), error)

  const link = async (tids: readonly string[]) => {
    const group = (assetTid: string) => ({
      type: 'assetToProduct',
      itms: [{ itm: toItems({ assetTid, productTid: item.tid }) }],
    })
    await accepted(client.common.links.persist(tids.map(group)))
    await refresh()
    notifyDone(t('linked', { count: tids.length }))
  }
  const unlink = async ({ tid }: Linked, name: string) => {
    const meta = { itm: toItems({ productTid: item.tid }) }
    await accepted(client.dam.assets.perform([{ type: 'unlink', tid, meta }]))
    await refresh()
    notifyDone(t('unlinked', { name }), { label: word('undo'), run: () => void link([tid]).catch(failed) })
  }
  const mayLink = may('link', 'product') && item.level === 'p'
  return (
    <Stack p="md" gap="lg">
      <Group justify="space-between">
        <Title order={2}>{t('pictures')}</Title>
        {mayLink && (
          <Button variant="default" leftSection={<IconPhotoPlus size={16} />} onClick={() => setPicking(true)}>
            {t('linkAsset')}
          </Button>
        )}
      </Group>
      {assets.length === 0 ? (
        <Empty icon={IconLink} title={t('noLinks')}>
          {t('noLinksHint')}
        </Empty>
      ) : (
        <div className={classes.cards}>
          {assets.map((asset) => {
            const picture = pictures.get(asset.tid)
            const name = picture?.name ?? asset.tid
            return (
              <Card key={`${asset.tid} ${asset.linkType}`} withBorder padding="xs">
                <Thumbnail picture={picture} size={170} label={name} />
                <Group justify="space-between" wrap="nowrap" mt={6}>
                  <Anchor
                    size="sm"
                    truncate
                    renderRoot={(props) => <Link to="/assets/$tid" params={{ tid: asset.tid }} {...props} />}
                  >
                    {name}
                  </Anchor>
                  {mayLink && (
                    <Tooltip label={t('unlink', { name })}>
                      <ActionIcon
                        size="sm"
                        variant="subtle"
                        color="gray"
                        aria-label={t('unlink', { name })}
                        onClick={() => void unlink(asset, name).catch(failed)}
                      >
                        <IconLinkOff size={14} />
                      </ActionIcon>
                    </Tooltip>
                  )}
                </Group>
                {asset.linkType && (
                  <Badge size="xs" variant="light" mt={4}>
                    {asset.linkType}
                  </Badge>
                )}
              </Card>
            )
          })}
        </div>
      )}
      <LinkedObjects
        title={t('products')}
        objects={products}
        link={(tid, props) => <Link to="/products/$tid" params={{ tid }} {...props} />}
      />
      <LinkedObjects
        title={t('channels')}
        objects={channels}
        link={(tid, props) => <Link to="/channels" search={{ channel: tid }} {...props} />}
      />
      {picking && <AssetPicker onClose={() => setPicking(false)} onChoose={(tids) => void link(tids).catch(failed)} />}
    </Stack>
  )
}

interface LinkedObjectsProps {
  readonly title: string
  readonly objects: readonly Linked[]
  readonly link: (tid: string, props: object) => ReactNode
}

function LinkedObjects({ title, objects, link }: LinkedObjectsProps) {
  if (objects.length === 0) return null
  return (
    <section>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {objects.map(({ tid, linkType }) => (
        <Group key={`${tid} ${linkType}`} gap="xs">
          <Anchor size="sm" renderRoot={(props) => link(tid, props)}>
            {tid}
          </Anchor>
          <Text size="xs" c="dimmed">
            {linkType}
          </Text>
        </Group>
      ))}
    </section>
  )
}
