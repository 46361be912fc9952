/** What other areas may use of the PIM area: products, and how complete they are. */
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
export type { ProductView, ProductViews } from './products/products.values.ts'
