/** The PIM area: the data model, and the products. */
import { area } from '../endpoint.ts'
import { modelResources, modelRoutes } from './pim-model.ts'
import { productResources, productRoutes } from './pim-products.ts'

export const pim = area({
  base: '/api/core/v1/pim',
  doc: 'Products, articles, variations, classifications, nodes, attributes and attribute definitions.',
  resources: { ...modelResources, ...productResources },
  routes: { ...modelRoutes, ...productRoutes },
})
