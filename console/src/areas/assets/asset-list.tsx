/** Files as a list with their facts. */
import { Group, Text } from '@mantine/core'
import { useMemo } from 'react'
import { fact } from '../../object/items.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { type Format, useFormat } from '../../ui/format.ts'
import { type Column, Grid } from '../../ui/grid/grid.tsx'
import { useTexts } from '../../ui/language.tsx'
import { type AssetMessage, pictureOf } from './assets.ts'
import { texts as detailTexts } from './detail-texts.ts'
import { UsageBadge } from '../../object/usage-badge.tsx'
import { KindIcon } from '../../object/viewer/kind-icon.tsx'
import { texts } from './texts.ts'
import type { FilesProps } from './wall.tsx'
import classes from './wall.module.css'

export function AssetList({ total, row, onVisibleRows, chosen, onChoose, onOpen, jump }: FilesProps) {
  const t = useTexts(texts)
  const columns = useColumns()
  const indexes = useMemo(() => new WeakMap<AssetMessage, number>(), [])
  const rowAt = (index: number) => {
    const asset = row(index)
    if (asset) indexes.set(asset, index)
    return asset
  }
  const loaded = () => Array.from({ length: total }, (_, i) => row(i)?.tid).filter((tid) => tid !== undefined)
  return (
    <Grid
      label={t('wall')}
      rows={total}
      row={rowAt}
      keyOf={({ tid = '' }) => tid}
      columns={columns}
      rowHeight={56}
      selection={{ all: false, keys: chosen }}
      onSelect={({ all, keys }) => onChoose(all ? new Set(loaded()) : keys)}
      onVisibleRows={onVisibleRows}
      onOpen={(asset) => onOpen(indexes.get(asset)!)}
      jump={jump}
    />
  )
}

function useColumns(): Column<AssetMessage>[] {
  const t = useTexts(detailTexts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  return useMemo(
    () => [
      { id: 'name', title: w('name'), width: 'minmax(14rem, 2fr)', show: (asset) => <Name asset={asset} /> },
      { id: 'type', title: w('type'), width: '6rem', show: ({ type }) => type },
      {
        id: 'size',
        title: t('size'),
        width: '6rem',
        align: 'end',
        show: (asset) => format.bytes(Number(fact(asset, 'fileSize') ?? 0)),
      },
      { id: 'dimensions', title: t('dimensions'), width: '10rem', show: (asset) => dimensionsOf(asset, format) },
      { id: 'created', title: w('created'), width: '8rem', show: (asset) => dateOf(asset, format) },
      { id: 'path', title: t('path'), width: 'minmax(12rem, 2fr)', show: ({ path }) => path },
    ],
    [t, w, format],
  )
}

function Name({ asset }: { asset: AssetMessage }) {
  const picture = pictureOf(asset, 'thumbnail')
  return (
    <Group gap="sm" wrap="nowrap">
      <span className={classes.small}>
        {picture ? (
          <img src={picture} alt="" loading="lazy" decoding="async" />
        ) : (
          <KindIcon type={asset.type} size={24} />
        )}
      </span>
      <Text size="sm" fw={550} truncate>
        {asset.name}
      </Text>
      <UsageBadge state={asset.usageRights?.state} size="sm" />
    </Group>
  )
}

export function dimensionsOf(asset: Pick<AssetMessage, 'meta'>, format: Format): string | undefined {
  const [width, height] = [Number(fact(asset, 'width') ?? 0), Number(fact(asset, 'height') ?? 0)]
  return width > 0 ? `${format.number(width)} × ${format.number(height)} px` : undefined
}

function dateOf(asset: AssetMessage, format: Format): string {
  const date = fact(asset, 'creationDate')
  return date ? format.date(date) : ''
}
