/**
 * The refusals that people meet in their daily work. Each has a code and parameters, so that a client can say it in the
 * language of its reader; the sentence here is what the interface says in English. Other refusals have only a sentence.
 *
 * Our addition to the interface: the items `reason` and `parameter.<name>` beside `errorMessage` in the error envelope and in
 * the details of a record; for a refused value, `reason.<attribute>` and `parameter.<attribute>.<name>`.
 */
// prettier-ignore
export const reasons = {
  // Values of attributes
  required:           'has no value, but is {restriction} at the node {node}',
  requiredInLocale:   'has no value in {locale}, but is required in all languages',
  requiredHidden:     'lacks a required value that your roles do not show; ask somebody who may see all of them',
  notNumber:          '{value} is not a number such as 12.5',
  notDate:            '{value} is not a date such as 2024-02-25 or 2024-02-25T08:00:00.000Z',
  notBoolean:         '{value} is not true or false',
  notWhole:           '{value} is not a whole number',
  belowMinimum:       '{value} is below {min}, the least value allowed',
  aboveMaximum:       '{value} is above {max}, the largest value allowed',
  tooShort:           '{value} has {length} characters; at least {min} are needed',
  tooLong:            '{value} has {length} characters; at most {max} are allowed',
  notMatching:        '{value} does not match {pattern}',
  notListed:          '{value} is not in the list of values; expected {known}',
  oneValue:           'takes one value, but {sent} were sent',
  tooManyValues:      'takes at most {max} values, but {sent} were sent',
  readOnly:           'cannot be changed: your roles do not allow it',
  forbiddenWord:      'contains the forbidden word {word} in {locale}; remove it',
  forbiddenWordUse:   'contains the forbidden word {word} in {locale}; write {instead} instead',
  missingTerm:        'does not contain {translation} in {locale}, which the glossary has for {term}; use it',
  missingTermHidden:  'does not use the term in {locale} that the glossary has for a word of the source text; ask somebody who may read both',
  localeReadOnly:     'your roles do not allow to change values in {locale}',

  // Names
  missing:            '{field} is missing',
  nameTooLong:        '{field} has {length} characters; at most {max} are allowed',
  nameControl:        '{field} contains a control character; remove it',
  nameSpaces:         '{field} "{name}" begins or ends with a space; remove it',
  nameSlash:          '{field} "{name}" contains /, which separates the names of a path',
  taken:              'a {kind} with the {field} {value} exists already',
  channelTaken:       'a project with the name {name} exists already at {place}',
  keywordTaken:       'a keyword {path} exists already (id {id})',
  nodeTaken:          'a node {path} exists already (id {id}); send its id or path to change it',
  entryTaken:         '{what} {path} exists already (tid {tid})',
  fileTaken:          '{path} exists already',
  userTaken:          'a user with this name exists already: {name}',
  clientTaken:        'a client with this id exists already: {id}',

  // Rights
  mayNotKind:         'your roles do not allow to {action} a {kind}',
  mayNotModel:        'your roles do not allow to {action} the {kind} at {path}',
  mayNotKeyword:      'your roles do not allow to {action} the keyword {path}',
  mayNotProducts:     'your roles do not allow to {action} products in {path}',
  mayNotProduct:      'your roles do not allow to {action} the product {tid}',
  mayNotEntry:        'your roles do not allow to {action} this {kind} in {path}',
  mayNotChannel:      'your roles do not allow to {action} {path}',
  needsRight:         'this call needs {right}',

  // The state of other objects
  unknown:            'no {kind} has the {name}',
  noUser:             'there is no user {name} to deliver the message to',
  noRole:             'there is no role {name} to deliver the message to',
  inUse:              '{object} is in use by {uses}; end this first or send meta force=true',
  checkedOut:         '{path} is checked out by {user}',
  checkedOutOther:    '{path} is checked out by {user}, and only that user can check it in',
  assigned:           'the task {id} is assigned to {user}; ask them, or an administrator',
  keywordBelowItself: 'the keyword {path} cannot be moved below itself',
  nodeBelowItself:    'the node {path} cannot be moved below itself; choose another parent',
  channelBelowItself: 'the channel {tid} cannot be moved below itself',
  folderIntoItself:   'the directory {path} cannot be moved into itself',
  usageExpired:       '{path} must not be used since {date}, when its usage rights ended; extend them or choose another file',
  usageNotYet:        '{path} must not be used before {date}; wait, change its usage rights or choose another file',
  usageChannel:       '{path} is not cleared for the channel {channel}; change its usage rights or choose another file',
  usageProfile:       '{path} is not cleared for what the rendition {profile} is used for; change its usage rights or choose another file',
  usageExport:        '{path} is not cleared for what the export is for; change its usage rights or choose another file',
  fileUnchecked:      '{path} has not been checked for viruses yet; try again later',
  fileInfected:       '{path} is in quarantine, because it contains {threat}; ask an administrator',
  fileUncheckable:    '{path} is too large to be checked for viruses; ask an administrator to release it',
  fileDamaged:        'the stored content of {path} is missing or damaged; upload the same file again, or ask an administrator',
  fileArchived:       '{path} is in the archive; restore it first and try again when that is done',
  archiveHeld:        '{path} cannot be archived now, because its content is not checked, in quarantine or damaged',
  archivePreview:     '{path} is the same as its own preview or rendition, so archiving it would save nothing',
  archiveShared:      'other files have the same content as {path}; archive them together',
  pagePassword:       'the password of a page has {min} to {max} characters',
  shareExpiry:        'a page ends within {days} days, in the future; choose another date',
  changedMeanwhile:   'the object has changed meanwhile, or does not exist: its ETag is {etag}; retrieve it again',
  lastAdmin:          'at least one enabled user must have the role admin',
  unitSourceChanged:  'the source text of {attribute} is no longer the one of the file; export it again and translate the new text',
  sourceChangedAgain: 'the source text of {attribute} in {locale} has changed again; read it before you confirm the translation',
  lastLocale:         'at least one locale must be used for content',

  // Signing in
  wrongPassword:      '/passwordChange/current: this is not the current password',
  weakPassword:       'the password cannot be used: {faults}',
  wrongCode:          'the code is wrong or was used before; wait for the next one and try again',

  // The server
  busy:               'others are changing the same objects; try again later',
  noFiles:            'files cannot be stored or read at the moment; try again later',
  noThread:           'the server cannot compute this at the moment; try again later',
  noDatabase:         'the database cannot be reached; try again later',
  fileTooLarge:       'the file is larger than {max} bytes',

  // Every call
  otherRefused:         'item {item} of the batch was refused',
  mayNotAction:         'your roles do not allow {action} here',
  nameReserved:         '{field} cannot be {name}, which has another meaning in paths; choose another',
  nameInvisible:        '{field} contains the character U+{code}, which cannot be seen; remove it',
  listChanged:          'after: {after} is no longer in the list; begin with the first page again',
  stopping:             'the server is stopping',
  rightsUnknown:        'your rights cannot be checked now; try again later',
  orderedWithout:       '{user}, who ordered this, no longer has {right}',

  // Users and roles
  ordererGone:          '{user}, who ordered this, no longer exists',
  ordererDisabled:      '{user}, who ordered this, may not sign in any more',
  noSecondFactor:       '{user} has no second factor',
  unknownRoles:         'no role has this name: {names}',
  unknownGroups:        'no group has this name: {names}',
  secondFactorExists:   'a second factor exists already; remove it first',
  roleName:             'a role name has up to 64 lower-case letters, digits, - and _, the first one a letter',
  roleAdmin:            'the role admin cannot be changed',
  roleKept:             'the role {name} cannot be removed',
  clientIdForm:         'a client id has 1 to 200 visible ASCII characters, without spaces',
  redirectAddress:      'redirectUris: {address} is not a valid redirect address',

  // Files
  parentInTrash:        'the directory {path} is in the trash too; restore it, or send meta destinationDirPath',
  restoredAlready:      '{path} has been restored already',
  deletedWithFolder:    '{path} was deleted with a directory above it; restore that one (id {id})',
  placeTaken:           '{path} exists already; send meta newName or a destination',
  noRendition:          'no rendition of this file: {cause}',
  metadataType:         'files of the type {type} cannot carry metadata; download the values as an .xmp file with metadata=sidecar',
  metadataDamaged:      'the metadata of the file cannot be merged: {cause}; download the values as an .xmp file with metadata=sidecar',
  metadataTooLarge:     'the values do not fit into the {block} of this file; download them as an .xmp file with metadata=sidecar',
  metadataHidden:       'a public address would contain {attribute}, which you may not read; ask an administrator for the address, or leave out the metadata',
  metadataVersion:      'metadata: an earlier version has no values of its own; download it without metadata',
  tagUnknown:           'meta {key}: there is no tag {tag}; the nearest is {nearest}',
  tagRead:              'meta {key}: the tag {tag} is only read; choose another one',
  renditionSlow:        'the rendition is being made and takes long; try again later',
  renditionsHour:       'many renditions were made in this hour; only those that exist are returned until the next one, or raise KONTOR_RENDITION_SPACE',
  copyPending:          'a copy of {name} that browsers play is being made ({percent} %); try again later',
  copyFailed:           'there is no copy of {name} that browsers play: {cause}',
  copiesWaiting:        '{count} copies of films and sounds are being made for you; ask for the others later',
  watermarkPicture:     '/watermarkTid: {name} is not a picture; name one, such as a PNG with transparency',
  colourProfile:        '/iccTid: {name} is not a colour profile; name a file of RGB, CMYK or grey that ends in .icc or .icm',
  folderCopyIntoItself: 'the directory {path} cannot be copied into itself',
  folderTaken:          '{path} exists already (tid {tid})',
  fileValues:           '{count} assets or directories have values of {attribute}; remove these first',
  notCheckedOut:        '{path} is not checked out',
  releaseLock:          'only an administrator can release the lock of another user',
  replaceable:          '{path} exists already; send meta doOverwrite=true to replace it',
  folderNotReplaceable: '{path} is a directory, which no asset can replace',
  versionProtected:     'the version {version} is protected by its dates',
  fileThere:            'a file exists at {path}; send doOverwrite to replace it',
  folderThere:          '{path} is a directory',
  noFormat:             'there is no {format} of this asset, or not yet',
  zipFiles:             '{count} files; a zip takes {max} at most',
  zipBytes:             '{count} bytes; a zip takes {max} at most',
  uploadsUnderWay:      '{count} uploads are under way; finish one, or wait until they expire',

  // Attributes and their groups
  tableReserved:        '@tid: a table cannot be called {tid}, because columns of imports and exports begin with {tid}/; choose another tid',
  groupUnknown:         'group: no group of attributes has the tid {group}; create it first',
  groupAttribute:       'references: no attribute definition has the tid {attribute}; remove it from the group',
  groupGuarded:         'roles name the group {group}, so only an administrator can move attributes into it or out of it',
  groupInRoles:         'roles name the group {group}; remove it from these roles first',

  // Units, links and keywords
  unitCode:             'the code of a unit has 1 to 20 characters and no space or slash at its ends',
  unitInUse:            '{count} attributes are in {unit}; give them another unit first',
  unitBuiltIn:          '{unit} is a built-in unit of {family}; choose another code, or leave out family and factor',
  unitMeasured:         'attributes measure in {family}, so the size of {unit} cannot change; create another unit',
  mayNotLink:           'your roles do not allow to link the {kind} {tid}',
  noLink:               'no such link exists',
  namesReadOnly:        'your roles do not allow to edit names in {locales}',
  keywordCopyTaken:     'a keyword {path} exists already',

  // Attributes
  undefinedAttribute:   'has no definition; only attributes that are defined can be stored',
  definitionName:       'name: a definition needs a name; send an itm with loc and text',
  lengthsCrossed:       'validation: minLength {min} is above maxLength {max}; no text could be both',
  rangeCrossed:         'domainRange: from {from} is above to {to}; exchange them',
  defaultNotListed:     'defaultVal: {value} is not in the list; expected one of {known}',
  valueTwice:           'domainVals: the value {value} is named twice; send it once',

  // Products and categories
  productNameTaken:     'the name {name} is taken by another {kind} of the {scope}',
  productIdTaken:       'the {kind} with the tid {tid} belongs to another {other}',
  productTaken:         'a product with the {name} exists already',
  mayNotDeleteNode:     'your roles do not allow to delete the node {path}',
  rootFixed:            'the root node {path} cannot be moved; move the nodes below it',
  listClosed:           'the list of {attribute} is closed; set allowNewValue=true to add values',
  attributeInUse:       'in use by {uses}; remove these first, or send meta force=true',
  tidTaken:             'the tid {tid} is taken',
  noCategory:           'no node has the path {path}',
  categoriesFit:        'node: {name} fits several categories ({paths}); write more of the path',

  // Channels
  mayNotAttribute:      'your roles do not allow to change the attribute {attribute}',
  textsReadOnly:        'your roles do not allow to change texts in {locale}',

  // Workflow
  taskCancelled:        'the task {id} was cancelled',
  taskEnded:            'the task {id} is {state} already',
  taskOfOthers:         'the task {id} is for others',
  commentLength:        'text: expected 1 to {max} characters',
  noAssignee:           'assignee: there is no user {user}',
  processRunning:       'the process {id} is {state}; cancel it first',
  processEnded:         'the process {id} is {state} already',
  processOfOthers:      'the process {id} was started by {user}; ask them, or an administrator',
  definitionRuns:       'the definition {id} has {count} processes; delete them first',
  definitionNeeded:     'the definition {id} is needed by {uses}; change these first',
  jobNotFailed:         'the job {id} is {state}; only a failed job of a running process can be retried',
  noMail:               'KONTOR_SMTP_URL is not set: no mail can be sent',

  // Bulk changes
  changeRunning:        'the change is {state}; cancel it first',
  nothingSelected:      '/changeRequest/selection: no {kind} is selected',
  tooManySelected:      '/changeRequest/selection: more than {max} {kind}s; divide the change',
  noProductFits:        'no product fits the file name',
  severalProductsFit:   'several products fit the file name',
  nameOutsidePattern:   'the file name does not fit the pattern',
  noRoleForWord:        'no type of link is chosen for the word {word}',
  sameNewName:          '{count} files would get the name {name}',
  emptyNewName:         'the pattern gives the file an empty name',
  noNamePart:           'the file has no {part}; a part that may be missing is written in [ ]',
  severalLinkedProducts:'the file is linked to several products',

  // Feeds
  placeForAdmins:       '/feed/place/kind: {kind} needs the role admin; choose another kind',
  exportDeleted:        'the export was deleted',
  exportCancelled:      'the export was cancelled',
  runNotHeld:           'run {id} is {state}; only a held run can be decided',
  feedOfOthers:         'a feed of another user has the name {name}; choose another',
  unknownTimeZone:      '{place}/timeZone: unknown time zone {name}; expected a name like Europe/Berlin',
  cronUnknown:          '{place}/cron: {text} is not understood; {expected}',
  cronNever:            '{place}/cron: {text} never comes; {expected}',

  // Imports and exports
  noDownload:           'asset: {address} cannot be downloaded: {cause}',
  columnGroup:          'column {column}: no group of attributes has the tid {group}',
  columnUnknown:        'column {column}: no attribute has the tid {attribute}, or you may not read it',
  deletionNotAllowed:   'the file asks to delete the product {tid}; allow it with deletions in a profile',
  importNoFile:         'asset: there is no file {name}',
  zipNoFile:            'asset: the zip has no file {folder}{name}',
  cellForm:             '"{cell}" is not {expected}; the profile says how it is written',
  zipNoTable:           'the zip has no data file: one of csv, xml or jsonl must stand at its top',
  importRunning:        'the import is {state}; correct its rows when it has ended',
  transferRunning:      'the transfer is running; cancel it first',
  notWhile:             '{action} is not possible while it is {state}',
  nothingUnderstood:    'nothing of the file is understood: no column has a target ({headings}); map its columns, or give the row with the headings',
  exportEnded:          'the usage rights of a file in this export have ended; order the export again',
  fileRights:           'your rights have changed since this file was made; order the export again',
  cellUnit:             '"{cell}" is not in {unit}; expected a number, or an amount in {unit} or a unit that can be converted',
  csvUnread:            'the CSV cannot be read: {cause}',
  notText:              'the file is not a text: it contains zero bytes; expected CSV',
  encodingMixed:        'encoding: the file has cells in UTF-8 and cells in another encoding; save it in one, or give the encoding of most cells',
  encodingLooks:        'encoding: the file is not UTF-8 and looks like {encoding}; give its encoding, such as encoding={encoding}',
  workbookUnread:       'the workbook cannot be read: {cause}',
  zipDamaged:           'the file is not a zip or is damaged: {cause}',
  categoryAmbiguous:    'the category {name} fits several nodes: {paths}; choose one with constants in a profile',
  categoryUnknown:      'no node has the name or tid {name}; create it, choose a node with constants in a profile, or import with createModel',
} as const

