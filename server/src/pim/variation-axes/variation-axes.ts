/**
 * /pim/variation-axes: the attributes that span the articles and variations of a category's products. A category without its
 * own has those of the nearest category above.
 *
 * The table variation_key has the values that each object has on the axes. Its constraint refuses two equal ones below the
 * same parent, however they are written. While the axes change, the model is locked, so no product is written.
 */
import { maxAxes, type pim } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { allowsAt, seesDefinition } from '../../core/access/permissions.ts'
import { inBatch } from '../../core/batch/batch.ts'
import type { Caller, Context } from '../../core/context.ts'
import { pathsAbove } from '../../core/outbox/documents.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import type { Definition, Domain } from '../../values/api.ts'
import type { Model, Models } from '../model/model.ts'
import type { NodeRow } from '../model/model.sql.ts'
import { visibleTo } from '../nodes/nodes.visible.ts'
import { subtreeOf } from '../products/products.retrieve.ts'
import type { Rules } from '../products/products.rules.ts'
import * as rows from './variation-axes.sql.ts'

type Routes = Pick<typeof pim.routes, 'retrieveVariationAxes' | 'persistVariationAxes'>

export const variationAxes = ({
  models,
  rules,
}: {
  readonly models: Models
  readonly rules: Rules
}): RouteHandlers<Routes> => ({
  async retrieveVariationAxes({ db, caller }, { body }) {
    const model = await models.load(db)
    return view(db, caller, model, demandNode(caller, model, body.nodePath))
  },

  async persistVariationAxes(_, { body, caller, services }) {
    return inBatch(services, caller, async (ctx) => {
      const model = await models.lock(ctx.db)
      const node = demandNode(caller, model, body.nodePath)
      if (!allowsAt(caller.permissions, 'update', 'attribute', node.path))
        throw new Problem('forbidden', `your roles do not allow to change the attributes of the category ${node.path}`)
      const { articles = [], variations = [] } = body
      await store(ctx, { model, rules }, node, { articles, variations })
      return view(ctx.db, caller, model, node)
    })
  },
})

function demandNode(caller: Caller, model: Model, path: string): NodeRow {
  const node = model.node(path)
  if (node && visibleTo(caller)(node)) return node
  throw new Problem('notFound', `no node has the path ${path.slice(0, 200)}`)
}

async function view(db: Db, caller: Caller, model: Model, node: NodeRow) {
  const seen = (tids: readonly string[]) => tids.filter((tid) => seesDefinition(caller.permissions, 'product', tid))
  const own = await axesAt(db, model, [node.path])
  const above = await axesAt(db, model, pathsAbove(node.path).slice(0, -1))
  const isVisible = above && visibleTo(caller)(above.node)
  return {
    nodePath: node.path,
    ...(own && { articles: seen(own.articles), variations: seen(own.variations) }),
    ...(above && {
      inheritedArticles: seen(above.articles),
      inheritedVariations: seen(above.variations),
      ...(isVisible && { inheritedFrom: above.node.path }),
    }),
  }
}

/** The axes of the last of these nodes that has any. */
async function axesAt(db: Db, model: Model, paths: readonly string[]) {
  const nodes = paths.flatMap((path) => model.node(path) ?? [])
  const found = nodes.length > 0 ? await rows.findAxes(db, nodes.map(({ id }) => id)) : [] // prettier-ignore
  for (const node of nodes.toReversed()) {
    const own = found.find(({ nodeId }) => nodeId === node.id)
    if (own) return { node, articles: own.articles, variations: own.variations }
  }
  return undefined
}

/** The axes of the products of a node. */
export const axesOf = async (db: Db, model: Model, node: NodeRow): Promise<rows.Axes> =>
  (await axesAt(db, model, pathsAbove(node.path))) ?? noAxes

const noAxes: rows.Axes = { articles: [], variations: [] }

async function store(ctx: Context, modelled: Modelled, node: NodeRow, sent: rows.Axes): Promise<void> {
  const { db, caller } = ctx
  const { model } = modelled
  const { articles, variations } = (await axesAt(db, model, [node.path])) ?? noAxes
  const before: rows.Axes = { articles, variations }
  /** Axes that the caller may not see are kept, because they could not send them. */
  const checked = (level: 1 | 2, tids: readonly string[], kept: readonly string[]) => {
    for (const tid of tids) check(caller, modelled, node, level, tid)
    return [...new Set([...tids, ...kept.filter((tid) => !seesDefinition(caller.permissions, 'product', tid))])]
  }
  const axes = { articles: checked(1, sent.articles, articles), variations: checked(2, sent.variations, variations) }
  const all = [...axes.articles, ...axes.variations]
  if (all.length > maxAxes) throw new Problem('invalid', `${maxAxes} axes at most, found ${all.length}`)
  const twice = all.find((tid, i) => all.indexOf(tid) < i)
  if (twice !== undefined) throw new Problem('invalid', `${twice} spans either articles or variations, not both`)
  if (all.length > 0) await rows.upsertAxes(db, node.id, axes, caller.userName)
  else await rows.deleteAxes(db, node.id)
  const nodeIds = subtreeOf(model, node.id)
  const duplicate = await rows.findDuplicate(db, nodeIds)
  if (duplicate !== undefined)
    throw new Problem('inUse', 'products have articles or variations with the same values on these axes; search for them, and change or delete one of each two') // prettier-ignore
  await rows.storeKeys(db, nodeIds)
  ctx.record({ dataType: 'node', id: node.id, event: 'UPDATE', action: 'axes', changes: { axes: { from: before, to: axes } } }) // prettier-ignore
}

function check(caller: Caller, modelled: Modelled, node: NodeRow, level: 1 | 2, tid: string): void {
  const field = level === 1 ? 'articles' : 'variations'
  // An axis may be assigned to the categories below only.
  const axis = subtreeOf(modelled.model, node.id).map((id) => axisAt(modelled, id, level, tid)).find((one) => one !== undefined) // prettier-ignore
  if (!axis || !seesDefinition(caller.permissions, 'product', tid))
    throw new Problem('invalid', `${field}: ${tid.slice(0, 100)} is not an attribute of ${field} here; assign it to the category first`) // prettier-ignore
  if (!axis.domain || axis.definition.multi || axis.definition.localized)
    throw new Problem('invalid', `${field}: ${tid} cannot be an axis; an axis has a list of values, one value per object, and no languages`) // prettier-ignore
}

export interface Modelled {
  readonly model: Model
  readonly rules: Rules
}
export interface Axis {
  readonly tid: string
  readonly definition: Definition
  readonly domain: Domain | undefined
  /** The level that has its values: 1 for articles, 2 for variations. */
  readonly level: 1 | 2
}

/** Undefined if the objects of this level and node do not have the attribute. */
export function axisAt({ model, rules }: Modelled, nodeId: number, level: 1 | 2, tid: string): Axis | undefined {
  const definition = model.definition(tid)
  if (!definition || rules(model, nodeId).storable(level, tid) instanceof Problem) return undefined
  return { tid, definition, domain: model.attributesOf(nodeId).get(tid)?.domain ?? definition.domain, level }
}
