/** The rules of /pim/products and /pim/products/links: which function answers which verb. */
import type { pim } from '@kontor/contract'
import { links, type Target, type Targets, toUnlinked, unlink } from '../../common/api.ts'
import { orProblem } from '../../core/batch/batch.ts'
import type { Handlers } from '../../core/batch/handlers.ts'
import { Problem } from '../../errors.ts'
import { copyProducts, deleteProducts } from './products.actions.ts'
import { persistProducts, type ProductNeeds } from './products.persist.ts'
import { queryProducts, retrieveProducts } from './products.retrieve.ts'
import * as rows from './products.sql.ts'

export const products = (needs: ProductNeeds): Handlers<typeof pim.resources.products> => ({
  query: (ctx, request) => queryProducts(ctx, needs, request),
  retrieve: (ctx, request) => retrieveProducts(ctx, needs, request),
  persist: (ctx, items) => persistProducts(ctx, needs, items),
  findsByKey: true,
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
      unlink: (ctx, actions) => unlink(ctx, targets, actions.map(orProblem((action) => toUnlinked(kind, action)))),
    },
  }
}

/** Products as ends of links. */
export const productTarget: Target = {
  lock: rows.lockTargets,
  describe: rows.describeTargets,
}
