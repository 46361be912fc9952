/** Collections of assets. */
export { collectionRoutes } from './collections.ts'
export { describeCollections } from './collections.sql.ts'
