/** Findings of Schemathesis that are not faults. Each reason is also in docs/gaps.md. */
import type { Finding } from './run.ts'

type Row = readonly [operation: RegExp, message: RegExp, why: string]

const any = /./

/** By check: the operations, the words of the refusal or of the tool, and the reason. */
// prettier-ignore
const rows: Readonly<Record<string, readonly Row[]>> = {
  // A request that fits its schema is refused.
  positive_data_acceptance: [
    [any, /cannot be part of a message|is not allowed in XML|contains a (control character|line break)/, 'characters that no message can contain'],
    [any, /is not a date such as/, 'times in zones that do not exist'],
    [/\/(query|retrieve)$/, /^Kontor-View-As: /, '`Kontor-View-As` names a user who does not exist'],
    [/\/persist$/, /^If-Match: is taken only with exactly one object/, '`If-Match` with several objects'],
    [/\/(dam\/assets|dam\/attribute-definitions|cm\/channels|pim\/nodes|pim\/products|pim\/attribute-definitions|pim\/attributes|peo\/peos)\//, /: names (nothing|no \w+|\w+ and \w+)|must say which|tids or ids is missing/, 'the choice of identifiers where a query replies with the type of a request'],
    [/\/channels\/briefings\/persist$/, /\/attribute: the identifier is missing/, 'identifiers of measurements in briefings'],
    [/\/channels\/briefings\/(retrieve|list)$/, /names (\d+|several) channels/, 'a briefing of one channel'],
    [/\/channels\/quality\/persist$/, /^\/channelQualityChange\/checks\[\d+\]/, 'fields of a check depend on the check'],
    [/\/cm\/quality\/retrieve$/, /names \d+ products; at most/, 'products of one request about quality'],
    [/\/channels\/requirements\/persist$/, /\/pictures: the role .* is named twice/, 'roles of required pictures'],
    [/\/(translations\/suggestions|products\/translations\/confirm)$/, /unknown locale|give either texts or the tid|has no (article|variation) with the tid/, 'locales and texts of translations'],
    [/\/data-items\/get-by-ids$/, /\/groups: no group of attributes has the tid/, 'groups of attributes in a request'],
    [/\/channels\/requirements\/persist$/, /\/attributes: no attribute has the tid|\/locales: .* is not a content locale/, 'attributes and locales of requirements'],
    [/\/(keywords|dirs|nodes|channels)\/(retrieve|query)$/, /level: 0 is not a level/, 'level 0'],
    [/\/locales\/retrieve$/, /with mode/, '`ids` and `tids` of locales depend on `mode`'],
    [/\/messages\/persist$/, /recipientUser or recipientRole is missing|more than \d+; send fewer|is empty/, 'recipients and number of messages'],
    [/^GET .*\/dam\/assets\/bin$/, /names no asset|^(range|format|metadata): |cannot carry metadata|metadata of the file cannot be merged/, 'the query parameters of a download'],
    [/^GET .*\/dam\/assets\/embedded$/, /names no asset/, 'the asset of a request about metadata'],
    [/\/dam\/assets\/(versions\/|variations\/)?bin\/|\/dam\/assets\/presigned-url$/, /cannot carry metadata|^\/asset\w+\/path: |^checksum: |^format: |^variationType|^\/presignedUrlRequest(\/(method|tid|uploadTid|chunkId|path|profile|metadata))?: /, 'files, paths and formats of assets'],
    [/\/dam\/(renditions\/|assets\/bin\/retrieve$)/, /^\/renditionUrlRequest(\/fit)?: |^\/(channelTid|fit): |^profile: |^t: |names no asset|^\/assetRequest\/(formats|metadata): |metadata: avif files|removeLocation: |cannot carry metadata/, 'parameters of renditions'],
    [/\/pim\/(variation-axes\/persist|products\/combinations\/\w+)$/, /is not an attribute of \w+ here|has no variation axes/, 'variation axes of a category'],
    [/\/common\/units\/\{code\}$/, /currencies are not converted/, 'currencies are in no family of units'],
    [/\/common\/units\/\{code\}$/, /needs a base unit/, 'a family of units has a base unit'],
    [/\/dam\/assets\/(checkin|checkout)$/, /is not checked out|is checked out/, 'an asset is checked in only when it is checked out'],
    [/\/(events|events\/stream|webhooks|webhooks\/\{id\})$/, /^types: /, 'names of event types'],
    [/\/webhooks(\/\{id\})?$/, /^url: |^after: /, 'addresses of webhooks and clients'],
    [/\/identity\/clients(\/\{id\})?$/, /^redirectUris: |^id: |^\/\w+\/id/, 'addresses of webhooks and clients'],
    [/\/webhooks\/\{id\}\/secrets$/, /one secret only|two secrets/, 'a webhook has one or two secrets'],
    [/\/identity\/(roles|groups)\/(\{name\}|try)$/, /cannot be (removed|changed)|^grants\[\d+\]\.|^roles: unknown/, 'roles of the system, and words in grants'],
    [/\/identity\/(me|users|users\/\{id\})(\/password)?$/, /^\/(passwordChange|userCreation|userChange|profileChange|newUser)\/(current|password|email|name|displayName): |^(password|email|name): /, 'passwords, user names and mail addresses'],
    [/\/identity\/me\/two-factor(\/remove)?$/, /^the code is wrong or was used before/, 'two factors of the caller'],
    [/^PATCH .*\/identity\/me$/, /^\/profileChange\/homeWidgets: /, 'names of widgets'],
    [/^PATCH .*\/search\/documents$/, /: no document has the guid/, 'documents of an index'],
    [/^GET .*\/(common\/runs|changes|transfers|transfers\/profiles|feeds|rules|collections|collections\/\{id\}\/assets|rules\/\{name\}\/runs)$/, /^after: .*(begin with the first page again|not a position of this list)/, 'positions of lists'],
    [/\/search(\/query|\/type-ahead|\/fields|\/storedsearch(\/\{id\})?|\/configurations\/\{identifier\})?$/, /^\/\w+\/(searchObject\/)?(context|join|filter|query|sortOptions|name|resultAttributes|storedFields|fields|aggregationAttributes)\b/, 'conditions and fields of searches'],
    [/\/changes(\/patterns)?$/, /^\/(changeRequest|patternRequest)\/(selection|operations)\b/, 'operations of mass changes'],
    [/\/transfers\/(imports|exports|profiles\/\{name\}|\{id\}\/profile)$/, /^(format|layout|dateFormat|columns?|constants|trueWords|falseWords|thousands|separator|catalog)\b/, 'formats and profiles of transfers'],
    [/\/feeds\/\{name\}(\/address)?$/, /^\/feed\/|^the place of this feed/, 'fields of a feed depend on its direction and place'],
    [/\/(collections|shares)(\/\{id\}(\/assets|\/files)?)?$/, /^\/(collection|collectionChange|share|receivedDecision)\b|^a page ends within|^the password of a page/, 'fields of a page depend on its kind; ends and passwords of pages'],
    [/\/share\/\{token\}/, /^the file name|must end with/, 'names of delivered files'],
    [/\/care\/(held|archive)$/, /^\/(quarantineDecision|archiveRequest)\b|has no archive/, 'a release needs a reason; the archive is a setting'],
    [/\/rules\/\{name\}$/, /^\/rule\b/, 'operations and conditions of rules'],
    [/\/workflow\/(processes|tasks)\/query$/, /^linkedObject: /, 'linked objects of workflows'],
    [/\/workflow\/definitions\/(deploy|check)$/, /BPMN/, 'BPMN files'],
    [/\/workflow\/configurations\/persist$/, /^(parameters|identifier|definition)/, 'parameters of workflows'],
  ],
  // A request that does not fit its schema is accepted.
  negative_data_rejection: [
    [any, /^in header - object with unexpected properties/, 'unknown headers'],
    [/\/(persist|perform)$|^PATCH .*\/data-items$|\/workflow\/(start|tasks\/complete)$/, /\(refused in a record\)$/, 'rules of single objects in `persist`'],
    [/\/bulk$/, /(dataType|type): (Invalid enum value|Incorrect type)( \(in XML\))?$/, 'rules of single objects in `persist`'],
    [any, /Incorrect type \(in XML\)$/, 'types that XML does not distinguish'],
    [/\/(persist|transform)$/, /(dataType|type|media -> Array with invalid items): Invalid enum value( \(in XML\))?$/, 'words that are stored or converted as they are'],
    [/\/peo\/peos$/, /fewer properties than allowed/, 'an empty request to `POST /peo/peos`'],
  ],
  not_a_server_error: [
    [/^POST \/api\/v1\/workflow\/start$/, /^\[\{"status":"error","dataType":"workflow","issues":/, '`POST /workflow/start` answers 500'],
  ],
  response_schema_conformance: [
    [/\/common\/transform$/, /^"\w*" is not one of|^\{.*"dataType":"AAA"/, 'words that are stored or converted as they are'],
  ],
  allow_header_conformance: [
    [/\/pim\/attributes\//, /Undocumented methods advertised: GET/, '`GET` below `/pim/attributes/`'],
    [/^PUT .*\/chunked\/persist\/\{uploadId\}$/, /Undocumented methods advertised: POST/, '`POST` to complete a chunked upload'],
  ],
  unsupported_method: [
    [/\/pim\/attributes\//, /^Unsupported method GET returned/, '`GET` below `/pim/attributes/`'],
  ],
}

export const isExplained = ({ check, operation, message }: Finding): boolean =>
  (rows[check] ?? []).some(([where, what]) => where.test(operation) && what.test(message))

export const reasons = [...new Set(Object.values(rows).flatMap((some) => some.map(([, , why]) => why)))]
