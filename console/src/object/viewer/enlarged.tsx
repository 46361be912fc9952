/** A file as large as there is space: pictures can be zoomed, videos and sounds play, documents are shown. */
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { commonTexts } from '../../ui/common-texts.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loading } from '../../ui/states.tsx'
import { useClient } from '../client.tsx'
import { type AssetMessage, pictureOf } from './asset.ts'
import { Document, isViewable } from './document.tsx'
import { KindIcon } from './kind-icon.tsx'
import classes from './viewer.module.css'

/** Media types that browsers display from the original file. */
const playable = new Set(['VID', 'AUD'])

export function Enlarged({ asset, zoom = 1 }: { asset: AssetMessage; zoom?: number }) {
  const t = useTexts(commonTexts)
  const { dam } = useClient()
  const { type = '', tid, name = '' } = asset
  const address = useQuery({
    queryKey: ['assets', 'address', tid],
    queryFn: () => dam.presignedUrl({ body: { tid: tid! } }),
    enabled: playable.has(type),
    staleTime: 600_000,
  })
  const picture =
    pictureOf(asset, zoom > 1 ? 'fullsize' : 'preview') ?? pictureOf(asset, 'preview') ?? pictureOf(asset, 'thumbnail')
  if (address.data && type === 'VID')
    return <video className={classes.media} src={address.data} controls poster={picture} aria-label={name} />
  if (address.data && type === 'AUD') return <audio src={address.data} controls aria-label={name} />
  if (playable.has(type) && address.isPending) return <Loading shape="picture" />
  if (isViewable(asset)) return <Document asset={asset} />
  if (!picture)
    return (
      <div className={classes.none}>
        <KindIcon type={type} size={96} />
        <Text c="dimmed">{t('noPreview')}</Text>
      </div>
    )
  return (
    // focusable, so that a picture larger than the window can be scrolled with the keyboard
    <div className={classes.scroll} tabIndex={0} role="group" aria-label={name}>
      <img
        src={picture}
        alt={name}
        className={classes.image}
        style={{ width: zoom > 1 ? `${zoom * 100}%` : undefined }}
        data-zoomed={zoom > 1 || undefined}
      />
    </div>
  )
}
