/** Functions of the CM area for other areas. */
export { recordReadiness } from './readiness/history.ts'
export { productScores } from './quality/quality.ts'
export { missingValues } from './readiness/readiness.ts'
