/** The handlers and routes of products, and products as ends of links. */
import type { Infer, ProductQuery } from '@kontor/contract'
import type { Targets } from '../../common/api.ts'
import type { Config } from '../../config.ts'
import type { Context } from '../../core/context.ts'
import { combinations } from '../variation-axes/combinations.ts'
import { confirmTexts, staleTexts } from '../translations/places.ts'
import { translations } from '../translations/translations.ts'
import { variationAxes } from '../variation-axes/variation-axes.ts'
import { dataItems } from '../data-items/data-items.ts'
import type { Models } from '../model/model.ts'
import { productsWith } from './products.affected.sql.ts'
import { affectedProducts } from './products.affected.ts'
import { matchProducts, nearestProducts } from './products.match.ts'
import { productPages } from './products.page.ts'
import { createRules } from './products.rules.ts'
import { productDocuments } from './products.documents.ts'
import { lockProducts } from './products.sql.ts'
import { selectProducts } from './products.retrieve.ts'
import { productLinks, products } from './products.ts'
import { usedValues } from './products.used.ts'
import { productViews } from './products.values.ts'

interface ProductModuleNeeds {
  readonly models: Models
  readonly targets: Targets
  readonly config: Pick<Config, 'nodeAttributes'>
}

export function productHandlers({ models, targets, config }: ProductModuleNeeds) {
  const needs = { models, targets, rules: createRules(config.nodeAttributes) }
  return {
    resources: { products: products(needs), 'products/links': productLinks(targets) },
    routes: {
      ...dataItems(needs),
      ...productPages(needs),
      ...combinations(needs),
      ...variationAxes(needs),
      ...translations(needs),
    },
    views: productViews(needs),
    select: (ctx: Pick<Context, 'db' | 'caller'>, query: Infer<typeof ProductQuery>) =>
      selectProducts(ctx, needs, query),
    lock: ({ db }: Pick<Context, 'db'>, tids: readonly string[]) => lockProducts(db, tids),
    stale: staleTexts,
    confirm: confirmTexts(needs),
    affected: affectedProducts,
    used: usedValues(needs),
    containing: productsWith,
    match: matchProducts,
    nearest: nearestProducts,
    documents: productDocuments(needs),
  }
}
