/** Compares the descriptions with the tables of the interface: every container and field with its name and scalar. */
import { describe, expect, test } from 'vitest'
import { streamedField } from '../codec/codec.ts'
import * as entry from '../index.ts'
import type { Field, Type } from './describe.ts'
import { ErrorResponse, Pim } from './envelope.ts'
import { requestTypes, types, typesWithin } from './types.ts'

const typeNamed = (name: string): Type => {
  const found = types.find((type) => type.name === name)
  if (!found) throw new Error(`no type is named ${name}`)
  return found
}
const messageTypes = typesWithin([Pim, ErrorResponse])
const fieldsOf = (all: readonly Type[]): [path: string, field: Field][] =>
  all.flatMap((type) =>
    Object.entries(type.fields).map(([name, field]): [string, Field] => [`${type.name}.${name}`, field]),
  )
const pathsOf = (all: readonly Type[], holds: (field: Field) => boolean) =>
  fieldsOf(all)
    .filter(([, field]) => holds(field))
    .map(([path]) => path)

const envelope =
  'schemaVersion meta locales links tagDefs rncs versions variations variationTypes assets dirs kwds glossaries ' +
  'glossaryEntries attrDefs assetDefs productPreviewRefs classes products projectDefs projects templates peos ' +
  'deletions responses actions nodes attrs params'

const containers =
  'products/product articles/article variants/variant vals/val assets/asset dirs/dir kwds/kwd classes/clazz nodes/node ' +
  'attrs/attr attrDefs/attrDef assetDefs/assetDef projectDefs/projectDef peos/peo locales/locale glossaries/glossary ' +
  'glossaryEntries/glossaryEntry variations/variation variationTypes/variationType versions/version ' +
  'deletions/deletion actions/action responses/response tagDefs/tagDef rncs/rnc templates/template projects/project ' +
  'histories/history previews/preview'

