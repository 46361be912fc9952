/** Functions of the CM area for other areas. */
export { missingValues } from './readiness/readiness.ts'
