/** Relations between the demo's products: accessories, spare parts, successors, up-sells and bundles. */
import type { ApiClient } from './api.ts'
import { isOfRange, partFor, successorOf, tidOf } from './products.ts'

/** At any scale, the first products are enough to see relations. */
const most = 5000

export async function relateProducts(api: ApiClient, products: number): Promise<void> {
  const item = (key: string, value: string, pos?: number) => ({ key, value, ...(pos !== undefined && { pos }) })
  const relation = (type: string, source: number, target: number, pos: number, quantity?: number) => ({
    type,
    itm: [
      item('sourceProductTid', tidOf(source)),
      item('targetProductTid', tidOf(target), pos),
      ...(quantity === undefined ? [] : [item('quantity', String(quantity))]),
    ],
  })
  const itms = Array.from({ length: Math.min(products, most) }, (_, i) => i)
    .filter(isOfRange)
    .map((i) => {
      const accessories = [i + 1, i + 2].filter((one) => one < products && isOfRange(one))
      const part = partFor(i)
      const [successor, better] = [successorOf(i), i + 5]
      const set = i % 9 === 0 ? accessories : []
      return [
        ...accessories.map((one, pos) => relation('Accessory', i, one, pos)),
        ...(part < products ? [relation('Spare_Part', i, part, 0, 1 + (i % 4))] : []),
        ...(successor < products && isOfRange(successor) ? [relation('Successor', i, successor, 0)] : []),
        ...(i % 4 === 0 && better < products && isOfRange(better) ? [relation('Up_Sell', i, better, 0)] : []),
        ...set.map((one, pos) => relation('Bundle', i, one, pos, 1 + pos)),
      ]
    })
    .filter((relations) => relations.length > 0)
    .map((relations) => ({ type: 'productToProduct', itms: relations }))
  await api.persist('/api/core/v1/common/links', 'links', 'itms', itms)
}
