/** How links name products, articles and variations. */
import type { Level } from './product.ts'

export const itemTypes = { p: 'product', a: 'article', v: 'variant' } as const satisfies Record<Level, string>
type ItemType = (typeof itemTypes)[Level]

export interface End {
  readonly tid: string
  readonly itemType: ItemType
}

const words: Readonly<Record<ItemType, string>> = { product: 'Product', article: 'Article', variant: 'Variant' }

export const endsOf = (source: End, target: End): Record<string, string> => ({
  [`source${words[source.itemType]}Tid`]: source.tid,
  [`target${words[target.itemType]}Tid`]: target.tid,
})