export type ReasonCode = keyof typeof reasons
type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

export interface Reason {
  readonly code: ReasonCode
  readonly parameters: Readonly<Record<string, string>>
  /** In English. */
  readonly sentence: string
}

type ParametersOf<C extends ReasonCode> = Readonly<Record<NamesIn<(typeof reasons)[C]>, string | number>>

/** A refusal for one of the reasons above. */
export function because<C extends ReasonCode>(
  code: C,
  ...[sent]: NamesIn<(typeof reasons)[C]> extends never ? [] : [parameters: ParametersOf<C>]
): Reason {
  const parameters = Object.fromEntries(Object.entries(sent ?? {}).map(([name, value]) => [name, String(value)]))
  return { code, parameters, sentence: reasons[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name]!) }
}

interface ReasonItem {
  readonly key: string
  readonly value: string
}

/** A reason as key/value items; `of` is the attribute that it is about. */
export function reasonItems({ code, parameters }: Reason, of?: string): ReasonItem[] {
  const end = of === undefined ? '' : `.${of}`
  return [
    { value: code, key: `reason${end}` },
    ...Object.entries(parameters).map(([name, value]) => ({ value, key: `parameter${end}.${name}` })),
  ]
}

/** The code and the parameters among items; the code is undefined if there is none. The inverse of `reasonItems`. */
export function readReason(items: readonly { key?: string; value?: string }[], of?: string) {
  const end = of === undefined ? '' : `.${of}`
  const start = `parameter${end}.`
  return {
    code: items.find(({ key }) => key === `reason${end}`)?.value,
    parameters: Object.fromEntries(
      items.flatMap(({ key = '', value = '' }) => (key.startsWith(start) ? [[key.slice(start.length), value]] : [])),
    ) as Readonly<Record<string, string>>,
  }
}
