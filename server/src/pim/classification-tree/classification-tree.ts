/** /pim/classification-tree: every node that the caller may see, with how many products are in it and below it. */
import type { ClassificationTree, Infer, pim } from '@kontor/contract'
import type { RouteHandler } from '../../core/http/routes.ts'
import { toItems } from '../../values/api.ts'
import type { Model, Models } from '../model/model.ts'
import type { NodeRow } from '../model/model.sql.ts'
import { visibleTo } from '../nodes/nodes.visible.ts'
import { countByNode } from '../products/products.page.sql.ts'
import { readable } from '../products/products.sql.ts'

type Node = NonNullable<Infer<typeof ClassificationTree>['nodes']>[number]

export const classificationTree =
  (models: Models): RouteHandler<typeof pim.routes.classificationTree> =>
  async (ctx) => {
    const model = await models.load(ctx.db)
    const counts = await countByNode(ctx.db, readable(ctx.caller.permissions))
    const products = new Map(counts.map(({ nodeId, count }) => [nodeId, count]))
    const isVisible = visibleTo(ctx.caller)
    const roots = model.classifications.flatMap(({ id }) => model.rootOf(id) ?? [])
    return { nodes: roots.flatMap((root) => [...walk(model, root, isVisible, products)]) }
  }

/** Yields a node before its descendants, although its count is known only after them. */
function* walk(
  model: Model,
  node: NodeRow,
  isVisible: (node: NodeRow) => boolean,
  products: ReadonlyMap<number, number>,
): Generator<Node> {
  if (!isVisible(node)) return
  const below = model.childrenOf(node.id).flatMap((child) => [...walk(model, child, isVisible, products)])
  const own = products.get(node.id) ?? 0
  const children = below.filter(({ parentId }) => parentId === node.id)
  yield {
    id: node.id,
    ...(node.parentId !== null && { parentId: node.parentId }),
    tid: node.tid,
    path: node.path,
    classification: model.classificationById(node.classificationId)!.tid,
    name: { itm: toItems(node.name) },
    products: own,
    productsBelow: children.reduce((sum, { productsBelow = 0 }) => sum + productsBelow, own),
    attributes: model.ownAttributes(node.id).length,
  }
  yield* below
}
