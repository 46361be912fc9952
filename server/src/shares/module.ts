/** Share pages and upload requests: managed by users, visited by people without an account (../share). */
export type { ShareNeeds } from './needs.ts'
export { describeShares, sweepShares } from './shares.sql.ts'
export { shareRoutes } from './shares.ts'
