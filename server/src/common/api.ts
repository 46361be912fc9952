/** What other areas may use of the Common area. */
export { linkedObjects } from './links/links.ts'
export type { Target, TargetRow, Targets } from './links/targets.ts'
export { checkLocale } from './locales/locales.ts'
export { mergeMeta, metaText, toMeta } from './meta.ts'
