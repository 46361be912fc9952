/**
 * Lists of products for people: a page from any position of an order, and the history of one product. Products that the
 * caller may not read are neither listed nor counted.
 */
import type { Infer, pim, ProductHistoryEntry, ProductRow } from '@kontor/contract'
import type { Context } from '../../core/context.ts'
import type { Rights } from '../../core/access/permissions.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import type { Model } from '../model/model.ts'
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
      const found = await pages.rowsByTid(ctx.db, tids, readable)
      return { total: found.length, products: found.map(toRow) }
    }
    const node = nodePath === undefined ? undefined : model.node(nodePath)
    if (nodePath !== undefined && !node) throw new Problem('notFound', `no node has the path ${nodePath}`)
    const selected = { nodeIds: node && subtreeOf(model, node.id), text: text?.trim() || undefined, readable }
    const [total, found] = await Promise.all([
      counted ? pages.countSelected(ctx.db, selected) : undefined,
      pages.pageOf(ctx.db, selected, { sort, descending, offset, count }),
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
    const named = new Map([product, ...members].map((row) => [row.id, { tid: row.tid, name: row.name }]))
    const entries = await pages.findHistory(
      ctx.db,
      [...named.keys()],
      before === undefined ? undefined : Number(before),
      count,
    )
    const rights = access.rights(product.nodeId!)
    return { entries: entries.map((entry) => toEntry(entry, named.get(entry.objectId)!, rights)) }
  },
})

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

function toEntry(entry: pages.HistoryRow, named: { tid: string; name: string }, rights: Rights | undefined) {
  const { id, objectId, at, user, action, dataType, changes } = entry
  const fields = Object.entries(changes).flatMap(([field, change]) => {
    if (typeof change !== 'object' || change === null || !isVisible(field, rights)) return []
    const { from, to } = change as { from?: unknown; to?: unknown }
    if (from === undefined && to === undefined) return []
    return [{ field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }]
  })
  const base: Infer<typeof ProductHistoryEntry> = {
    id,
    at: at.toISOString(),
    user,
    action,
    dataType,
    objectId,
    ...named,
  }
  return { ...base, ...(fields.length > 0 && { changes: fields }) }
}

/** `vals.title.de_DE`, or `vals.sizes/width` for a column of a table. */
function isVisible(field: string, rights: Rights | undefined): boolean {
  if (!rights || !field.startsWith('vals.')) return true
  const [, key = '', locale] = field.split('.')
  return rights.attribute(key.split('/')[0]!).visible && (locale === undefined || rights.locale(locale).visible)
}
