/** The hits of a search: type, name with highlights, path. Enter or a click opens one. */
import { Badge, Group, Text } from '@mantine/core'
import type { Infer, SearchItem } from '@kontor/contract'
import { linkOptions, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Column, Grid } from '../../ui/grid/grid.tsx'
import type { Pages } from '../../ui/grid/use-pages.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { Thumbnail, usePictures } from '../../object/pictures.tsx'
import { qualityTexts } from '../../object/quality-texts.ts'
import { texts } from './texts.ts'

type Hit = Infer<typeof SearchItem>

export const valueOf = ({ attributes = [] }: Hit, name: string): string => {
  const value = attributes.find((attribute) => attribute.name === name)?.value
  return value === undefined || value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value)
}

/** A product in a channel. */
const isPlace = (hit: Hit) => valueOf(hit, 'productName') !== ''

const isFile = (hit: Hit) => valueOf(hit, 'itemType') === 'asset'

/** The page of a hit, by the type of the item. */
function pageOf(hit: Hit) {
  const tid = valueOf(hit, 'tid')
  switch (valueOf(hit, 'itemType')) {
    case 'product':
      return linkOptions({ to: '/products/$tid', params: { tid } })
    case 'article':
    case 'variation':
      return linkOptions({ to: '/products/$tid', params: { tid: valueOf(hit, 'product') || tid } })
    case 'asset':
      return linkOptions({ to: '/assets/$tid', params: { tid } })
    case 'channel':
    case 'project':
      return linkOptions({ to: '/channels', search: { channel: tid } })
    default:
      return isPlace(hit) ? linkOptions({ to: '/products/$tid', params: { tid: valueOf(hit, 'product') } }) : undefined
  }
}

export function Hits({ total, row, loaded, onVisibleRows }: Pages<Hit>) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const navigate = useNavigate()
  const kindOf = (hit: Hit) => (isPlace(hit) ? 'product' : valueOf(hit, 'itemType'))
  const quality = useTexts(qualityTexts)
  const pictures = usePictures(loaded.map((hits) => hits.filter(isFile).map((hit) => valueOf(hit, 'tid'))))
  const columns: Column<Hit>[] = [
    {
      id: 'kind',
      title: w('type'),
      width: '7.5rem',
      show: (hit) => {
        const kind = kindOf(hit)
        return (
          <Badge variant="light" tt="none">
            {kind in texts.en ? t(kind as 'product') : kind}
          </Badge>
        )
      },
    },
    {
      id: 'name',
      title: w('name'),
      width: 'minmax(16rem, 2fr)',
      show: (hit) => (
        <Group gap="xs" wrap="nowrap" miw={0}>
          {isFile(hit) && <Thumbnail picture={pictures.get(valueOf(hit, 'tid'))} size={40} />}
          <HitName hit={hit} />
        </Group>
      ),
    },
    {
      id: 'where',
      title: w('details'),
      width: 'minmax(12rem, 2fr)',
      show: (hit) => (
        <Text size="sm" c="dimmed" truncate>
          {valueOf(hit, 'classificationPath') ||
            valueOf(hit, 'path') ||
            valueOf(hit, 'channelPath') ||
            valueOf(hit, 'tid')}
          {isPlace(hit) && valueOf(hit, 'quality') !== '' && ` · ${quality('quality')} ${valueOf(hit, 'quality')}`}
        </Text>
      ),
    },
    {
      id: 'updated',
      title: w('updated'),
      width: '9rem',
      show: (hit) => {
        const date = valueOf(hit, 'modificationDate') || valueOf(hit, 'creationDate')
        return date && format.ago(date)
      },
    },
  ]
  const open = (hit: Hit) => {
    const page = pageOf(hit)
    if (page) void navigate(page)
  }
  return (
    <Grid
      label={t('title')}
      rows={total}
      row={row}
      keyOf={({ id }) => String(id)}
      columns={columns}
      onVisibleRows={onVisibleRows}
      onOpen={open}
      rowHeight={54}
    />
  )
}

/** The name, and below it the first highlight in another field, or the page of a document with it. */
function HitName({ hit }: { hit: Hit }) {
  const t = useTexts(texts)
  const highlights = hit.highlights ?? []
  const name = highlights.find((one) => one.name === 'name')?.value?.[0]
  const other = highlights.find((one) => one.name !== 'name')
  const [page] = other?.pages ?? []
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="sm" fw={550} truncate>
        {name ? marked(name) : valueOf(hit, 'name') || valueOf(hit, 'productName') || valueOf(hit, 'tid')}
      </Text>
      {other?.value?.[0] && (
        <Text size="xs" c="dimmed" truncate>
          {page === undefined ? other.name : t('page', { page })}: {marked(other.value[0])}
        </Text>
      )}
    </div>
  )
}

/** Renders text between em tags as marks. Everything else is rendered as text, so that content cannot inject markup. */
function marked(text: string): ReactNode[] {
  return text.split(/<em>|<\/em>/).map((part, i) => {
    const plain = unescaped(part)
    return i % 2 === 1 ? <mark key={i}>{plain}</mark> : plain
  })
}
const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&#39;': "'" }
const unescaped = (text: string) => text.replaceAll(/&(?:lt|gt|amp|quot|#39);/g, (entity) => entities[entity]!)
