/** Functions of collections that other areas may call. */
export { assetsOf, type CollectionNeeds, demandCollection } from './collections.ts'
