/** perform on products: delete and copy. */
import { randomUUID } from 'node:crypto'
import { orProblem, type Outcome, soundOf, writeEach } from '../../core/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue } from '../../core/handlers.ts'
import { finder, nameOf, namesOf } from '../../core/identify.ts'
import { newIds } from '../../core/ids.sql.ts'
import { cleanName } from '../../core/names.ts'
import { metaOf } from '../../core/settle.ts'
import { Problem } from '../../errors.ts'
import { dataTypes } from './products.rules.ts'
import * as rows from './products.sql.ts'

/** Deletes products whole. What others use is refused, unless `force` says to unlink it. */
export async function deleteProducts(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const { ids, tids } = namesOf(actions)
  const found = await rows.lockNamed(ctx.db, ids, tids)
  const find = finder('product', found)
  const uses = Map.groupBy(
    await rows.findUses(
      ctx.db,
      found.map(({ id }) => id),
    ),
    ({ rootId }) => rootId,
  )
  const gone = new Set<number>()
  const outcomes = actions.map((action): Outcome => {
    const product = find(action)
    if (product instanceof Problem) return product
    if (gone.has(product.id)) return new Problem('notFound', `no product has the ${nameOf(action)}`)
    const used = uses.get(product.id) ?? []
    if (used.length > 0 && metaOf(action).get('force') !== 'true') {
      const by = used.map(({ kind, count }) => `${count} ${kind} links`).join(', ')
      return new Problem(
        'inUse',
        `the product ${product.tid} is in use by ${by}; unlink it first or send meta force=true`,
      )
    }
    gone.add(product.id)
    return { action: 'delete', id: product.id, tid: product.tid }
  })
  for (const { id, level, name, tid } of gone.size === 0 ? [] : await rows.deleteProducts(ctx.db, [...gone])) {
    ctx.record({
      dataType: dataTypes[level],
      id,
      event: 'DELETE',
      changes: { name: { from: name }, tid: { from: tid } },
    })
  }
  return outcomes
}

interface PlannedCopy extends rows.Copy {
  readonly item: number
}

/** Copies products with all they have, under the same node. */
export async function copyProducts(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const { ids, tids } = namesOf(actions)
  const find = finder('product', await rows.lockNamed(ctx.db, ids, tids))
  const newOnes = await newIds(ctx.db, actions.length)
  const plans = actions.map((action, item) =>
    orProblem(() => planCopy(action, item, find(action), newOnes[item]!))(action),
  )
  const outcomes: Outcome[] = plans.map((plan) =>
    plan instanceof Problem
      ? plan
      : {
          action: 'copy',
          id: plan.id,
          tid: plan.tid,
          details: { tid: plan.tid, id: String(plan.id), name: plan.name },
        },
  )
  const made: Omit<rows.ProductRow, 'vals'>[] = []
  await writeEach(
    ctx.db,
    soundOf(plans),
    async (db, some) => void made.push(...(await rows.copyProducts(db, some, ctx.caller.userName))),
    ({ item, tid, name }, { constraint }) => {
      const what = constraint === 'product_tid' ? `tid ${tid}` : `name ${name}`
      outcomes[item] = new Problem('exists', `a product with the ${what} exists already`)
    },
  )
  for (const { id, level, name } of made) {
    ctx.record({ dataType: dataTypes[level], id, event: 'CREATE', action: 'copy', changes: { name: { to: name } } })
  }
  return outcomes
}

function planCopy(action: ActionValue, item: number, source: { id: number } | Problem, id: number): PlannedCopy {
  if (source instanceof Problem) throw source
  const meta = metaOf(action)
  const name = cleanName('meta newProductName', meta.get('newProductName'))
  const tid = meta.get('newProductTid')
  return {
    item,
    sourceId: source.id,
    id,
    name,
    tid: tid === undefined ? randomUUID() : cleanName('meta newProductTid', tid),
  }
}
