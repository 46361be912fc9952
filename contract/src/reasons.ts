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
  changedMeanwhile:   'the object has changed meanwhile, or does not exist: its ETag is {etag}; retrieve it again',
  lastAdmin:          'at least one enabled user must have the role admin',
  lastLocale:         'at least one locale must be used for content',

  // Signing in
  wrongPassword:      '/passwordChange/current: this is not the current password',
  weakPassword:       'the password cannot be used: {faults}',
  wrongCode:          'the code is wrong or was used before; wait for the next one and try again',

  // The server
  busy:               'others are changing the same objects; try again later',
  noFiles:            'files cannot be stored or read at the moment; try again later',
  noDatabase:         'the database cannot be reached; try again later',
  fileTooLarge:       'the file is larger than {max} bytes',
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
