/**
 * retrieve and query of products.
 *
 * retrieve streams page by page, in the order of the request; the next page is read while the current one is sent. A page
 * costs one statement for the products, and one for their links if there are any. Articles and variations are read in
 * portions, so that memory stays flat for any number and size of products.
 */
import type { Infer, Long, ProductQuery, ProductRequest } from '@kontor/contract'
import type { Sql } from '../../adapters/postgres/sql.ts'
import type { Context } from '../../core/context.ts'
import { checkPeriod } from '../../core/period.ts'
import { Problem } from '../../errors.ts'
import type { Model } from '../model/model.ts'
import { accessOf, type ProductAccess } from './products.access.ts'
import { findLinks } from './products.links.ts'
import { etagOf, type ProductNeeds } from './products.persist.ts'
import { nodeByNames } from '../nodes/nodes.names.ts'
import { visibleTo } from '../nodes/nodes.visible.ts'
import { toProduct } from './products.view.ts'
import * as rows from './products.sql.ts'
import type { StreamedTids } from '../../core/batch/handlers.ts'
import { tidsOf } from '../../core/batch/paging.ts'

/** Small, so that a page is garbage before V8 promotes it to the old generation. */
const pageSize = 100
/** How many articles and variations are read at once. */
const portionSize = 2_000

/** Shared by all pages of one retrieve. */
interface Reading {
  readonly ctx: Context
  readonly needs: ProductNeeds
  readonly model: Model
  readonly access: ProductAccess
}
type Names =
  { readonly by: 'tid'; readonly names: readonly string[] } | { readonly by: 'id'; readonly names: readonly Long[] }

export async function retrieveProducts(ctx: Context, needs: ProductNeeds, { tids, ids }: Infer<typeof ProductRequest>) {
  if (!tids && !ids) throw new Problem('invalid', '/productRequest: tids or ids is missing; name at least one product')
  const asked: Names = tids ? { by: 'tid', names: [...new Set(tids)] } : { by: 'id', names: [...new Set(ids)] }
  const only = asked.names.length === 1 ? await findOnly(ctx, asked) : undefined
  const model = only ? await needs.models.at(ctx.db, only.modelVersion) : await needs.models.load(ctx.db)
  return { products: stream({ ctx, needs, model, access: accessOf(ctx.caller, model) }, asked, only) }
}

const findOnly = ({ db }: Context, { by, names }: Names) =>
  rows.findProduct(db, by === 'tid' ? { tid: names[0]! } : { id: names[0]! })

async function* stream(reading: Reading, asked: Names, only: rows.ViewProduct | undefined) {
  const { by, names } = asked
  const read = (from: number) => readPage(reading, { by, names: names.slice(from, from + pageSize) } as Names, only)
  let any = false
  let next = read(0)
  for (let from = pageSize; ; from += pageSize) {
    const page = await next
    const more = from < names.length
    if (more) {
      next = read(from)
      next.catch(() => {}) // awaited in the next round; if the caller is gone by then, the error is dropped
    }
    if (names.length === 1 && page.products[0]) reading.ctx.tag?.(etagOf(page.products[0]))
    any ||= page.products.length > 0
    yield* toProducts(reading, page)
    if (!more) break
  }
  if (!any) throw new Problem('notFound', `no product has the ${by} ${names.slice(0, 10).join(', ')}`)
}

interface Page {
  readonly products: readonly rows.ViewProduct[]
  readonly links: Awaited<ReturnType<typeof findLinks>>
}

async function readPage({ ctx, needs, access }: Reading, asked: Names, only?: rows.ViewProduct): Promise<Page> {
  const found = only
    ? [only]
    : await rows.findProducts(ctx.db, asked.by === 'tid' ? { tids: asked.names } : { ids: asked.names })
  const byName = new Map<string | Long, rows.ViewProduct>(found.map((row) => [row[asked.by], row]))
  const products = asked.names
    .flatMap((name) => byName.get(name) ?? [])
    .filter(({ nodeId }) => access.may('read', nodeId!))
  return {
    products,
    links: await findLinks(
      ctx,
      needs.targets,
      products.filter(({ linked }) => linked).map(({ id }) => id),
    ),
  }
}

async function* toProducts({ ctx, needs, model, access }: Reading, { products, links }: Page) {
  for (const portion of portions(products)) {
    const parents = portion.filter(({ size }) => size > 0).map(({ id }) => id)
    const members = parents.length === 0 ? [] : await rows.listMembers(ctx.db, parents)
    const memberLinks = await findLinks(
      ctx,
      needs.targets,
      members.map(({ id }) => id),
    )
    const byRoot = Map.groupBy(members, ({ rootId }) => rootId)
    for (const product of portion) {
      const rules = needs.rules(model, product.nodeId!)
      const linksOf = (id: number) => (id === product.id ? links : memberLinks).get(id)
      const options = { rules, rights: access.rights(product.nodeId!), linksOf }
      yield toProduct(model, options, product, byRoot.get(product.id) ?? [])
    }
  }
}

/** Consecutive products with at most `portionSize` members together; a larger product is a portion of its own. */
function* portions(products: readonly rows.ViewProduct[]): Generator<rows.ViewProduct[]> {
  let portion: rows.ViewProduct[] = []
  let members = 0
  for (const product of products) {
    if (portion.length > 0 && members + product.size > portionSize) {
      yield portion
      portion = []
      members = 0
    }
    portion.push(product)
    members += product.size
  }
  if (portion.length > 0) yield portion
}

// query

/** `subtree` selects the nodes and all nodes below them, `node` the nodes alone. */
const strategies = new Map<string, (model: Model, nodeId: number) => number[]>([
  ['subtree', subtreeOf],
  ['node', (_model, nodeId) => [nodeId]],
])

/** The ids of a node and of all nodes below it. */
export function subtreeOf(model: Model, nodeId: number): number[] {
  return [nodeId, ...model.childrenOf(nodeId).flatMap(({ id }) => subtreeOf(model, id))]
}

/** The products of a query that the caller may read, as a subquery of id and tid. */
export async function selectProducts(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  { models }: Pick<ProductNeeds, 'models'>,
  query: Infer<typeof ProductQuery>,
): Promise<Sql> {
  checkPeriod('/productQuery', query)
  const { modifiedFrom: from, modifiedUntil: until, nodePaths, searchStrategy = 'subtree' } = query
  const nodesOf = strategies.get(searchStrategy.toLowerCase())
  if (!nodesOf) {
    const known = [...strategies.keys()].join(' or ')
    throw new Problem('invalid', `/productQuery/searchStrategy: unknown strategy ${searchStrategy}; expected ${known}`)
  }
  const model = await models.load(db)
  const nodeIds = nodePaths?.flatMap((path) => {
    const isVisible = visibleTo(caller, 'product')
    const node = model.node(path) ?? nodeByNames(model, path, isVisible)
    if (!node || !isVisible(node)) throw new Problem('notFound', `no node has the path ${path}`)
    return nodesOf(model, node.id)
  })
  const criteria = { from, until, nodeIds: nodeIds && [...new Set(nodeIds)] }
  return rows.selectProducts(criteria, rows.readable(caller.permissions))
}

export async function queryProducts(
  ctx: Context,
  needs: ProductNeeds,
  query: Infer<typeof ProductQuery>,
): Promise<Infer<typeof ProductRequest> | StreamedTids> {
  const selected = await selectProducts(ctx, needs, query)
  return tidsOf(ctx.paging, (paging) => rows.listTids(ctx.db, selected, paging))
}
