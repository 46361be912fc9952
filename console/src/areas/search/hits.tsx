/** The hits: what it is, its name with the words found, where it stands. Enter or a click opens it. */
import { Badge, Text } from '@mantine/core'
import type { Infer, SearchItem } from '@kontor/contract'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Column, Grid } from '../../ui/grid/grid.tsx'
import type { Pages } from '../../ui/grid/use-pages.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { words } from '../../ui/words.ts'
import { texts } from './texts.ts'

type Hit = Infer<typeof SearchItem>

export const valueOf = ({ attributes = [] }: Hit, name: string): string => {
  const value = attributes.find((attribute) => attribute.name === name)?.value
  return value === undefined || value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value)
}

/** Where what was found is shown. */
const placeOf: Record<string, (tid: string, hit: Hit) => string> = {
  product: (tid) => `/products/${encodeURIComponent(tid)}`,
  article: (tid, hit) => `/products/${encodeURIComponent(valueOf(hit, 'product') || tid)}`,
  variation: (tid, hit) => `/products/${encodeURIComponent(valueOf(hit, 'product') || tid)}`,
  asset: (tid) => `/assets/${encodeURIComponent(tid)}`,
  channel: (tid) => `/channels?channel=${encodeURIComponent(tid)}`,
  project: (tid) => `/channels?channel=${encodeURIComponent(tid)}`,
}

export function Hits({ total, row, onVisibleRows }: Pages<Hit>) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const format = useFormat()
  const navigate = useNavigate()
  const kindOf = (hit: Hit) => valueOf(hit, 'itemType')
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
    { id: 'name', title: w('name'), width: 'minmax(16rem, 2fr)', show: (hit) => <Found hit={hit} /> },
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
        </Text>
      ),
    },
    {
      id: 'updated',
      title: w('updated'),
      width: '9rem',
      show: (hit) => {
        const date = valueOf(hit, 'modificationDate')
        return date && format.ago(date)
      },
    },
  ]
  const open = (hit: Hit) => {
    const place = placeOf[kindOf(hit)]?.(valueOf(hit, 'tid'), hit)
    if (place) void navigate({ to: place })
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

/** The name, and below it where else the words were found. */
function Found({ hit }: { hit: Hit }) {
  const highlights = hit.highlights ?? []
  const name = highlights.find((one) => one.name === 'name')?.value?.[0]
  const other = highlights.find((one) => one.name !== 'name')
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="sm" fw={550} truncate>
        {name ? marked(name) : valueOf(hit, 'name') || valueOf(hit, 'tid')}
      </Text>
      {other?.value?.[0] && (
        <Text size="xs" c="dimmed" truncate>
          {other.name}: {marked(other.value[0])}
        </Text>
      )}
    </div>
  )
}

/** The text between em tags as marks. The rest is text whatever it contains, so that nothing found can act as markup. */
function marked(text: string): ReactNode[] {
  return text.split(/<em>|<\/em>/).map((part, i) => {
    const plain = unescaped(part)
    return i % 2 === 1 ? <mark key={i}>{plain}</mark> : plain
  })
}
const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&#39;': "'" }
const unescaped = (text: string) => text.replaceAll(/&(?:lt|gt|amp|quot|#39);/g, (entity) => entities[entity]!)
