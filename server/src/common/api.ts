/** Functions of the Common area that other areas may call. */
export { keywordTarget } from './keywords/keywords.ts'
export { linkKinds, type Name as EndName } from './links/link-kinds.ts'
export {
  type Ends,
  type LinksMessage,
  lockOthers,
  readLinks,
  type SentLink,
  embeddedLinks,
} from './links/embedded-links.ts'
export { addLinks, linkedObjects, links, toUnlinked, unlink, type ResolvedLink } from './links/links.ts'
export { fixPlaces, isLinked, linksOf, relationType, type RelationTypeRow } from './links/links.sql.ts'
export { relationKind } from './links/relation-rules.ts'
export { readableOthers } from './links/others.ts'
export { mayAct, type Target, type TargetRow, type Targets } from './links/targets.ts'
export { glossaryTarget } from './glossaries/glossaries.ts'
export { insertMessages, type NewMessage } from './messages/messages.sql.ts'
export { checkLocale } from './locales/locales.ts'
export { findLocales, findSource, sourceLocale } from './locales/locales.sql.ts'
export { notify, type Notice } from './messages/notify.ts'
export { type ItemValue, mergeMeta, metaText, stampKeys, stampsOf, type Stamps, toId, toMeta } from './meta.ts'
export { type AreaUses, createUsage, deletionBlockersBy, type NamedUse, type Usage, usesOf } from './uses/uses.ts'
export { holdUnitList } from './units/families.ts'
