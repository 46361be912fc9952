/**
 * The rules of /pim/data-items: products, articles and variations in plainer JSON with one shape for all levels, with the
 * caller's rights on each value and the required values that are missing.
 *
 * An item is identified by its data type and tid (`article:A-1`), by its tid alone (a product wins over an article, an
 * article over a variation), or by its id.
 */
import { type DataItem, type Infer, type pim, productTypes } from '@kontor/contract'
import { inBatch, type Outcome } from '../../core/batch/batch.ts'
import { once } from '../../core/http/idempotency.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { persistProducts, type ProductNeeds } from '../products/products.persist.ts'
import * as rows from '../products/products.sql.ts'
import { findItems, missing } from './data-items.items.ts'
import { messageOf } from './data-items.patch.ts'

type Item = Infer<typeof DataItem>
type Routes = Pick<typeof pim.routes, 'dataItemTree' | 'dataItemsByIds' | 'patchDataItems'>

/** How numbers and dates in values are written: as they are stored. */
const meta = { numberFormatLocale: 'en_US', numberFormatPattern: '0.#', datePattern: "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'" }

export function dataItems(needs: ProductNeeds): RouteHandlers<Routes> {
  return {
    async dataItemTree(ctx, { params }) {
      const { row, items } = await findItems(ctx, needs, [params.id!])
      const found = row(params.id!)
      if (!found) throw new Problem('notFound', `no data item has the identity ${params.id}`)
      const members = await rows.listMembers(ctx.db, [found.rootId ?? found.id])
      const all = items.with(members)
      return { meta, results: [all.lineage(found, members)], states: [all.state(found)] }
    },

    async dataItemsByIds(ctx, { body: { identities = [], groups } }) {
      if (identities.length === 0) {
        throw new Problem('invalid', '/dataItemGetByIdsRequest/identities: at least one is needed')
      }
      const { row, items } = await findItems(ctx, needs, identities, groups)
      const asked = identities.map((identity) => ({ identity, found: row(identity) }))
      return {
        meta,
        results: asked.flatMap(({ found }) => (found ? items.item(found) : [])),
        states: asked.map(({ identity, found }) => (found ? items.state(found) : missing(identity))),
      }
    },

    async patchDataItems(_ctx, { body, services, caller, idempotency }) {
      if (body.length === 0) throw new Problem('invalid', 'nothing to do; send at least one data item')
      if (body.length > services.config.maxItems) {
        throw new Problem('invalid', `more than ${services.config.maxItems} data items; send fewer`)
      }
      const results = await inBatch(services, caller, (ctx) =>
        once(ctx, idempotency, async () => {
          const { row, items } = await findItems(ctx, needs, body.map(identityOf))
          const found = body.map((item) => row(identityOf(item)))
          const messages = body.map((item, i) => messageOf(item, found[i], items.byId))
          const settled = await persistProducts(
            ctx,
            needs,
            messages.filter((one) => !(one instanceof Problem)),
          )
          let next = 0
          return messages.map((one, i) => toResult(body[i]!, found[i], one instanceof Problem ? one : settled[next++]!))
        }),
      )
      return { results }
    },
  }
}

const identityOf = ({ informationType, tID = '' }: Item) =>
  informationType === undefined ? tID : `${informationType.toLowerCase()}:${tID}`

function toResult(item: Item, row: rows.ViewRow | undefined, outcome: Outcome) {
  const name = { ...(row && { dataType: productTypes[row.level] }), ...(item.tID !== undefined && { tID: item.tID }) }
  if (outcome instanceof Problem)
    return { status: 'ERROR' as const, description: outcome.message, ...name, action: 'persist' }
  return { status: 'SUCCESS' as const, ...name, action: outcome.action }
}
