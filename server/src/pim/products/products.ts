/** The rules of /pim/products and /pim/products/links: which function answers which verb. */
import type { pim } from '@kontor/contract'
import { type EndName, links, type Target, type Targets, unlink } from '../../common/api.ts'
import { orProblem } from '../../core/batch.ts'
import type { ActionValue, Handlers } from '../../core/handlers.ts'
import { metaOf } from '../../core/settle.ts'
import { Problem } from '../../errors.ts'
import { copyProducts, deleteProducts } from './products.actions.ts'
import { persistProducts, type ProductNeeds } from './products.persist.ts'
import { queryProducts, retrieveProducts } from './products.retrieve.ts'
import * as rows from './products.sql.ts'

export const products = (needs: ProductNeeds): Handlers<typeof pim.resources.products> => ({
  query: (ctx, request) => queryProducts(ctx, needs, request),
  retrieve: (ctx, request) => retrieveProducts(ctx, needs, request),
  persist: (ctx, items) => persistProducts(ctx, needs, items),
  perform: {
    delete: (ctx, actions) => deleteProducts(ctx, needs, actions),
    copy: (ctx, actions) => copyProducts(ctx, needs, actions),
  },
})

const kind = 'productToProduct'

export function productLinks(targets: Targets): Handlers<(typeof pim.resources)['products/links']> {
  const all = links(targets)
  return {
    async persist(ctx, groups, containers) {
      const others = groups.map(({ type }) =>
        type === kind
          ? undefined
          : new Problem('invalid', `itms/@type: ${type ?? 'nothing'} is not taken here; expected ${kind}`),
      )
      const settled = await all.persist(
        ctx,
        groups.filter((_, i) => !others[i]),
        containers,
      )
      let next = 0
      return others.map((problem) => problem ?? settled[next++]!)
    },
    perform: {
      unlink: (ctx, actions) => unlink(ctx, targets, actions.map(orProblem(toUnlinked))),
    },
  }
}

function toUnlinked(action: ActionValue) {
  const meta = metaOf(action)
  const type = meta.get('linkType')
  return {
    kind,
    type: type ?? '',
    anyType: type === undefined,
    from: endOf(meta, 'sourceProduct', 'product'),
    to: endOf(meta, 'targetProduct', 'linkedProduct'),
  }
}

function endOf(meta: ReadonlyMap<string, string>, ...words: string[]): EndName {
  for (const word of words) {
    const [tid, id] = [meta.get(`${word}Tid`), meta.get(`${word}Id`)]
    if (tid !== undefined) return { tid }
    if (id !== undefined) return { id: /^\d{1,15}$/.test(id) ? Number(id) : -1 }
  }
  throw new Problem('invalid', `unlink needs meta ${words[0]}Tid or ${words[0]}Id`)
}

/** Products as ends of links. */
export const productTarget: Target = {
  lock: (db, { ids, tids }) => rows.lockTargets(db, ids, tids),
  describe: rows.describeTargets,
}
