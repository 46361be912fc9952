/** The part of the PIM area that other areas may use: products, and how complete they are. */
export {
  completenessOf,
  type Demand,
  demandOf,
  demandsOf,
  judge,
  type Judgement,
  lackingIn,
  percentOf,
} from './products/products.completeness.ts'
export { holdModel } from './model/model.sql.ts'
export { describeDefinitions } from './model/uses.sql.ts'
export type { ProductView, ProductViews } from './products/products.values.ts'
