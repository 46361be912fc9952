/** Pictures, files and related products of the selected item. */
import { Stack } from '@mantine/core'
import { useMayAt } from '../../../object/client.tsx'
import { Gallery } from './gallery.tsx'
import type { Item, ProductMessage } from './product.ts'
import { Related } from './related.tsx'

export function LinksTab({ item, product }: { item: Item; product: ProductMessage }) {
  const may = useMayAt('product', 'node', product.node ?? '')
  const mayLink = may('link') && item.level === 'p'
  return (
    <Stack p="md" gap="xl">
      <Gallery key={item.tid} item={item} rootTid={product.tid ?? ''} mayLink={mayLink} />
      {item.level === 'p' && <Related product={product} mayLink={mayLink} />}
    </Stack>
  )
}
