/**
 * The rules of /pim/nodes. A node is identified by its id or its path, the tids from the root down. Names are per locale
 * and not part of the path, so renaming breaks nothing; a new tid or parent changes the paths of all nodes below.
 */
import type { Long, Node, NodesQueryRequest, NodesRequest, Infer, pim } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Outcome } from '../../core/batch/batch.ts'
import { pageOf } from '../../core/batch/paging.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/batch/handlers.ts'
import { cleanPath, parentPathOf } from '../../core/batch/names.ts'
import { metaOf } from '../../core/batch/settle.ts'
import { Problem } from '../../errors.ts'
import { toOverrides } from '../attributes/attributes.view.ts'
import { loadLocales, toItems } from '../../values/api.ts'
import { startDraft } from '../model/draft.ts'
import { checkMatch, tagOnly } from '../model/etag.ts'
import type { Model, Models } from '../model/model.ts'
import type { AttributeRow, NodeRow } from '../model/model.sql.ts'
import { findProductNodes } from '../model/uses.sql.ts'
import { onlyOne } from '../only-one.ts'
import { deleteTrees } from './nodes.delete.ts'
import { countObjects, applyNode } from './nodes.edit.ts'
import { visibleTo } from './nodes.visible.ts'

export function nodes(models: Models): Handlers<typeof pim.resources.nodes> {
  return {
    async query({ db, caller, paging }, request) {
      onlyOne('/nodesQueryRequest', request, queryKeys)
      const model = await models.load(db)
      const found = (await findNodeIds(db, model, request)).flatMap((id) => model.node(id) ?? [])
      return { ids: pageOf(paging, found.filter(visibleTo(caller))).map(({ id }) => id), level: 1 }
    },

    async retrieve(ctx, request) {
      const model = await models.load(ctx.db)
      const found = select(model, request).filter(visibleTo(ctx.caller))
      if (request.path === undefined) tagOnly(ctx, request.ids ?? [true], found)
      return { nodes: found.map((node) => toNode(model, node)) }
    },

    persist: (ctx, objects) => persistNodes(ctx, models, objects),
    perform: { delete: (ctx, actions) => deleteNodes(ctx, models, actions) },
  }
}

const queryKeys = ['productTid', 'productId', 'attributeDefinitionTid', 'attributeDefinitionId', 'attributeId'] as const

async function findNodeIds(db: Db, model: Model, request: Infer<typeof NodesQueryRequest>): Promise<number[]> {
  const { productTid, productId, attributeDefinitionTid, attributeDefinitionId, attributeId } = request
  if (productTid !== undefined || productId !== undefined) {
    const found = await findProductNodes(
      db,
      productId === undefined ? [] : [productId],
      productTid === undefined ? [] : [productTid],
    )
    return found.map(({ nodeId }) => nodeId)
  }
  if (attributeId !== undefined) {
    const attribute = model.attribute(attributeId)
    return attribute ? [attribute.nodeId] : []
  }
  const definition =
    attributeDefinitionTid === undefined
      ? model.definitionById(attributeDefinitionId!)
      : model.definition(attributeDefinitionTid)
  return definition ? model.attributesOfDefinition(definition.id).map(({ nodeId }) => nodeId) : []
}

const retrieveKeys = ['path', 'classificationId', 'classificationTid', 'ids'] as const

function select(model: Model, request: Infer<typeof NodesRequest>): readonly NodeRow[] {
  onlyOne('/nodesRequest', request, retrieveKeys)
  const { path, level = 1, classificationId, classificationTid, ids } = request
  if (level < 1) throw new Problem('invalid', `/nodesRequest/level: ${level} is not a depth; expected 1 or more`)
  if (ids) return [...new Set(ids)].flatMap((id) => model.node(id) ?? [])
  if (path !== undefined) return below(model, model.node(path), level)
  const classification =
    classificationTid === undefined
      ? model.classificationById(classificationId!)
      : model.classification(classificationTid)
  const root = classification && model.rootOf(classification.id)
  return root ? [root] : []
}

/** Parents before children, children in their order. */
function below(model: Model, top: NodeRow | undefined, level: number): NodeRow[] {
  if (!top || level === 0) return []
  return model.childrenOf(top.id).flatMap((child) => [child, ...below(model, child, level - 1)])
}

/** `withAttribute`: which attributes of its own a node carries; none by default. */
export function toNode(
  model: Model,
  row: NodeRow,
  withAttribute: (attribute: AttributeRow) => boolean = () => false,
): Node {
  const attributes = model.ownAttributes(row.id).filter(withAttribute)
  return {
    name: { itm: toItems(row.name) },
    ...(attributes.length > 0 && { attr: attributes.map((attribute) => toOverrides(model, attribute)) }),
    tid: row.tid,
    id: row.id,
    ...(row.parentId === null
      ? { classificationTid: model.classificationById(row.classificationId)!.tid }
      : { parentId: row.parentId, parentPath: parentPathOf(row.path) }),
    path: row.path,
  }
}

async function persistNodes(ctx: Context, models: Models, objects: readonly Node[]): Promise<Outcome[]> {
  const model = await models.lock(ctx.db)
  const localeOf = await loadLocales(ctx.db)
  const draft = await startDraft(
    ctx,
    model,
    objects.reduce((sum, node) => sum + countObjects(node), 0),
  )
  const outcomes = objects.map((node) => draft.attempt(() => applyNode(draft, node, localeOf)))
  checkMatch(
    ctx,
    outcomes.map((outcome) => (outcome instanceof Problem ? undefined : model.node(outcome.id!))),
  )
  await draft.write(ctx)
  return outcomes
}

async function deleteNodes(ctx: Context, models: Models, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const model = await models.lock(ctx.db)
  const deletions = actions.map((action) => {
    const top = find(model, action)
    if (!top)
      return new Problem(
        'notFound',
        `no node has the ${action.id === undefined ? `path ${action.path}` : `id ${action.id}`}`,
      )
    const isForced = metaOf(action).get('force') === 'true'
    return {
      top,
      isForced,
      done: { action: 'delete', dataType: action.dataType, id: top.id, tid: top.tid, path: top.path },
    }
  })
  return deleteTrees(ctx, model, deletions)
}

const find = (model: Model, { id, path }: { id?: Long; path?: string }) =>
  id === undefined ? model.node(cleanPath(path!)) : model.node(id)
