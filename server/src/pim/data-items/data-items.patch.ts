/** A changed data item as the equivalent product message; the objects above it carry only their tids. */
import type { DataItem, Infer } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import type { ProductMessage } from '../products/products.sent.ts'
import type { ViewRow } from '../products/products.sql.ts'
import { toVal } from './data-items.shape.ts'

type Item = Infer<typeof DataItem>

export function messageOf(
  item: Item,
  row: ViewRow | undefined,
  known: ReadonlyMap<number, ViewRow>,
): ProductMessage | Problem {
  if (!row) return new Problem('notFound', `no data item has the tID ${item.tID ?? '(missing)'}`)
  const tidOf = (id: number | null) => known.get(id!)!.tid
  if (row.level === 0) return toProduct(item, row.tid)
  if (row.level === 1) return { tid: tidOf(row.rootId), articles: { article: [toArticle(item, row.tid)] } }
  const article = { tid: tidOf(row.parentId), variants: { variant: [toObject(item, row.tid)] } }
  return { tid: tidOf(row.rootId), articles: { article: [article] } }
}

function toProduct(item: Item, tid: string | undefined): ProductMessage {
  const article = item.children?.map((child) => toArticle(child, child.tID))
  return {
    ...toObject(item, tid),
    ...(article && { articles: { article } }),
    ...(item.node !== undefined && { node: item.node }),
  }
}

function toArticle(item: Item, tid: string | undefined) {
  const variant = item.children?.map((child) => toObject(child, child.tID))
  return { ...toObject(item, tid), ...(variant && { variants: { variant } }) }
}

function toObject({ name, values }: Item, tid: string | undefined) {
  return {
    ...(name !== undefined && { name }),
    ...(values && { vals: { val: values.map(toVal) } }),
    ...(tid !== undefined && { tid }),
  }
}
