/**
 * retrieve and query of products.
 *
 * retrieve streams: page by page of identifiers, in the order asked for, the next page being read while the present one is
 * sent. A page costs one statement for the products, one for their links, and one or more for their members, which are
 * read in portions, so that memory stays flat however large the products are.
 */
import type { Infer, Long, ProductQuery, ProductRequest } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import type { Model } from '../model/model.ts'
import { shownLinks } from './products.links.ts'
import { etagOf, type ProductNeeds } from './products.persist.ts'
import { toProduct } from './products.show.ts'
import * as rows from './products.sql.ts'

const pageSize = 100
/** Articles and variations that are read at once. */
const portionSize = 2_000

export async function retrieveProducts(ctx: Context, needs: ProductNeeds, { tids, ids }: Infer<typeof ProductRequest>) {
  const by = tids ?? ids
  if (!by) throw new Problem('invalid', '/productRequest: tids or ids is missing; name at least one product')
  const model = await needs.models.load(ctx.db)
  return { products: stream(ctx, needs, model, tids ? 'tid' : 'id', [...new Set<string | Long>(by)]) }
}

async function* stream(
  ctx: Context,
  needs: ProductNeeds,
  model: Model,
  by: 'tid' | 'id',
  names: readonly (string | Long)[],
) {
  let any = false
  const read = (from: number) => readPage(ctx.db, needs, by, names.slice(from, from + pageSize))
  let next = read(0)
  for (let from = pageSize; ; from += pageSize) {
    const page = await next
    const more = from < names.length
    if (more) {
      next = read(from)
      next.catch(() => {}) // is told when its turn comes; nobody may wait for it any more
    }
    for (const product of page.products) {
      if (names.length === 1) ctx.tag?.(etagOf(product))
      any = true
    }
    yield* show(ctx.db, needs, model, page)
    if (!more) break
  }
  if (!any) throw new Problem('notFound', `no product has the ${by} ${names.slice(0, 10).join(', ')}`)
}

interface Page {
  readonly products: readonly rows.ShownProduct[]
  readonly links: Awaited<ReturnType<typeof shownLinks>>
}

async function readPage(
  db: Db,
  { targets }: ProductNeeds,
  by: 'tid' | 'id',
  names: readonly (string | Long)[],
): Promise<Page> {
  const found = await rows.findProducts(db, by === 'tid' ? { tids: names as string[] } : { ids: names as Long[] })
  const byName = new Map<string | Long, rows.ShownProduct>(found.map((row) => [row[by], row]))
  const products = names.flatMap((name) => byName.get(name) ?? [])
  return {
    products,
    links: await shownLinks(
      db,
      targets,
      products.map(({ id }) => id),
    ),
  }
}

async function* show(db: Db, needs: ProductNeeds, model: Model, { products, links }: Page) {
  for (const portion of portions(products)) {
    const parents = portion.filter(({ size }) => size > 0).map(({ id }) => id)
    const members = parents.length === 0 ? [] : await rows.listMembers(db, parents)
    const memberLinks = await shownLinks(
      db,
      needs.targets,
      members.map(({ id }) => id),
    )
    const byRoot = Map.groupBy(members, ({ rootId }) => rootId)
    for (const product of portion) {
      const rules = needs.rules(model, product.nodeId!)
      const linksOf = (id: number) => (id === product.id ? links : memberLinks).get(id)
      yield toProduct(model, { rules, linksOf }, product, byRoot.get(product.id) ?? [])
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

/** `subtree` looks into the nodes and everything below them, `node` into the nodes alone. */
const strategies = new Map<string, (model: Model, nodeId: number) => number[]>([
  ['subtree', subtreeOf],
  ['node', (_model, nodeId) => [nodeId]],
])

function subtreeOf(model: Model, nodeId: number): number[] {
  return [nodeId, ...model.childrenOf(nodeId).flatMap(({ id }) => subtreeOf(model, id))]
}

export async function queryProducts({ db }: Context, { models }: ProductNeeds, query: Infer<typeof ProductQuery>) {
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
  const found = await rows.queryProducts(db, { from, until, nodeIds: nodeIds && [...new Set(nodeIds)] })
  return { tids: found.map(({ tid }) => tid) }
}
