/** What other areas may use of the Common area. */
export {
  addLinks,
  type End,
  linkedObjects,
  linkKinds,
  links,
  type Name as EndName,
  nameKey,
  namesOf as endsNamed,
  unlink,
  type Wanted as WantedLink,
} from './links/links.ts'
export { linksOf } from './links/links.sql.ts'
export type { Target, TargetRow, Targets } from './links/targets.ts'
export { checkLocale } from './locales/locales.ts'
export { findLocales } from './locales/locales.sql.ts'
export { mergeMeta, metaText, toMeta } from './meta.ts'
