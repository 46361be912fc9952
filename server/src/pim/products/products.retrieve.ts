/**
 * retrieve and query of products.
 *
 * retrieve streams: page by page of identifiers, in the order asked for, the next page being read while the present one is
 * sent. A page costs one statement for the products, and one for their links when they have any; members are read in portions, so that memory
 * stays flat however many products there are and however large they are.
 */
import type { Infer, Long, ProductQuery, ProductRequest } from '@kontor/contract'
import type { Sql } from '../../adapters/postgres/sql.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import type { Model } from '../model/model.ts'
import { accessOf, type ProductAccess } from './products.access.ts'
import { shownLinks } from './products.links.ts'
import { etagOf, type ProductNeeds } from './products.persist.ts'
import { toProduct } from './products.show.ts'
import * as rows from './products.sql.ts'

/** Few enough that a page is forgotten while it is young: then the collector has nearly nothing to do. */
const pageSize = 100
/** Articles and variations that are read at once. */
const portionSize = 2_000

/** What a whole retrieve reads by. */
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
  const model = await needs.models.load(ctx.db)
  const reading = { ctx, needs, model, access: accessOf(ctx.caller, model) }
  const asked: Names = tids ? { by: 'tid', names: [...new Set(tids)] } : { by: 'id', names: [...new Set(ids)] }
  return { products: stream(reading, asked) }
}

async function* stream(reading: Reading, asked: Names) {
  const { by, names } = asked
  const read = (from: number) => readPage(reading, { by, names: names.slice(from, from + pageSize) } as Names)
  let any = false
  let next = read(0)
  for (let from = pageSize; ; from += pageSize) {
    const page = await next
    const more = from < names.length
    if (more) {
      next = read(from)
      next.catch(() => {}) // is told when its turn comes, if there still is somebody to tell
    }
    if (names.length === 1 && page.products[0]) reading.ctx.tag?.(etagOf(page.products[0]))
    any ||= page.products.length > 0
    yield* show(reading, page)
    if (!more) break
  }
  if (!any) throw new Problem('notFound', `no product has the ${by} ${names.slice(0, 10).join(', ')}`)
}

interface Page {
  readonly products: readonly rows.ShownProduct[]
  readonly links: Awaited<ReturnType<typeof shownLinks>>
}

async function readPage({ ctx, needs, access }: Reading, asked: Names): Promise<Page> {
  const found = await rows.findProducts(ctx.db, asked.by === 'tid' ? { tids: asked.names } : { ids: asked.names })
  const byName = new Map<string | Long, rows.ShownProduct>(found.map((row) => [row[asked.by], row]))
  const products = asked.names
    .flatMap((name) => byName.get(name) ?? [])
    .filter(({ nodeId }) => access.may('read', nodeId!))
  return {
    products,
    links: await shownLinks(
      ctx,
      needs.targets,
      products.filter(({ linked }) => linked).map(({ id }) => id),
    ),
  }
}

async function* show({ ctx, needs, model, access }: Reading, { products, links }: Page) {
  for (const portion of portions(products)) {
    const parents = portion.filter(({ size }) => size > 0).map(({ id }) => id)
    const members = parents.length === 0 ? [] : await rows.listMembers(ctx.db, parents)
    const memberLinks = await shownLinks(
      ctx,
      needs.targets,
      members.map(({ id }) => id),
    )
    const byRoot = Map.groupBy(members, ({ rootId }) => rootId)
    for (const product of portion) {
      const rules = needs.rules(model, product.nodeId!)
      const linksOf = (id: number) => (id === product.id ? links : memberLinks).get(id)
      const shown = { rules, rights: access.rights(product.nodeId!), linksOf }
      yield toProduct(model, shown, product, byRoot.get(product.id) ?? [])
    }
  }
}

/** Neighbours that together have not too many members; one that has more stands alone. */
function* portions(products: readonly rows.ShownProduct[]): Generator<rows.ShownProduct[]> {
  let portion: rows.ShownProduct[] = []
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

/** `subtree` looks into the nodes and everything below them, `node` into the nodes alone. */
const strategies = new Map<string, (model: Model, nodeId: number) => number[]>([
  ['subtree', subtreeOf],
  ['node', (_model, nodeId) => [nodeId]],
])

/** A node and everything below it. */
export function subtreeOf(model: Model, nodeId: number): number[] {
  return [nodeId, ...model.childrenOf(nodeId).flatMap(({ id }) => subtreeOf(model, id))]
}

/** The products that a query means and the caller may read, as a relation of id and tid for a statement of others. */
export async function selectProducts(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  { models }: Pick<ProductNeeds, 'models'>,
  query: Infer<typeof ProductQuery>,
): Promise<Sql> {
  const { modifiedFrom: from, modifiedUntil: until, nodePaths, searchStrategy = 'subtree' } = query
  const nodesOf = strategies.get(searchStrategy.toLowerCase())
  if (!nodesOf) {
    const known = [...strategies.keys()].join(' or ')
    throw new Problem('invalid', `/productQuery/searchStrategy: ${searchStrategy} is not known; expected ${known}`)
  }
  const model = await models.load(db)
  const nodeIds = nodePaths?.flatMap((path) => {
    const node = model.node(path)
    if (!node) throw new Problem('notFound', `no node has the path ${path}`)
    return nodesOf(model, node.id)
  })
  const criteria = { from, until, nodeIds: nodeIds && [...new Set(nodeIds)] }
  return rows.selectProducts(criteria, rows.readable(caller.permissions))
}

export async function queryProducts(
  ctx: Context,
  needs: ProductNeeds,
  query: Infer<typeof ProductQuery>,
): Promise<Infer<typeof ProductRequest>> {
  const found = await rows.listTids(ctx.db, await selectProducts(ctx, needs, query))
  return { tids: found.map(({ tid }) => tid) }
}
