/** Functions of the CM area that other areas may call. */
export { missingValues } from './readiness/readiness.ts'
