/**
 * Converts descriptions to JSON Schema (2020-12, as in OpenAPI 3.1), with hints for the XML form of the same value.
 *
 * A schema describes what the server sends and what clients should send. Readers accept more: numbers as texts,
 * booleans for flags, aliases of fields. OpenAPI 3.1 has no keyword for the text of an element; `x-text` marks it.
 */
import { namespace } from '../codec/xml-plan.ts'
import { maxList, type Field, type FieldKind, type ScalarName, type Type } from '../schema/describe.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  readonly format?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly propertyNames?: Schema
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly not?: Schema
  readonly dependentSchemas?: Readonly<Record<string, Schema>>
  readonly xml?: {
    readonly name?: string
    readonly namespace?: string
    readonly attribute?: boolean
    readonly 'x-text'?: boolean
  }
}

export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

interface TypeOptions {
  /** Only a root defines its XML element name; otherwise the containing field does. */
  readonly isRoot?: boolean
  readonly isRequest?: boolean
  readonly schemaOf?: (field: Field, isRequest: boolean) => Schema
}

/** An object of this type. */
export function typeSchema(
  { name, doc, fields, oneOf, isExclusive }: Type,
  { isRoot = false, isRequest = false, schemaOf = fieldSchema }: TypeOptions = {},
): Schema {
  const required = Object.keys(fields).filter((field) => fields[field]!.required)
  return {
    type: 'object',
    description: oneOf ? `${doc} ${choice(oneOf, isExclusive)} is required.` : doc,
    properties: Object.fromEntries(
      Object.entries(fields).map(([field, described]) => [field, schemaOf(described, isRequest)]),
    ),
    ...(required.length > 0 && { required }),
    // The reply to a query can have the type of a request and name nothing.
    ...(oneOf && (isRequest ? { not: lacking(oneOf, fields) } : { minProperties: required.length + 1 })),
    ...(isExclusive && {
      dependentSchemas: Object.fromEntries(
        oneOf!.map((name) => [
          name,
          lacking(
            oneOf!.filter((other) => other !== name),
            fields,
          ),
        ]),
      ),
    }),
    additionalProperties: false,
    ...(isRoot && { xml: { name, namespace } }),
  }
}

const choice = (names: readonly string[], isExclusive = false) =>
  names.length === 1 ? `\`${names[0]}\`` : `${isExclusive ? 'Exactly' : 'At least'} one of ${names.join(', ')}`

/**
 * An object in which all of these fields are absent; an empty list counts as absent. A rule by `not`, because generators
 * of clients lose the properties of an object with anyOf.
 */
const lacking = (names: readonly string[], fields: Type['fields']): Schema => ({
  properties: Object.fromEntries(names.map((name) => [name, isList(fields[name]!) ? { maxItems: 0 } : { not: {} }])),
})
const isList = ({ kind }: Field) => kind === 'leaves' || kind === 'children'

/** A list has its default limit in types that only requests contain; a reply may contain more. */
export function fieldSchema(field: Field, isRequest = false): Schema {
  const { doc, aliases = [] } = field
  const maxItems = field.maxItems ?? (isList(field) && isRequest ? maxList : undefined)
  const also = aliases.length > 0 ? `Also accepted as ${aliases.join(', ')}.` : undefined
  const description = [doc, also].filter((part) => part !== undefined).join(' ')
  return {
    ...shapes[field.kind](field),
    // An empty list or text counts as absent.
    ...(field.required && isList(field) && !field.keepsEmpty && { minItems: 1 }),
    ...(field.required && field.kind === 'text' && { minLength: 1 }),
    ...(maxItems !== undefined && { maxItems }),
    ...bounds(field),
    ...(description && { description }),
    ...(field.deprecated && { deprecated: true }),
  }
}

function bounds(field: Field): Schema {
  if (!field.expects) return {}
  const { min, max } = field.expects
  const [least, most] = isList(field)
    ? (['minItems', 'maxItems'] as const)
    : field.scalar === 'string'
      ? (['minLength', 'maxLength'] as const)
      : (['minimum', 'maximum'] as const)
  const isNumber = least === 'minimum'
  return { ...((isNumber || min > 0) && { [least]: min }), ...(max !== undefined && { [most]: max }) }
}

// prettier-ignore
const scalars: Record<ScalarName, Schema> = {
  string:  { type: 'string' },
  long:    { type: 'integer', format: 'int64' },
  integer: { type: 'integer', format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  number:  { type: 'number' },
  boolean: { type: 'boolean' },
  flag:    { type: 'string', enum: ['true', 'false'] },
  date:    { type: 'string', format: 'date-time' },
}
const scalar = ({ scalar = 'string', words, range, pattern }: Field): Schema => {
  if (typeof scalar !== 'string') return { type: 'string', enum: scalar }
  if (pattern !== undefined) return { ...scalars[scalar], pattern }
  if (range) return { ...scalars[scalar], minimum: range[0], maximum: range[1] }
  return words ? { ...scalars[scalar], enum: words } : scalars[scalar]
}

const element = ({ xml }: Field): Schema => (xml === undefined ? {} : { xml: { name: xml } })
const object = (field: Field): Schema => ({ ...schemaRef(field.type!().name), ...element(field) })

// prettier-ignore
const shapes: Record<FieldKind, (field: Field) => Schema> = {
  attr:     (field) => ({ ...scalar(field), xml: { attribute: true } }),
  text:     (field) => ({ ...scalar(field), xml: { 'x-text': true } }),
  leaf:     (field) => ({ ...scalar(field), ...element(field) }),
  leaves:   (field) => ({ type: 'array', items: { ...scalar(field), ...element(field) } }),
  child:    object,
  children: (field) => ({ type: 'array', items: object(field) }),
  map:      () => ({ type: 'object', additionalProperties: { type: 'string' } }),
  anything: ({ isObject }) => (isObject ? { type: 'object' } : {}),
}