/** Fields by type, as the interface lists them. `:long` is the scalar, `[]` a list, `!` required, no scalar: not checked. */
// prettier-ignore
const tables: Record<string, string> = {
  // Building blocks and values
  itm: 'value:string pos:long key:string loc:string order:string mode:string',
  itms: 'itm[] itms[] id:long tid:string loc:string type:string attr:string mode:string',
  meta: 'itm[]', name: 'itm[]', tooltip: 'itm[]', productPreviewRefs: 'itm[]', details: 'itm[]',
  abbr: 'itm[] tid:string', defaultVal: 'itm[] tid:string',
  links: 'itm[] itms[]', config: 'itms[]', i18N: 'itm[] loc:string mode:string',
  option: 'key:string value:string', param: 'key:string value:string', params: 'param[] params[] key:string',
  val: 'attr type origin inheritance parent node dataType mode itm[] i18N[] tags',
  // PIM
  product: 'name:string node:string clazz:string links meta vals articles tid:string',
  article: 'name:string meta links vals variants tid:string',
  variant: 'name:string meta links vals tid:string',
  products: 'meta product[]',
  attrDef: 'meta name abbr tooltip defaultVal multiValued validation domainVals domainRange tags references ' +
    'noValidateAsRichText:string id:long tid:string! type:string! localized:flag required domain:string',
  multiValued: 'value:flag cardinality:integer',
  validation: 'type:string minLength:integer maxLength:integer',
  domainVals: 'domainVal[] allowNewValue:flag sortDirection:string sortLanguageId:long mode:string',
  domainVal: 'itm[] tid:string!',
  domainRange: 'from:string to:string intOnly:flag',
  attrDefs: 'attrDef[] type:string',
  attr: 'defaultVal domainVals domainRange key:string level:string inheritance:string restriction localized:flag ' +
    'cardinality:integer option id:long nodeId:long nodePath:string',
  clazz: 'name node tid:string id:long', classes: 'clazz[] mode:string',
  node: 'name attr[] node[] tid:string id:long parentId:long path:string parentPath:string classificationTid:string mode:string',
  tagDef: 'name meta tid:string',
  // DAM
  asset: 'name:string meta vals keywords links histories previews tid:string id:long type:string parent:string rnc:string path:string',
  dir: 'name:string meta vals tid:string rnc:string parent:string',
  version: 'name:string meta tid:string assetTid:string assetId:long',
  variation: 'meta assetId:long assetTid:string parentTid:string',
  variationType: 'tid:string', history: 'meta id:long', preview: 'meta tid:string type:string',
  assetDef: 'attrDefs config tid:string type:string', rnc: 'name:string meta tid:string',
  // Channels, PEOs, Common, envelope
  project: 'name:string meta vals links peos peoHierarchy id:long tid:string parentId:long parentTid:string type:string orderSequence:long',
  projectDef: 'attrDefs config tid:string', projectDefs: 'projectDef[] mode:string',
  peo: 'default:string meta name:string links vals tid:string product:string template:string templateId:long templateTid:string ' +
    'productId:long productTid:string nodes',
  template: 'name:string meta tid:string id:long',
  glossary: 'name:string meta vals id:long tid:string',
  glossaryEntry: 'meta vals tid:string links id:long parentId:long parentTid:string type loc:string',
  kwd: 'name meta links id:long parentId:long path:string parentPath:string',
  locale: 'meta config id:long tid:string language:string country:string name:string', locales: 'locale[] mode:string',
  deletion: 'dataType:string tid:string option[]',
  action: 'meta dataType:string! type:string! tid:string id:long path:string',
  responseRecord: 'action:string dataType:string id:long path:string tid:string status description:string details',
  response: 'status details issues[]', issues: 'itm[] itms[]',
  // Requests
  assetQuery: 'modifiedFrom:date modifiedUntil:date fileTypes:string[] fileNames:string[] directory',
  directoryIdentifier: 'path:string tid:string id:long',
  assetRequest: 'tids:string[] ids:long[] formats:string[] retrieveHistory:boolean retrievePreviews:boolean retrieveMeta:boolean',
  assetUploadRequest: 'path:string tid:string doPreviewsAsync:boolean doOverwrite:boolean',
  assetVariationUploadRequest: 'tid:string variationType:string variationFileName:string',
  assetVersionUploadRequest: 'versionComment:string id:long tid:string timeoutDate:date protectedAfterDate:date protectedBeforeDate:date',
  attributeDefinitionsRequest: 'tids:string[] ids:long[] all:boolean',
  directoryRequest: 'rncTid:string dirTid:string dirPath:string level:integer',
  historyRequest: 'ids:long[] tids:string[] paths:string[]',
  variationRequest: 'assetIds:long[] assetTids:string[] assetPaths:string[]',
  productRequest: 'ids:long[] tids:string[]',
  productQuery: 'modifiedFrom:date modifiedUntil:date nodePaths:string[] searchStrategy:string',
  attributeDefinitionsQueryRequest: 'types:string[]',
  attributesQueryRequest: 'productId:long productTid:string nodeId:long nodePath:string includeParentAttributes:boolean',
  attributesRetrieveRequest: 'ids:long[] productIds:long[] productTids:string[] nodeIds:long[] nodePaths:string[] ' +
    'includeParentAttributes:boolean withDomainValues:boolean withDefaultValues:boolean',
  attributesRequest: 'ids:long[]',
  classificationRequest: 'tids:string[] ids:long[] withNodes:boolean flatNodes:boolean',
  nodesRequest: 'path:string level:integer classificationId:long classificationTid:string ids:long[]',
  nodesQueryRequest: 'productTid:string productId:long attributeDefinitionTid:string attributeDefinitionId:long attributeId:long',
  dataItemGetByIdsRequest: 'identities:string[]',
  channelRequest: 'tids:string[] ids:long[] includePeoHierarchy:boolean retrieveLinkedAssets:boolean retrieveLinkedAssetsBehavior',
  channelQuery: 'tid:string id:long withChildren:boolean level:integer root:boolean',
  channelBriefingRequest: 'tids:string[] ids:long[] briefingInfo', briefingInfo: 'locale:string briefingModuleCfgTid:string',
  peoRequest: 'tids:string[] ids:long[] namesOnly:boolean withMetadata:boolean',
  peoQuery: 'modifiedFrom:string modifiedUntil:string names:string[] tidProject:string tidProduct:string withChildren:boolean considerLinkRelation:boolean',
  glossaryRequest: 'names:string[] ids:long[] retrieveEntries:boolean sourceLocales:string[] targetLocales:string[]',
  keywordRequest: 'path:string level:integer retrieveLinks:boolean',
  localeRequest: 'mode! ids:long[] tids:string[] exportConfig:boolean',
  // JSON: data items
  attributeDefinition: 'tID type domain meta name abbreviation tooltip defaultValue multiValued validation domainValues domainRange tags[] references:string[]',
  multiValuedSetting: 'value:boolean cardinality:integer', domainRangeSetting: 'from to intOnly:boolean',
  domainValues: 'allowNewValue:boolean sortDirection sortLanguageId:long domainValues[]',
  attribute: 'id:long key level inheritance restriction localized:boolean cardinality:integer option defaultValue domainValue domainRange definition',
  attributeValue: 'items[] i18N[] tags[] key type origin inheritance:boolean parent node dataType accessRights',
  localizedItems: 'items[] locale', accessRights: 'visible editable',
  dataItem: 'tID name informationType node class meta values[] children[]',
  dataItemsResponse: 'meta results[] states[]', dataItemsMeta: 'numberFormatLocale numberFormatPattern datePattern',
  dataItemState: 'status dataType tid issues[]', issue: 'code description content',
  dataItemPatchResponse: 'results[]', dataItemPatchResult: 'status description dataType tID action',
  // JSON: messages and workflow
  message: 'tid:string id:long creationDate:date subject:string! body:string! severity recipientUser:string recipientRole:string ' +
    'senderUser:string senderApplication:string senderPlugin:string isRead:boolean parameters',
  messagesPersistRequest: 'messages[]',
  bulkStartRequest: 'configIdentifier:string! processStartRequests[]!', processStartRequest: 'linkedObjects[] parameters[]',
  linkedObject: 'tid:string id:long type:string', workflowParameter: 'key:string type:string values:string[]',
  // JSON: search
  search: 'context query maxResults:integer pageIndex:integer pageSize:integer sortOptions[] aggregationEnabled:boolean ' +
    'aggregateEmptyValueEnabled:boolean aggregationMaxResults:integer resultAttributes:string[] storedFields:string[] ' +
    'aggregationAttributes:string[] join language:string customProperty:string',
  searchContext: 'searchType configId:long configIdentifier:string labelLocalization:string index',
  query: 'queryType! customProperty value name:string comparator keyword:boolean language:string queries[] operator text:string count:integer slop:integer',
  sortOption: 'attribute! direction language', join: 'joinOn:string! search!',
  searchResult: 'apiVersion processingTimeMillis:long resultCount:integer totalHitCount:long exactHitCount:boolean items[] facets[] suggest',
  searchItem: 'id:long attributes[] highlights[]', searchAttribute: 'name label type value', highlight: 'name value:string[] pages:integer[]',
  facetGroup: 'name facets[]', facet: 'facetType attribute label type value count:integer from to children[]',
  fieldCfg: 'fieldName label fieldType aggregatable:boolean sortable:boolean multilingual:boolean attrIdentifier nestedFields[] allowedOperators:string[]',
  fieldInfoRequest: 'index showAllowedOperators:boolean fields:string[]',
  historyAdd: 'text! user context', historyAddResult: 'apiVersion processingTimeMillis:long added', historyEntry: 'id:long text user context',
  historyDelete: 'user context', historyDeleteResult: 'apiVersion processingTimeMillis:long deleted', historyDeletion: 'user context count:long',
  historyQuery: 'text user context count:integer', historyQueryResult: 'apiVersion processingTimeMillis:long histories:string[]',
  indexCommand: 'index! command!',
  indexResult: 'apiVersion processingTimeMillis:long index event documentsProcessed:long totalDocuments:long command:string',
  indexItem: 'index:string outdated:boolean createdAt:string',
  indexStateItem: 'index mappingState indexingState', mappingState: 'outdated:boolean createdAt:string',
  indexingState: 'state documentsProcessed:long totalDocuments:long',
  documentUpdate: 'index! documents[]!', documentChange: 'id:long guid:string event!',
  documentWait: 'index! modifiedAt:long maxWait:long documents:long[]!',
  storedSearchInsert: 'name:string! searchObject!', storedSearch: 'name:string searchObject',
  storedSearchEntry: 'id:long index:string name:string pluginConfigurationId:long pluginIdentifier:string',
  storedSearchListResult: 'apiVersion processingTimeMillis:long storedSearchEntries[]',
  storedSearchOperationResult: 'apiVersion processingTimeMillis:long id:long name:string',
  suggest: 'index text! count:integer', suggestResult: 'apiVersion processingTimeMillis:long suggestions:string[]',
  typeAhead: 'index name text! count:integer slop:integer', advancedSuggestion: 'text from',
  typeAheadResult: 'apiVersion processingTimeMillis:long suggestions:string[] advSuggestions[] corrections:string[]',
  searchVersion: 'apiVersion processingTimeMillis majorVersion:string minorVersion:string patchVersion:string qualifier:string buildDate:string',
}

