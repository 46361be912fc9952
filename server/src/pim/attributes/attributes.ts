/**
 * The rules of /pim/attributes: which attributes a node gives to its products.
 *
 * A node has at most one attribute per definition, and inherits those of the nodes above it. The overrides
 * of a node win over those of the nodes above. So a product has one attribute of each definition: that of the nearest node.
 */
import type { AttributesQueryRequest, AttributesRetrieveRequest, Infer, Long, pim } from '@kontor/contract'
import { schemaVersion } from '@kontor/contract'
import { inBatch, type Outcome } from '../../core/batch/batch.ts'
import { pageOf } from '../../core/batch/paging.ts'
import { allowsAt } from '../../core/access/permissions.ts'
import { visibleTexts } from '../../core/access/texts.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/batch/handlers.ts'
import { once } from '../../core/http/idempotency.ts'
import { replyMeta } from '../../core/http/reply.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { loadLocales } from '../../values/api.ts'
import { startDraft } from '../model/draft.ts'
import { deleteAttributes } from '../model/draft.sql.ts'
import type { EffectiveAttribute } from '../model/effective.ts'
import { checkMatch, tagOnly } from '../model/etag.ts'
import type { Model, Models } from '../model/model.ts'
import type { NodeRow } from '../model/model.sql.ts'
import { findProductNodes } from '../model/uses.sql.ts'
import { visibleAttributes, visibleTo } from '../nodes/nodes.visible.ts'
import { onlyOne } from '../only-one.ts'
import { addDomainValue } from './attributes.domain-value.ts'
import { recordDeleted } from './attributes.deleted.ts'
import { applyAttribute } from './attributes.edit.ts'
import type { AttributeValue } from './attributes.overrides.ts'
import { toAttribute } from './attributes.view.ts'

export function attributes(models: Models): Handlers<typeof pim.resources.attributes> {
  return {
    async query(ctx, request) {
      onlyOne('/attributesQueryRequest', request, ['productId', 'productTid', 'nodeId', 'nodePath'])
      const model = await models.load(ctx.db)
      const found = await findOf(ctx, model, toSelectors(request))
      return { ids: pageOf(ctx.paging, found).map(({ id }) => id) }
    },

    async retrieve(ctx, request) {
      onlyOne('/attributesRetrieveRequest', request, ['ids', 'productIds', 'productTids', 'nodeIds', 'nodePaths'])
      const model = await models.load(ctx.db)
      const found = request.ids ? byIds(ctx, model, request.ids) : await findOf(ctx, model, request)
      tagOnly(
        ctx,
        request.ids,
        found.map(({ row }) => row),
      )
      const texts = visibleTexts(ctx.caller.permissions, 'attribute')
      return { attrs: found.map((attribute) => texts(toAttribute(attribute, request))) }
    },

    persist: (ctx, objects) => persistAll(ctx, models, objects),
    perform: { delete: (ctx, actions) => deleteAll(ctx, models, actions) },
  }
}

type Selectors = Infer<typeof AttributesRetrieveRequest>

function toSelectors({
  productId,
  productTid,
  nodeId,
  nodePath,
  ...rest
}: Infer<typeof AttributesQueryRequest>): Selectors {
  return {
    ...(productId !== undefined && { productIds: [productId] }),
    ...(productTid !== undefined && { productTids: [productTid] }),
    ...(nodeId !== undefined && { nodeIds: [nodeId] }),
    ...(nodePath !== undefined && { nodePaths: [nodePath] }),
    ...rest,
  }
}

/** The attributes of products, always with those their nodes inherit, or the attributes of nodes. Each once. */
async function findOf({ db, caller }: Context, model: Model, selectors: Selectors): Promise<EffectiveAttribute[]> {
  const { productIds, productTids, nodeIds, nodePaths, includeParentAttributes = false } = selectors
  const isOfProducts = productIds !== undefined || productTids !== undefined
  const named = isOfProducts
    ? (await findProductNodes(db, productIds ?? [], productTids ?? [])).flatMap(
        ({ nodeId }) => model.node(nodeId) ?? [],
      )
    : (nodeIds ?? nodePaths ?? []).flatMap((key) => model.node(key) ?? [])
  const found = named.filter(visibleTo(caller))
  if (found.length === 0) throw new Problem('notFound', `none of the ${isOfProducts ? 'products' : 'nodes'} exists`)
  const all = new Set(found.flatMap((node) => attributesAt(model, node, isOfProducts || includeParentAttributes)))
  return [...all].filter(visibleAttributes(caller, model).effective)
}

