/** Stale texts by tids, for the exports and imports of translations. */
import { productTypes } from '@kontor/contract'
import type { Context } from '../../core/context.ts'
import { accessOf } from '../products/products.access.ts'
import type { ProductNeeds } from '../products/products.persist.ts'
import * as products from '../products/products.sql.ts'
import * as rows from './stale.sql.ts'

interface Place {
  readonly product: string
  /** The tids from the article down to the object. */
  readonly below: readonly string[]
  readonly attribute: string
  readonly locale: string
}

/** Each as the tids from the product to the object and the attribute, in lines. */
export async function staleTexts({ db }: Pick<Context, 'db'>, tids: readonly string[], locale: string) {
  const found = await rows.findStaleIn(db, tids, locale)
  return new Set(
    found.map(({ product, article, variant, attr }) =>
      [product, article, variant, attr].filter((one) => one !== null).join('\n'),
    ),
  )
}

/** Removes marks in the transaction of the caller, as far as the caller may change the texts. */
export const confirmTexts =
  ({ models }: ProductNeeds) =>
  async ({ db, caller, record }: Context, texts: readonly Place[]): Promise<void> => {
    const found = await products.findProducts(db, { tids: [...new Set(texts.map(({ product }) => product))] })
    const members = await products.listMembers(db, found.flatMap(({ id, size }) => (size > 0 ? id : []))) // prettier-ignore
    const objects = [...found, ...members]
    const stale = await rows.findStale(db, objects.map(({ id }) => id)) // prettier-ignore
    if (stale.length === 0) return
    const access = accessOf(caller, await models.load(db))
    const byTid = new Map(found.map((product) => [product.tid, product]))
    const confirmed = texts.flatMap(({ product, below, attribute, locale }) => {
      const root = byTid.get(product)
      if (!root || !access.may('update', root.nodeId!)) return []
      if (access.rights(root.nodeId!)?.attribute(attribute, locale).editable === false) return []
      const object = objects.find(
        ({ level, tid, id, rootId }) =>
          level === below.length && tid === (below.at(-1) ?? product) && (rootId ?? id) === root.id,
      )
      return stale.filter((mark) => mark.productId === object?.id && mark.attr === attribute && mark.locale === locale)
    })
    if (confirmed.length === 0) return
    await rows.removeMarks(db, confirmed)
    recordConfirmed(record, objects, stale, confirmed)
  }

/** Only numbers: the history must not name texts that its reader may not see. */
export function recordConfirmed(
  record: Context['record'],
  objects: Iterable<products.ViewRow>,
  stale: readonly rows.StaleRow[],
  confirmed: readonly rows.StaleRow[],
): void {
  for (const { id, level } of objects) {
    const [before, gone] = [stale, new Set(confirmed)].map((marks) => [...marks].filter(({ productId }) => productId === id).length) // prettier-ignore
    if (gone! > 0)
      record({ dataType: productTypes[level], id, event: 'UPDATE', changes: { staleTexts: { from: before, to: before! - gone! } } }) // prettier-ignore
  }
}
