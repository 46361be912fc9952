/** Pictures, files and related products of the selected item. */
import { Stack } from '@mantine/core'
import { useMayAt } from '../../../object/client.tsx'
import { Gallery } from './gallery.tsx'
import { type Item, itemKey, type ProductMessage } from './product.ts'
import { Related } from './related.tsx'

export function LinksTab({ item, product }: { item: Item; product: ProductMessage }) {
  const may = useMayAt('product', 'node', product.node ?? '')
  return (
    <Stack p="md" gap="xl">
      <Gallery key={item.tid} item={item} rootTid={product.tid ?? ''} mayLink={may('link') && item.level === 'p'} />
      <Related key={itemKey(item)} item={item} rootTid={product.tid ?? ''} mayLink={may('link')} />
    </Stack>
  )
}
