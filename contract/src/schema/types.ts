/**
 * All described types, for everything that is derived from them: the XSD, the OpenAPI document, the tests.
 * A type is listed because its file exports it; there is no separate registration.
 */
import * as blocks from './blocks.ts'
import * as change from './change.ts'
import * as cmOwn from './cm-own.ts'
import * as cm from './cm.ts'
import * as commonOwn from './common-own.ts'
import * as common from './common.ts'
import * as dam from './dam.ts'
import * as dataItem from './data-item.ts'
import type { Type } from './describe.ts'
import * as envelope from './envelope.ts'
import * as events from './events.ts'
import * as feed from './feed.ts'
import * as identity from './identity.ts'
import * as peo from './peo.ts'
import * as pimOwn from './pim-own.ts'
import * as pim from './pim.ts'
import * as presence from './presence.ts'
import * as relations from './relations.ts'
import * as renditions from './renditions.ts'
import * as requests from './requests.ts'
import * as collection from './collection.ts'
import * as care from './care.ts'
import * as rule from './rule.ts'
import * as system from './system.ts'
import * as searchAdmin from './search-admin.ts'
import * as search from './search.ts'
import * as transfer from './transfer.ts'
import * as translations from './translations.ts'
import * as variations from './variations.ts'
import * as workflowOwn from './workflow-own.ts'
import * as workflow from './workflow.ts'

const isType = (value: unknown): value is Type => typeof value === 'object' && value !== null && 'fields' in value

export const types: readonly Type[] = [
  envelope,
  blocks,
  pim,
  pimOwn,
  relations,
  variations,
  translations,
  dam,
  renditions,
  cm,
  cmOwn,
  peo,
  common,
  commonOwn,
  identity,
  events,
  requests,
  presence,
  system,
  transfer,
  change,
  feed,
  collection,
  care,
  rule,
  dataItem,
  workflow,
  workflowOwn,
  search,
  searchAdmin,
].flatMap((file) => Object.values(file).filter(isType))

/** The requests that can be sent as XML. The name of the type is the root element. */
export const requestTypes: readonly Type[] = [
  pim.ProductRequest,
  pim.ProductQuery,
  pim.AttributeDefinitionsRequest,
  pim.AttrGroupRequest,
  pim.AttributeDefinitionsQueryRequest,
  pim.AttributesQueryRequest,
  pim.AttributesRetrieveRequest,
  pim.AttributesRequest,
  pim.ClassificationRequest,
  pim.NodesRequest,
  pim.NodesQueryRequest,
  dam.AssetQuery,
  dam.AssetRequest,
  dam.AssetUploadRequest,
  dam.AssetVariationUploadRequest,
  dam.AssetVersionUploadRequest,
  dam.DirectoryRequest,
  dam.DuplicateRequest,
  dam.SimilarRequest,
  dam.HistoryRequest,
  dam.TrashRequest,
  dam.VariationRequest,
  cm.ChannelRequest,
  cm.ChannelQuery,
  cm.ChannelBriefingRequest,
  peo.PeoRequest,
  peo.PeoQuery,
  common.GlossaryRequest,
  common.KeywordRequest,
  common.LocaleRequest,
  collection.Collection,
  collection.CollectionChange,
  collection.Share,
  collection.ReceivedDecision,
]

/** All types that messages with these roots can contain, including the roots, without duplicates. */
export function typesWithin(roots: readonly Type[]): Type[] {
  const found = new Set<Type>()
  const visit = (type: Type) => {
    if (found.has(type)) return
    found.add(type)
    for (const field of Object.values(type.fields)) if (field.type) visit(field.type())
  }
  roots.forEach(visit)
  return [...found]
}
