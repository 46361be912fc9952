/**
 * The rules of /pim/classes. A classification is identified by its tid and has one root node, which is created with it and
 * has the same names. persist also takes nodes: it applies all classifications first, then the nodes, each in their order.
 * Deleting a classification deletes its whole tree.
 */
import {
  type Classification,
  type ClassificationRequest,
  type Infer,
  type Node,
  type pim,
  schemaVersion,
} from '@kontor/contract'
import type { Outcome } from '../../core/batch/batch.ts'
import { visibleTexts } from '../../core/access/texts.ts'
import type { Caller, Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/batch/handlers.ts'
import { replyMeta } from '../../core/http/reply.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { metaOf } from '../../core/batch/settle.ts'
import { Problem } from '../../errors.ts'
import { loadLocales, toItems } from '../../values/api.ts'
import { startDraft } from '../model/draft.ts'
import { deleteClassifications } from '../model/draft.sql.ts'
import { checkMatch, tagOnly } from '../model/etag.ts'
import type { Model, Models } from '../model/model.ts'
import type { ClassificationRow, NodeRow } from '../model/model.sql.ts'
import { deleteTrees } from '../nodes/nodes.delete.ts'
import { countObjects, applyClassification, applyNode } from '../nodes/nodes.edit.ts'
import { toNode } from '../nodes/nodes.ts'
import { visibleAttributes, visibleClasses, visibleTo } from '../nodes/nodes.visible.ts'

type ClassificationValue = Infer<typeof Classification>

export function classes(models: Models): Handlers<typeof pim.resources.classes> {
  return {
    async retrieve(ctx, request) {
      const { withNodes = false, flatNodes = true, tids, ids } = request
      const model = await models.load(ctx.db)
      const found = named(model, request).filter(visibleClasses(ctx.caller, model))
      if (found.length === 0) throw new Problem('notFound', 'none of the classifications exists')
      tagOnly(ctx, tids ?? ids, found)
      const visible = visibleTo(ctx.caller)
      const attributes = visibleAttributes(ctx.caller, model).ofNode
      const roots = found.flatMap(({ id }) => model.rootOf(id) ?? []).filter(visible)
      const isNested = withNodes && !flatNodes
      const texts = visibleTexts(ctx.caller.permissions, 'node')
      const view = { model, visible, toNode: (node: NodeRow) => texts(toNode(model, node, attributes)) }
      const trees = new Map(isNested ? roots.map((root) => [root.classificationId, nested(view, root)]) : [])
      return {
        classes: found.map((row) => classificationFor(ctx.caller)(row, trees.get(row.id))),
        ...(withNodes && flatNodes && { nodes: flat(view, roots) }),
      }
    },

    persist: (ctx, objects, containers) => persistAll(ctx, models, objects, containers),
    perform: { delete: (ctx, actions) => deleteAll(ctx, models, actions) },
  }
}

export function listClasses(models: Models): RouteHandler<typeof pim.routes.listClasses> {
  return async ({ db, config, caller }) => {
    const model = await models.load(db)
    const classifications = model.classifications.filter(visibleClasses(caller, model))
    if (classifications.length === 0) throw new Problem('notFound', 'there are no classifications')
    return {
      schemaVersion,
      meta: replyMeta(config, { itemInformationType: 'classification' }),
      classes: { clazz: classifications.map((row) => classificationFor(caller)(row)) },
    }
  }
}

/** Each classification once. Tids win over ids; without either, all of them. */
function named(model: Model, { tids, ids }: Infer<typeof ClassificationRequest>): readonly ClassificationRow[] {
  if (!tids && !ids) return model.classifications
  const found = tids ? tids.map((tid) => model.classification(tid)) : ids!.map((id) => model.classificationById(id))
  return [...new Set(found)].filter((row) => row !== undefined)
}

function classificationFor({ permissions }: Caller) {
  const texts = visibleTexts(permissions, 'classification')
  return ({ id, tid, name }: ClassificationRow, node?: Node): ClassificationValue => ({
    name: texts({ itm: toItems(name) }),
    ...(node && { node }),
    tid,
    id,
  })
}

/** The nodes that the caller may see, as messages. */
interface NodeView {
  readonly model: Model
  visible(node: NodeRow): boolean
  toNode(node: NodeRow): Node
}

function nested(view: NodeView, row: NodeRow): Node {
  const children = view.model.childrenOf(row.id).filter(view.visible)
  return {
    ...view.toNode(row),
    ...(children.length > 0 && { node: children.map((child) => nested(view, child)) }),
  }
}

/** Parents before children; a generator, so that the reply is streamed. */
function* flat(view: NodeView, nodes: readonly NodeRow[]): Generator<Node> {
  for (const node of nodes) {
    yield view.toNode(node)
    yield* flat(view, view.model.childrenOf(node.id).filter(view.visible))
  }
}

async function persistAll(
  ctx: Context,
  models: Models,
  objects: readonly ClassificationValue[],
  containers: readonly string[],
): Promise<Outcome[]> {
  const model = await models.lock(ctx.db)
  const localeOf = await loadLocales(ctx.db)
  const isNode = (i: number) => containers[i] === 'nodes'
  const most = objects.reduce((sum, item, i) => {
    const tree = isNode(i) ? (item as Node) : item.node
    return sum + 2 + (tree ? countObjects(tree) : 0)
  }, 0)
  const draft = await startDraft(ctx, model, most)
  const outcomes: Outcome[] = []
  objects.forEach((item, i) => {
    if (!isNode(i)) outcomes[i] = draft.attempt(() => applyClassification(draft, item, localeOf))
  })
  objects.forEach((item, i) => {
    if (isNode(i))
      outcomes[i] = draft.attempt(() => ({ ...applyNode(draft, item as Node, localeOf), dataType: 'node' }))
  })
  checkMatch(
    ctx,
    outcomes.map((outcome, i) => storedOf(model, outcome, isNode(i))),
  )
  await draft.write(ctx)
  return outcomes
}

function storedOf(model: Model, outcome: Outcome, isNode: boolean) {
  if (outcome instanceof Problem) return undefined
  return isNode ? model.node(outcome.id!) : model.classificationById(outcome.id!)
}

async function deleteAll(ctx: Context, models: Models, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const model = await models.lock(ctx.db)
  const targets = actions.map(({ tid, id }) =>
    tid === undefined ? model.classificationById(id!) : model.classification(tid),
  )
  const deletions = actions.map((action, i) => {
    const row = targets[i]
    if (!row) return notFound(action)
    const isForced = metaOf(action).get('force') === 'true'
    return { top: model.rootOf(row.id), isForced, done: { action: 'delete', id: row.id, tid: row.tid } }
  })
  const outcomes = await deleteTrees(ctx, model, deletions)
  const gone = new Set<number>()
  const settled = outcomes.map((outcome, i) => {
    if (outcome instanceof Problem) return outcome
    const { id, tid } = targets[i]!
    if (gone.has(id)) return notFound(actions[i]!)
    gone.add(id)
    ctx.record({
      dataType: 'classification',
      id,
      event: 'DELETE',
      changes: { tid },
      gone: { tid, scopes: [`/${tid}`] },
    })
    return outcome
  })
  if (gone.size > 0) await deleteClassifications(ctx.db, [...gone])
  return settled
}

const notFound = ({ tid, id }: ActionValue) =>
  new Problem('notFound', `no classification has the ${tid === undefined ? `id ${id}` : `tid ${tid}`}`)
