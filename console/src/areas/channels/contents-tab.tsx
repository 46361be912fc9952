/** The contents of a channel: products, channel texts and assets, with pictures. */
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconFilePlus, IconPackageImport, IconPhotoPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { AssetPicker } from '../../object/asset-picker.tsx'
import { useMay } from '../../object/client.tsx'
import { usePictures } from '../../object/pictures.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { BriefingNote } from './briefing-note.tsx'
import { allows, type Channel } from './channels.ts'
import { CreatePeo } from './create-peo.tsx'
import { AddProducts } from './add-products.tsx'
import { assetsOf, maxCards, productsOf, useChannelPeos, useContentChanges, useProductRows } from './contents.ts'
import { ContentCard } from './content-card.tsx'
import { texts } from './texts.ts'
import classes from './channels.module.css'

export function ContentsTab({ channel }: { channel: Channel }) {
  return (
    <Stack gap="xl">
      <BriefingNote channel={channel} />
      <Products channel={channel} />
      <Peos channel={channel} />
      <Assets channel={channel} />
    </Stack>
  )
}

interface SectionProps {
  readonly title: string
  readonly action: ReactNode
  /** A dialog of the section, rendered also when the section is empty. */
  readonly dialog: ReactNode
  readonly total: number
  readonly none: string
  readonly children: ReactNode
}

function Section({ title, action, dialog, total, none, children }: SectionProps) {
  const t = useTexts(texts)
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={3}>
          {title} ({total})
        </Title>
        {action}
      </Group>
      {total === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <div className={classes.cards}>{children}</div>
      )}
      {total > maxCards && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('firstOnly', { count: maxCards, total })}
        </Text>
      )}
      {dialog}
    </section>
  )
}

function Products({ channel }: { channel: Channel }) {
  const t = useTexts(texts)
  const [adding, setAdding] = useState(false)
  const { addProducts } = useContentChanges(channel)
  const tids = productsOf(channel)
  const rows = useProductRows(tids)
  const pictures = usePictures([(rows.data ?? []).flatMap(({ picture }) => picture ?? [])])
  return (
    <Section
      title={t('products')}
      dialog={
        adding && <AddProducts onClose={() => setAdding(false)} onChoose={(chosen) => void addProducts(chosen)} />
      }
      total={tids.length}
      none={t('noProducts')}
      action={
        allows(channel, 'link') && (
          <Button variant="default" leftSection={<IconPackageImport size={16} />} onClick={() => setAdding(true)}>
            {t('addProducts')}
          </Button>
        )
      }
    >
      <Loaded query={rows}>
        {(all) =>
          all.map(({ tid = '', name = tid, picture }) => (
            <ContentCard
              key={tid}
              name={name}
              note={tid}
              picture={picture ? pictures.get(picture) : undefined}
              to="/products/$tid"
              tid={tid}
            />
          ))
        }
      </Loaded>
    </Section>
  )
}

function Peos({ channel }: { channel: Channel }) {
  const t = useTexts(texts)
  const may = useMay()
  const [creating, setCreating] = useState(false)
  const { removePeo } = useContentChanges(channel)
  const peos = useChannelPeos(channel)
  const visible = peos.data?.peos ?? []
  const productTids = visible.flatMap(({ productTid }) => productTid ?? [])
  const rows = useProductRows(productTids)
  const pictureOf = new Map(rows.data?.map(({ tid, picture }) => [tid, picture]))
  const pictures = usePictures([[...pictureOf.values()].flatMap((picture) => picture ?? [])])
  return (
    <Section
      title={t('peos')}
      dialog={creating && <CreatePeo channel={channel} onClose={() => setCreating(false)} />}
      total={peos.data?.total ?? 0}
      none={t('noPeos')}
      action={
        may('create', 'peo') &&
        allows(channel, 'link') && (
          <Button variant="default" leftSection={<IconFilePlus size={16} />} onClick={() => setCreating(true)}>
            {t('newPeo')}
          </Button>
        )
      }
    >
      {visible.map(({ tid = '', name = tid, productTid = '', template = '' }) => (
        <ContentCard
          key={tid}
          name={name}
          note={template ? `${productTid} · ${template}` : productTid}
          picture={pictures.get(pictureOf.get(productTid) ?? '')}
          to="/products/$tid"
          tid={productTid}
          onRemove={allows(channel, 'link') ? () => void removePeo(tid, name) : undefined}
        />
      ))}
    </Section>
  )
}

function Assets({ channel }: { channel: Channel }) {
  const t = useTexts(texts)
  const [picking, setPicking] = useState(false)
  const { addAssets, removeAsset } = useContentChanges(channel)
  const assets = assetsOf(channel)
  const visible = assets.slice(0, maxCards)
  const pictures = usePictures([visible.map(({ tid }) => tid)])
  return (
    <Section
      title={t('assets')}
      dialog={picking && <AssetPicker onClose={() => setPicking(false)} onChoose={(tids) => void addAssets(tids)} />}
      total={assets.length}
      none={t('noAssets')}
      action={
        allows(channel, 'link') && (
          <Button variant="default" leftSection={<IconPhotoPlus size={16} />} onClick={() => setPicking(true)}>
            {t('addAssets')}
          </Button>
        )
      }
    >
      {visible.map(({ tid, path }) => {
        const name = pictures.get(tid)?.name ?? path.slice(path.lastIndexOf('/') + 1)
        return (
          <ContentCard
            key={tid}
            name={name}
            note={path}
            picture={pictures.get(tid)}
            to="/assets/$tid"
            tid={tid}
            onRemove={allows(channel, 'link') ? () => void removeAsset(tid, name) : undefined}
          />
        )
      })}
    </Section>
  )
}
