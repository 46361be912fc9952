/**
 * Lists of products for people: a page from any position of an order, and the history of one product. Products that the
 * caller may not read are neither listed nor counted.
 */
import type { Infer, Long, pim, ProductHistoryEntry, ProductRow } from '@kontor/contract'
import type { Context } from '../../core/context.ts'
import { readableOthers } from '../../common/api.ts'
import { allowsAt } from '../../core/access/permissions.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import type { Model } from '../model/model.ts'
import { visibleHistory } from '../../values/api.ts'
import { visibleTo } from '../nodes/nodes.visible.ts'
import { accessOf } from './products.access.ts'
import * as pages from './products.page.sql.ts'
import type { ProductNeeds } from './products.persist.ts'
import { subtreeOf } from './products.retrieve.ts'
import { nothingAbove, valuesOf } from './products.view.ts'
import * as rows from './products.sql.ts'

type Routes = Pick<typeof pim.routes, 'pageProducts' | 'productHistory'>

export const productPages = (needs: ProductNeeds): RouteHandlers<Routes> => ({
  async pageProducts(ctx, { body }) {
    const { nodePath, text, tids, sort = 'modified', descending = false, offset = 0, attributes = [] } = body
    const counted = body.total ?? true
    const count = bounded('/productPageRequest/count', body.count ?? 100, 1000)
    if (offset < 0) throw new Problem('invalid', '/productPageRequest/offset: expected 0 or more')
    const model = await needs.models.load(ctx.db)
    const readable = rows.readable(ctx.caller.permissions)
    const toRow = rowWriter(ctx, needs, model, new Set(attributes))
    if (tids) {
      const found = await pages.rowsByTid(ctx.db, ctx.caller, tids, readable)
      return { total: found.length, products: found.map(toRow) }
    }
    const node = nodePath === undefined ? undefined : model.node(nodePath)
    if (nodePath !== undefined && !(node && visibleTo(ctx.caller, 'product')(node)))
      throw new Problem('notFound', `no node has the path ${nodePath}`)
    const selected = { nodeIds: node && subtreeOf(model, node.id), text: text?.trim() || undefined, readable }
    const [total, found] = await Promise.all([
      counted ? pages.countSelected(ctx.db, selected) : undefined,
      pages.pageOf(ctx.db, ctx.caller, selected, { sort, descending, offset, count }),
    ])
    return { ...(total !== undefined && { total }), products: found.map(toRow) }
  },

  async productHistory(ctx, { body }) {
    const { tid, before } = body
    const count = bounded('/productHistoryRequest/count', body.count ?? 50, 500)
    const model = await needs.models.load(ctx.db)
    const access = accessOf(ctx.caller, model)
    const [product] = await rows.findProducts(ctx.db, { tids: [tid] })
    if (!product || !access.may('read', product.nodeId!)) throw new Problem('notFound', `no product has the tid ${tid}`)
    const members = await rows.listMembers(ctx.db, [product.id])
    const rules = needs.rules(model, product.nodeId!)
    const named = new Map([product, ...members].map((row) => [row.id, { tid: row.tid, name: row.name }]))
    const entries = await pages.findHistory(
      ctx.db,
      [...named.keys()],
      before === undefined ? undefined : Number(before),
      count,
    )
    const changes = visibleHistory(entries, (await placeBefore(ctx, model, product, before)) ?? '', {
      place: 'node',
      mayRead: (path) => allowsAt(ctx.caller.permissions, 'read', 'product', path),
      rights: access.rights(product.nodeId!),
      isAttribute: (key) => rules.viewRule(key) !== undefined,
      mayReadOthers: await readableOthers(ctx, needs.targets, 'product', entries),
    })
    return { entries: entries.map((entry, i) => toEntry(entry, named.get(entry.objectId)!, changes[i]!)) }
  },
})

/** The node that a product was in before an entry of its history; the present one without an entry. */
async function placeBefore({ db }: Context, model: Model, { id, nodeId }: rows.ViewRow, entry: Long | undefined) {
  const left = entry === undefined ? undefined : await pages.findNodeLeft(db, id, Number(entry))
  return left ?? model.node(nodeId!)?.path
}

function bounded(place: string, count: number, most: number): number {
  if (count >= 1 && count <= most) return count
  throw new Problem('invalid', `${place}: expected 1 to ${most}`)
}

function rowWriter({ caller }: Context, needs: ProductNeeds, model: Model, attributes: ReadonlySet<string>) {
  const access = accessOf(caller, model)
  return (row: pages.PageRow): Infer<typeof ProductRow> => {
    const { id, tid, name, nodeId, articles, variations, picture, createdAt, modifiedAt, modifiedBy } = row
    const node = model.node(nodeId)
    const all =
      attributes.size === 0 ? [] : valuesOf(needs.rules(model, nodeId), row, nothingAbove, access.rights(nodeId))
    const val = all.filter(({ attr, parent }) => attributes.has(parent ?? attr ?? ''))
    return {
      id,
      tid,
      name,
      ...(node && { node: node.path }),
      articles,
      variations,
      ...(picture !== null && { picture }),
      createdAt: createdAt.toISOString(),
      modifiedAt: modifiedAt.toISOString(),
      modifiedBy,
      ...(val.length > 0 && { vals: { val } }),
    }
  }
}

function toEntry(entry: pages.HistoryRow, named: { tid: string; name: string }, changes: pages.HistoryRow['changes']) {
  const { id, objectId, at, user, action, dataType, rule } = entry
  const fields = Object.entries(changes).flatMap(([field, change]) => {
    if (typeof change !== 'object' || change === null) return []
    const { from, to } = change as { from?: unknown; to?: unknown }
    if (from === undefined && to === undefined) return []
    return [{ field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }]
  })
  const base: Infer<typeof ProductHistoryEntry> = {
    id,
    at: at.toISOString(),
    user,
    action,
    ...(rule !== null && { rule }),
    dataType,
    objectId,
    ...named,
  }
  return { ...base, ...(fields.length > 0 && { changes: fields }) }
}
