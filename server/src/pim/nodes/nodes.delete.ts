/**
 * Deletes subtrees of nodes, with their attributes. A node with products is not deleted; `force` deletes the products too,
 * with their articles and variations, because a product must have a node.
 */
import { because, productTypes } from '@kontor/contract'
import type { Outcome } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import { allowsAt } from '../../core/access/permissions.ts'
import { Problem } from '../../errors.ts'
import { deleteAttributes, deleteNodes } from '../model/draft.sql.ts'
import type { Model } from '../model/model.ts'
import type { NodeRow } from '../model/model.sql.ts'
import { countProducts, deleteProducts } from '../model/uses.sql.ts'
import { recordDeleted } from '../attributes/attributes.deleted.ts'

/** One deletion: the node at the top, and the response record if it succeeds. */
interface TreeDeletion {
  readonly top: NodeRow | undefined
  readonly isForced: boolean
  readonly done: Outcome
}

export async function deleteTrees(
  ctx: Context,
  model: Model,
  deletions: readonly (TreeDeletion | Problem)[],
): Promise<Outcome[]> {
  const trees = deletions.map((each) => (each instanceof Problem || !each.top ? [] : subtreeOf(model, each.top)))
  const counts = await countProducts(ctx.db, [...new Set(trees.flat().map(({ id }) => id))])
  const products = new Map(counts.map(({ nodeId, count }) => [nodeId, count]))
  const blockers = await ctx.deletionBlockers(
    'node',
    trees.flatMap((tree, topId) => tree.map(({ id }) => ({ topId, id }))),
  )
  const gone = new Map<number, NodeRow>()
  const outcomes = deletions.map((each, i): Outcome => {
    if (each instanceof Problem) return each
    if (each.top && !allowsAt(ctx.caller.permissions, 'delete', 'node', each.top.path)) {
      return new Problem('forbidden', because('mayNotDeleteNode', { path: each.top.path }))
    }
    if (each.top && gone.has(each.top.id)) {
      return new Problem('notFound', `the node ${each.top.path} was deleted by an earlier action`)
    }
    const refusal = each.isForced || !each.top ? undefined : blockers(i, `the node ${each.top.path}`, gone)
    if (refusal) return refusal
    for (const node of trees[i]!) gone.set(node.id, node)
    return each.done
  })
  await removeNodes(ctx, model, gone, products)
  return outcomes
}

function subtreeOf(model: Model, top: NodeRow): NodeRow[] {
  const nodes = [top]
  for (const node of nodes) nodes.push(...model.childrenOf(node.id))
  return nodes
}

async function removeNodes(
  ctx: Context,
  model: Model,
  gone: ReadonlyMap<number, NodeRow>,
  products: ReadonlyMap<number, number>,
): Promise<void> {
  if (gone.size === 0) return
  const ids = [...gone.keys()]
  if (ids.some((id) => products.has(id))) {
    for (const { id, level, tid, name, path } of await deleteProducts(ctx.db, ids)) {
      const dataType = productTypes[level]!
      ctx.record({ dataType, id, event: 'DELETE', changes: { name }, gone: { tid, scopes: [path] } })
    }
  }
  const attributes = ids.flatMap((id) => model.ownAttributes(id))
  for (const row of attributes) recordDeleted(ctx, model, row)
  for (const { id, path } of gone.values())
    ctx.record({ dataType: 'node', id, event: 'DELETE', changes: { path }, gone: { path, scopes: [path] } })
  const attributeIds = attributes.map(({ id }) => id)
  if (attributeIds.length > 0) await deleteAttributes(ctx.db, attributeIds)
  await deleteNodes(ctx.db, ids)
}
