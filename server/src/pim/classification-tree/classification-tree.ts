/** /pim/classification-tree: every node that the caller may see, with how many products are in it and below it. */
import type { ClassificationTree, Infer, pim } from '@kontor/contract'
import { visibleTexts } from '../../core/access/texts.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { toItems } from '../../values/api.ts'
import type { Model, Models } from '../model/model.ts'
import type { NodeRow } from '../model/model.sql.ts'
import { visibleAttributes, visibleTo } from '../nodes/nodes.visible.ts'
import { countByNode } from '../products/products.page.sql.ts'
import { readable } from '../products/products.sql.ts'

type Node = NonNullable<Infer<typeof ClassificationTree>['nodes']>[number]

export const classificationTree =
  (models: Models): RouteHandler<typeof pim.routes.classificationTree> =>
  async (ctx) => {
    const model = await models.load(ctx.db)
    const counts = await countByNode(ctx.db, readable(ctx.caller.permissions))
    const products = new Map(counts.map(({ nodeId, count }) => [nodeId, count]))
    const texts = visibleTexts(ctx.caller.permissions, 'node')
    const view = {
      model,
      products,
      isVisible: visibleTo(ctx.caller),
      attributesOf: (id: number) => model.ownAttributes(id).filter(visibleAttributes(ctx.caller, model).ofNode).length,
      nameOf: ({ name }: NodeRow) => texts({ itm: toItems(name) }),
    }
    const roots = model.classifications.flatMap(({ id }) => model.rootOf(id) ?? [])
    return { nodes: roots.flatMap((root) => [...walk(view, root)]) }
  }

/** The part of the tree that the caller may see. */
interface TreeView {
  readonly model: Model
  readonly products: ReadonlyMap<number, number>
  isVisible(node: NodeRow): boolean
  attributesOf(nodeId: number): number
  nameOf(node: NodeRow): NonNullable<Node['name']>
}

/** Yields a node before its descendants, although its count is known only after them. */
function* walk(view: TreeView, node: NodeRow): Generator<Node> {
  const { model, products } = view
  if (!view.isVisible(node)) return
  const below = model.childrenOf(node.id).flatMap((child) => [...walk(view, child)])
  const own = products.get(node.id) ?? 0
  const children = below.filter(({ parentId }) => parentId === node.id)
  yield {
    id: node.id,
    ...(node.parentId !== null && { parentId: node.parentId }),
    tid: node.tid,
    path: node.path,
    classification: model.classificationById(node.classificationId)!.tid,
    name: view.nameOf(node),
    products: own,
    productsBelow: children.reduce((sum, { productsBelow = 0 }) => sum + productsBelow, own),
    attributes: view.attributesOf(node.id),
  }
  yield* below
}
