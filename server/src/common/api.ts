/** What other areas may use of the Common area. */
export { keywordTarget } from './keywords/keywords.ts'
export { type End, linkKinds, type Name as EndName, nameKey, namesOf as endsNamed } from './links/kinds.ts'
export { addLinks, linkedObjects, links, unlink, type Wanted as WantedLink } from './links/links.ts'
export { linksOf } from './links/links.sql.ts'
export type { Target, TargetRow, Targets } from './links/targets.ts'
export { checkLocale } from './locales/locales.ts'
export { findLocales } from './locales/locales.sql.ts'
export { type ItemValue, mergeMeta, metaText, stampKeys, stampsOf, type Stamps, toId, toMeta } from './meta.ts'
