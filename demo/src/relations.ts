/** Accessories and spare parts of the demo's products, as relations. */
import type { ApiClient } from './api.ts'
import { isOfRange, partFor, tidOf } from './products.ts'

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
      return [
        ...accessories.map((one, pos) => relation('Accessory', i, one, pos)),
        ...(part < products ? [relation('Spare_Part', i, part, 0, 1 + (i % 4))] : []),
      ]
    })
    .filter((relations) => relations.length > 0)
    .map((relations) => ({ type: 'productToProduct', itms: relations }))
  await api.persist('/api/core/v1/common/links', 'links', 'itms', itms)
}