function attributesAt(model: Model, node: NodeRow, withInherited: boolean): EffectiveAttribute[] {
  return [...model.attributesOf(node.id).values()].filter(({ nodeId }) => withInherited || nodeId === node.id)
}

function byIds({ caller }: Context, model: Model, ids: readonly Long[]): EffectiveAttribute[] {
  const all = [...new Set(ids)].flatMap((id) => effectiveOf(model, id) ?? [])
  const found = all.filter(visibleAttributes(caller, model).effective)
  if (found.length === 0) throw new Problem('notFound', 'none of the attributes exists')
  return found
}

function effectiveOf(model: Model, id: Long): EffectiveAttribute | undefined {
  const row = model.attribute(id)
  return row && model.attributesOf(row.nodeId).get(model.definitionById(row.definitionId)!.tid)
}

async function persistAll(ctx: Context, models: Models, objects: readonly AttributeValue[]): Promise<Outcome[]> {
  const model = await models.lock(ctx.db)
  const localeOf = await loadLocales(ctx.db)
  const draft = await startDraft(ctx, model, objects.length)
  const outcomes = objects.map((attribute) => draft.attempt(() => applyAttribute(draft, attribute, localeOf)))
  checkMatch(
    ctx,
    outcomes.map((outcome) => (outcome instanceof Problem ? undefined : model.attribute(outcome.id!))),
  )
  await draft.write(ctx)
  return outcomes
}

async function deleteAll(ctx: Context, models: Models, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const model = await models.lock(ctx.db)
  const deleted = new Set<number>()
  const isVisible = visibleAttributes(ctx.caller, model).effective
  const outcomes = actions.map((action): Outcome => {
    const row = model.attribute(action.id!)
    if (!row || deleted.has(row.id) || !isVisible({ row, nodeId: row.nodeId }))
      return new Problem('notFound', `no attribute has the id ${action.id}`)
    const { path } = model.node(row.nodeId)!
    if (!allowsAt(ctx.caller.permissions, 'delete', 'attribute', path))
      return new Problem('forbidden', `your roles do not allow to delete the attribute at ${path}`)
    deleted.add(row.id)
    recordDeleted(ctx, model, row)
    return { action: 'delete', id: row.id, path }
  })
  if (deleted.size > 0) await deleteAttributes(ctx.db, [...deleted])
  return outcomes
}

// Routes

export function listNodeAttributes(models: Models): RouteHandler<typeof pim.routes.listNodeAttributes> {
  return async ({ db, config, caller }, { params, query }) => {
    const { includeParentAttributes = 'false' } = query
    const address = params['*'] ?? ''
    const model = await models.load(db)
    const node = (/^\d{1,15}$/.test(address) ? model.node(Number(address)) : undefined) ?? model.node(address)
    if (!node || !visibleTo(caller)(node))
      throw new Problem('notFound', `no node has the id or path ${address.slice(0, 200)}`)
    const options = { withDomainValues: true, withDefaultValues: true }
    const { effective } = visibleAttributes(caller, model)
    const found = attributesAt(model, node, includeParentAttributes === 'true').filter(effective)
    const texts = visibleTexts(caller.permissions, 'attribute')
    return {
      schemaVersion,
      meta: replyMeta(config, { itemInformationType: 'attribute' }),
      attrs: { attr: found.map((attribute) => texts(toAttribute(attribute, options))) },
    }
  }
}

export function putDomainValue(models: Models): RouteHandler<typeof pim.routes.addDomainValue> {
  return async (_, { params, query, caller, services, idempotency }) => {
    const { domainValue } = query
    if (!/^\d{1,15}$/.test(params['id']!)) throw new Problem('invalid', `/{id}: ${params['id']} is not an id`)
    if (!domainValue) throw new Problem('invalid', '?domainValue: missing; send the value to add')
    return inBatch(services, caller, (ctx) =>
      once(ctx, idempotency, () => addDomainValue(ctx, models, Number(params['id']), domainValue)),
    )
  }
}
