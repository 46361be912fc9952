/** Functions of the CM area for other areas. */
export { recordReadiness } from './readiness/history.ts'
export { missingValues } from './readiness/readiness.ts'
