/** The face of a product beside its values: main picture, completeness, where it is published, tasks and last changes. */
import { Anchor, Button, Image, Stack, Text } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { useUrlState } from '../../../../ui/url-state.ts'
import { usePictures } from '../../../../object/pictures.tsx'
import { UsageBadge } from '../../../../object/usage-badge.tsx'
import { useTexts } from '../../../../ui/language.tsx'
import { picturesOf } from '../pictures.ts'
import type { ProductMessage } from '../product.ts'
import { texts } from '../texts.ts'
import { LastChanges, Tasks } from './activity.tsx'
import { Published } from './published.tsx'
import { QualityTable } from './quality.tsx'
import { ReadinessTable } from './readiness.tsx'
import classes from './face.module.css'

export function Face({ product }: { readonly product: ProductMessage }) {
  return (
    <Stack className={classes.face} gap="lg">
      <MainPicture product={product} />
      <ReadinessTable product={product} />
      <QualityTable product={product} />
      <Published product={product} />
      <Tasks product={product} />
      <LastChanges product={product} />
    </Stack>
  )
}

function MainPicture({ product }: { readonly product: ProductMessage }) {
  const t = useTexts(texts)
  const [, change] = useUrlState()
  const all = picturesOf(product)
  const pictures = usePictures([all.slice(0, 6).map(({ tid }) => tid)])
  const main = all[0] && pictures.get(all[0].tid)
  const url = main?.urls.get('preview') ?? main?.urls.get('thumbnail')
  const open = () => change({ tab: 'links' }, true)
  if (all.length === 0)
    return (
      <Button variant="default" h={120} leftSection={<IconPhotoPlus size={18} />} onClick={open}>
        {t('addPictures')}
      </Button>
    )
  return (
    <div>
      <button type="button" className={classes.picture} onClick={open} aria-label={t('toPictures')}>
        {url ? <Image src={url} alt="" h={200} fit="contain" /> : <Text size="sm">{main?.name}</Text>}
      </button>
      <UsageBadge state={main?.usage} size="sm" />
      {all.length > 1 && (
        <Anchor component="button" size="xs" onClick={open}>
          {t('morePictures', { count: all.length })}
        </Anchor>
      )}
    </div>
  )
}
