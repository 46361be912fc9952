/** The PIM area: which handlers answer which part of the contract. */
import { pim as contract } from '@kontor/contract'
import type { JobTable, TimeTable } from '../adapters/jobs/jobs.ts'
import type { Db } from '../adapters/postgres/db.ts'
import type { Target, Targets } from '../common/api.ts'
import type { Config } from '../config.ts'
import type { Context } from '../core/context.ts'
import type { ResourceHandlers } from '../core/batch/handlers.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { attributeDefinitions, listAttributeDefinitions } from './attribute-definitions/attribute-definitions.ts'
import { attributeUsage } from './attribute-definitions/attribute-definitions.usage.ts'
import { attributeGroups } from './attribute-groups/attribute-groups.ts'
import { attributes, listNodeAttributes, putDomainValue } from './attributes/attributes.ts'
import { classificationTree } from './classification-tree/classification-tree.ts'
import { classes, listClasses } from './classes/classes.ts'
import { createModels } from './model/model.ts'
import { categoryByNames } from './nodes/nodes.names.ts'
import { nodes } from './nodes/nodes.ts'
import { visibleTo } from './nodes/nodes.visible.ts'
import { productHandlers } from './products/module.ts'
import { mergeCounts } from './products/products.page.sql.ts'
import { productTarget } from './products/products.ts'
import { relations } from './relations/relations.ts'

interface PimNeeds {
  /** The objects that products can be linked to. */
  readonly targets: Targets
  readonly config: Pick<Config, 'nodeAttributes'>
}

export { modelUses as pimUses } from './model/uses.sql.ts'

const countJob = 'pim.count'
export const pimTimes: TimeTable = { [countJob]: '* * * * *' }
export const pimJobs = (db: Db): JobTable => ({ [countJob]: async () => void (await mergeCounts(db)) })

/** The objects of this area that links can point at. */
export const pimTargets: readonly [string, Target][] = [['product', productTarget]]

export function pim({ targets, config }: PimNeeds) {
  const models = createModels()
  const products = productHandlers({ models, targets, config })
  const resources: ResourceHandlers<typeof contract.resources> = {
    'attribute-definitions': attributeDefinitions(models),
    'attribute-groups': attributeGroups(models),
    classes: classes(models),
    nodes: nodes(models),
    attributes: attributes(models),
    ...products.resources,
  }
  const routes: RouteHandlers<typeof contract.routes> = {
    listAttributeDefinitions: listAttributeDefinitions(models),
    listClasses: listClasses(models),
    listNodeAttributes: listNodeAttributes(models),
    addDomainValue: putDomainValue(models),
    classificationTree: classificationTree(models),
    attributeUsage: attributeUsage(models),
    ...relations(models),
    ...products.routes,
  }
  return {
    contract,
    resources,
    routes,
    productViews: products.views,
    selectProducts: products.select,
    lockProducts: products.lock,
    affectedProducts: products.affected,
    staleTexts: products.stale,
    confirmTexts: products.confirm,
    usedValues: products.used,
    productsWith: products.containing,
    matchProducts: products.match,
    nearestProducts: products.nearest,
    /** Finds categories as tables name them; see categoryByNames. */
    async findCategory({ db, caller }: Pick<Context, 'db' | 'caller'>) {
      const model = await models.load(db)
      const isVisible = visibleTo(caller, 'product')
      return (text: string) => categoryByNames(model, text, isVisible)?.path
    },
    productsReferred: products.documents.referred,
    documents: [products.documents],
  }
}
