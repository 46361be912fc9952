/** The contents of a channel: products, channel texts and assets, with pictures. */
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconFilePlus, IconPackageImport, IconPhotoPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { AssetPicker } from '../../object/asset-picker.tsx'
import { useMay } from '../../object/client.tsx'
import { usePictures } from '../../object/pictures.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { allows, type Channel } from './channels.ts'
import { CreatePeo } from './create-peo.tsx'
import { PlaceProducts } from './place-products.tsx'
import { assetsOf, mostShown, productsOf, useChannelPeos, usePlacing, useProductRows } from './placed.ts'
import { PlacedCard } from './placed-card.tsx'
import { texts } from './texts.ts'
import classes from './channels.module.css'

export function PlacedTab({ channel }: { channel: Channel }) {
  return (
    <Stack gap="xl">
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
      {total > mostShown && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('firstOnly', { count: mostShown, total })}
        </Text>
      )}
      {dialog}
    </section>
  )
}

function Products({ channel }: { channel: Channel }) {
  const t = useTexts(texts)
  const [placing, setPlacing] = useState(false)
  const { placeProducts } = usePlacing(channel)
  const tids = productsOf(channel)
  const rows = useProductRows(tids)
  const pictures = usePictures([(rows.data ?? []).flatMap(({ picture }) => picture ?? [])])
  return (
    <Section
      title={t('products')}
      dialog={
        placing && <PlaceProducts onClose={() => setPlacing(false)} onChoose={(chosen) => void placeProducts(chosen)} />
      }
      total={tids.length}
      none={t('noProducts')}
      action={
        allows(channel, 'link') && (
          <Button variant="default" leftSection={<IconPackageImport size={16} />} onClick={() => setPlacing(true)}>
            {t('placeProducts')}
          </Button>
        )
      }
    >
      <Loaded query={rows}>
        {(all) =>
          all.map(({ tid = '', name = tid, picture }) => (
            <PlacedCard
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
  const { takePeoOut } = usePlacing(channel)
  const peos = useChannelPeos(channel)
  const shown = peos.data?.shown ?? []
  const productTids = shown.flatMap(({ productTid }) => productTid ?? [])
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
      {shown.map(({ tid = '', name = tid, productTid = '', template = '' }) => (
        <PlacedCard
          key={tid}
          name={name}
          note={template ? `${productTid} · ${template}` : productTid}
          picture={pictures.get(pictureOf.get(productTid) ?? '')}
          to="/products/$tid"
          tid={productTid}
          onTakeOut={allows(channel, 'link') ? () => void takePeoOut(tid, name) : undefined}
        />
      ))}
    </Section>
  )
}

function Assets({ channel }: { channel: Channel }) {
  const t = useTexts(texts)
  const [picking, setPicking] = useState(false)
  const { placeAssets, takeAssetOut } = usePlacing(channel)
  const assets = assetsOf(channel)
  const shown = assets.slice(0, mostShown)
  const pictures = usePictures([shown.map(({ tid }) => tid)])
  return (
    <Section
      title={t('assets')}
      dialog={picking && <AssetPicker onClose={() => setPicking(false)} onChoose={(tids) => void placeAssets(tids)} />}
      total={assets.length}
      none={t('noAssets')}
      action={
        allows(channel, 'link') && (
          <Button variant="default" leftSection={<IconPhotoPlus size={16} />} onClick={() => setPicking(true)}>
            {t('placeAssets')}
          </Button>
        )
      }
    >
      {shown.map(({ tid, path }) => {
        const name = pictures.get(tid)?.name ?? path.slice(path.lastIndexOf('/') + 1)
        return (
          <PlacedCard
            key={tid}
            name={name}
            note={path}
            picture={pictures.get(tid)}
            to="/assets/$tid"
            tid={tid}
            onTakeOut={allows(channel, 'link') ? () => void takeAssetOut(tid, name) : undefined}
          />
        )
      })}
    </Section>
  )
}