/** A field in the notation of the tables, with only the details that the table contains. */
function noted(name: string, field: Field | undefined, like: string): string {
  if (!field) return `no field ${name}`
  const scalar = like.includes(':') ? `:${String(field.scalar)}` : ''
  const list = field.kind === 'children' || (field.kind === 'leaves' && scalar) ? '[]' : ''
  return `${name}${scalar}${list}${field.required ? '!' : ''}`
}

describe('the tables of the interface', () => {
  test('the envelope has the fields of its table, in that order', () => {
    expect(Object.keys(Pim.fields).join(' ')).toBe(`${envelope} attrGroups`)
    expect(pathsOf([Pim], (field) => field.required === true)).toEqual(['pim.schemaVersion'])
  })

  test.each(containers.split(' ').map((path) => path.split('/') as [string, string]))(
    '%s holds %s',
    (container, element) => {
      expect(typeNamed(container).fields[element]?.kind).toBe('children')
    },
  )

  test.each(Object.entries(tables))('%s has every field of its table', (name, table) => {
    const { fields } = typeNamed(name)
    const rows = table.split(' ')
    expect(rows.map((row) => noted(row.replace(/[:[!].*/, ''), fields[row.replace(/[:[!].*/, '')], row))).toEqual(rows)
  })
})

describe('the descriptions', () => {
  test('every type has a unique name', () => {
    const names = types.map((type) => type.name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  test('every type that a type contains is in the list of types', () => {
    expect(typesWithin(types).filter((type) => !types.includes(type))).toEqual([])
  })

  test('the package exports every type', () => {
    const exported = new Set<unknown>(Object.values(entry))
    expect(types.filter((type) => !exported.has(type)).map((type) => type.name)).toEqual([])
  })

  test('a field has the name of the type it holds, unless the type defines another', () => {
    const renamed = messageTypes.flatMap((type) =>
      Object.entries(type.fields)
        .filter(([name, field]) => field.type && field.type().name !== name)
        .map(([name, field]) => `${type.name}.${name} -> ${field.type!().name}`),
    )
    expect(renamed).toEqual([
      'attrDef.group -> attrGroupPlace',
      'format.unit -> formatUnit',
      'peo.nodes -> peoNodes',
      'peoNodes.node -> peoNode',
      'responses.response -> responseRecord',
    ])
  })

  test('types that can be sent as XML have only fields that XML can represent', () => {
    const xmlTypes = typesWithin([...messageTypes, ...requestTypes])
    expect(pathsOf(xmlTypes, ({ kind, scalar }) => ['map', 'anything'].includes(kind) || scalar === 'number')).toEqual(
      [],
    )
    const mixed = xmlTypes.filter(({ fields }) => {
      const kinds = Object.values(fields).map((field) => field.kind)
      return kinds.includes('text') && kinds.some((kind) => kind !== 'text' && kind !== 'attr')
    })
    expect(mixed).toEqual([])
  })

  test('requests have no attributes, only elements', () => {
    expect(pathsOf(typesWithin(requestTypes), ({ kind }) => kind === 'attr' || kind === 'text')).toEqual([])
  })

  test('a container of the envelope has at most one list that is streamed', () => {
    const lists = Object.values(Pim.fields)
      .filter((field) => field.kind === 'child')
      .map((field) => field.type!())
      .map(({ name, fields }) => [
        name,
        Object.values(fields).filter(
          (field) => field.kind === 'children' && !['itm', 'param'].includes(field.type!().name),
        ).length,
      ])
    expect(lists.filter(([, count]) => Number(count) > 1)).toEqual([])
    expect(streamedField(typeNamed('products'))?.[0]).toBe('product')
  })

  test('no two fields of a type share a name or alias', () => {
    const clashes = types.filter(({ fields }) => {
      const names = Object.entries(fields).flatMap(([name, field]) => [
        ...new Set([name, field.xml ?? name, ...(field.aliases ?? [])]),
      ])
      return new Set(names).size < names.length
    })
    expect(clashes).toEqual([])
  })

  test('aliases that clients use are accepted', () => {
    const renamed = fieldsOf(types).filter(([, field]) => field.aliases || field.xml)
    expect(renamed.map(([path, { xml, aliases }]) => [path, xml, aliases])).toEqual([
      ['val.i18N', 'i18n', ['i18n']],
      ['classes.clazz', undefined, ['class']],
      ['glossaryRequest.retrieveEntries', undefined, ['retrieveLinks']],
    ])
  })

  test('the fields that the interface deprecates are deprecated', () => {
    expect(pathsOf(types, (field) => field.deprecated === true)).toEqual([
      'asset.keywords',
      'channelQuery.withChildren',
    ])
  })

  test('every description is one sentence or more, on one line', () => {
    const texts = [...types.map((type) => type.doc), ...fieldsOf(types).flatMap(([, field]) => field.doc ?? [])]
    expect(texts.filter((text) => !/^[^\n]+[.…]$/.test(text))).toEqual([])
  })
})
