/** A file as large as there is space: pictures can be zoomed, videos and sounds play, documents are shown. */
import { Text } from '@mantine/core'
import { commonTexts } from '../../ui/common-texts.ts'
import { useTexts } from '../../ui/language.tsx'
import { type AssetMessage, pictureOf } from './asset.ts'
import { Document, isViewable } from './document.tsx'
import { KindIcon } from './kind-icon.tsx'
import { Player } from './player.tsx'
import classes from './viewer.module.css'

export function Enlarged({ asset, zoom = 1 }: { asset: AssetMessage; zoom?: number }) {
  const t = useTexts(commonTexts)
  const { type = '', name = '' } = asset
  const picture =
    pictureOf(asset, zoom > 1 ? 'fullsize' : 'preview') ?? pictureOf(asset, 'preview') ?? pictureOf(asset, 'thumbnail')
  if (type === 'VID' || type === 'AUD') return <Player asset={asset} />
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
