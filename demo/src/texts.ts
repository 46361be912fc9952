/** Some English texts of the demo are revised after they were translated, so that translators have work. */
import type { ApiClient } from './api.ts'
import { isOfRange, productOf, tidOf } from './products.ts'

const pim = '/api/core/v1/pim/products'
const most = 5
interface Val {
  readonly attr?: string
  readonly itm?: readonly { readonly loc?: string; readonly value?: string }[]
}

/** Writes a draft and then the present text again: the values stay as they are, and their translations are marked. */
export async function reviseTexts(api: ApiClient, products: number): Promise<void> {
  const found = Array.from({ length: Math.min(products, 100) }, (_, i) => i)
    .filter(isOfRange)
    .flatMap((i) => {
      const claim = (productOf(i).vals.val as readonly Val[]).find(({ attr }) => attr === 'CLAIM')
      return claim?.itm?.length === 3 ? [{ tid: tidOf(i), english: claim.itm.find(({ loc }) => loc === 'en_GB')!.value! }] : [] // prettier-ignore
    })
    .slice(0, most)
  for (const { tid, english } of found) {
    const { stale = [] } = await api.call<{ stale?: unknown[] }>(`${pim}/translations/retrieve`, { tid })
    if (stale.length > 0) continue
    for (const value of [`${english} (draft)`, english])
      await api.persist(pim, 'products', 'product', [
        { tid, vals: { val: [{ attr: 'CLAIM', itm: [{ value, loc: 'en_GB' }] }] } },
      ])
  }
}
