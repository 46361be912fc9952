/** perform on products: delete and copy. */
import { because, productTypes } from '@kontor/contract'
import { randomUUID } from 'node:crypto'
import { orProblem, type Outcome, soundOf, writeEach } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue } from '../../core/batch/handlers.ts'
import { finder, nameOf, namesOf } from '../../core/batch/identify.ts'
import type { Action } from '../../core/access/permissions.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { cleanName, newName } from '../../core/batch/names.ts'
import { metaOf } from '../../core/batch/settle.ts'
import { Problem } from '../../errors.ts'
import { accessOf } from './products.access.ts'
import type { ProductNeeds } from './products.persist.ts'
import * as rows from './products.sql.ts'

/** Deletes products with all levels. A product that others use is refused, unless `force` is set; then it is unlinked. */
export async function deleteProducts(
  ctx: Context,
  needs: ProductNeeds,
  actions: readonly ActionValue[],
): Promise<Outcome[]> {
  const { found, find, pathOf } = await lockNamed(ctx, needs, actions, 'delete')
  const parts = await rows.findParts(
    ctx.db,
    found.map(({ id }) => id),
  )
  const blockers = await ctx.deletionBlockers('product', parts)
  const gone = new Set<number>()
  const outcomes = actions.map((action): Outcome => {
    const product = find(action)
    if (product instanceof Problem) return product
    if (gone.has(product.id)) return new Problem('notFound', `no product has the ${nameOf(action)}`)
    const isForced = metaOf(action).get('force') === 'true'
    const refusal = isForced ? undefined : blockers(product.id, `the product ${product.tid}`, gone)
    if (refusal) return refusal
    gone.add(product.id)
    return { action: 'delete', id: product.id, tid: product.tid }
  })
  const paths = new Map(found.map(({ id, nodeId }) => [id, pathOf(nodeId!)]))
  for (const { id, level, name, tid, rootId } of gone.size === 0 ? [] : await rows.deleteProducts(ctx.db, [...gone])) {
    ctx.record({
      dataType: productTypes[level],
      id,
      event: 'DELETE',
      changes: { name: { from: name }, tid: { from: tid } },
      gone: { tid, scopes: [paths.get(rootId ?? id)!] },
    })
  }
  return outcomes
}

/** Locks the products of the actions. Unreadable ones count as missing; for others `action` may be forbidden. */
async function lockNamed(
  { db, caller }: Context,
  { models }: ProductNeeds,
  actions: readonly ActionValue[],
  action: Action,
) {
  const model = await models.hold(db)
  const access = accessOf(caller, model)
  const { ids, tids } = namesOf(actions)
  const found = (await rows.lockNamed(db, ids, tids)).filter(({ nodeId }) => access.may('read', nodeId!))
  const named = finder('product', found)
  const find = (one: ActionValue) => {
    const product = named(one)
    if (product instanceof Problem || access.may(action, product.nodeId!)) return product
    return new Problem('forbidden', because('mayNotProduct', { action, tid: product.tid }))
  }
  return { found, find, pathOf: (nodeId: number) => model.node(nodeId)!.path }
}

interface PlannedCopy extends rows.Copy {
  readonly item: number
}

/** Copies products with all levels, values and links, into the same node. */
export async function copyProducts(
  ctx: Context,
  needs: ProductNeeds,
  actions: readonly ActionValue[],
): Promise<Outcome[]> {
  const { find } = await lockNamed(ctx, needs, actions, 'create')
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
      outcomes[item] = new Problem('exists', because('productTaken', { name: what }))
    },
  )
  for (const { id, level, name } of made) {
    ctx.record({ dataType: productTypes[level], id, event: 'CREATE', action: 'copy', changes: { name: { to: name } } })
  }
  return outcomes
}

function planCopy(action: ActionValue, item: number, source: { id: number } | Problem, id: number): PlannedCopy {
  if (source instanceof Problem) throw source
  const meta = metaOf(action)
  const name = newName('meta newProductName', meta.get('newProductName'))
  const tid = meta.get('newProductTid')
  return {
    item,
    sourceId: source.id,
    id,
    name,
    tid: tid === undefined ? randomUUID() : cleanName('meta newProductTid', tid),
  }
}
