/**
 * JSON Schemas of compact JSON, derived from the types by the same questions as its codec asks (codec/compact.ts).
 *
 * A schema describes what the server writes. The reader also accepts the unfolded form everywhere. A type that no rule
 * folds has the same form in both formats, and so the same schema.
 */
import { content, isItem, isValue, isValues, listIn, namesOf } from '../codec/compact.ts'
import { Val } from '../schema/blocks.ts'
import type { Field, Type } from '../schema/describe.ts'
import { typesWithin } from '../schema/types.ts'
import { localePattern } from '../schema/words.ts'
import { fieldSchema, type Schema, schemaRef, typeSchema } from './json-schema.ts'

export const compactName = (name: string) => `compact.${name}`
const compactRef = (name: string) => schemaRef(compactName(name))

const hasItems = ({ fields }: Type) => Object.values(fields).some(({ type }) => type !== undefined && isItem(type()))
/** Whether the compact form of a message of this type can differ from its JSON form. */
const foldsWithin = (type: Type) => typesWithin([type]).some((one) => listIn(one) !== undefined || hasItems(one))

/** The compact counterpart of the schema of a body, which refers to `root` or to envelopes with some of its containers. */
export function inCompact(schema: Schema, root: Type): Schema {
  if (!foldsWithin(root)) return schema
  const { $ref, oneOf, ...others } = schema
  return {
    ...($ref !== undefined && compactRef($ref.split('/').at(-1)!)),
    ...others,
    ...(oneOf && { oneOf: oneOf.map((one) => inCompact(one, root)) }),
  }
}

/** Schemas of all types that compact messages with these roots can contain, where they differ from the JSON form. */
export function compactSchemas(roots: readonly Type[]): Record<string, Schema> {
  const folded = roots.filter(foldsWithin)
  const within = typesWithin(folded).filter((type) => !folded.includes(type) && refersToOwn(type))
  return Object.fromEntries([
    ...folded.map((root) => [compactName(root.name), objectSchema(root)]),
    ...within.flatMap(formsOf),
    [compactName('items'), itemsSchema],
    [compactName('valEntry'), entrySchema],
  ])
}

/** An object field by field. A root always has this form. */
export function objectSchema(type: Type): Schema {
  return typeSchema(type, { schemaOf: compactField })
}

function compactField(field: Field): Schema {
  const of = field.type?.()
  const schema = withoutXml(fieldSchema(field))
  if (of === undefined) return schema
  const { $ref: _ref, type: _type, items: _items, ...others } = schema
  if (field.kind === 'child') return { ...folded(of), ...others }
  return { ...(isItem(of) ? compactRef('items') : { type: 'array', items: folded(of) }), ...others }
}

function withoutXml(schema: Schema): Schema {
  const { xml: _xml, items, ...others } = schema
  return items ? { ...others, items: withoutXml(items) } : others
}

/** A type of which some form is an object that has more than a list. */
const refersToOwn = (type: Type) => folded(type).$ref === `#/components/schemas/${compactName(type.name)}`

/** A value of this type inside a message. */
function folded(type: Type): Schema {
  if (!foldsWithin(type)) return schemaRef(type.name)
  const list = listIn(type)
  if (!list || isValues(type) || Object.keys(type.fields).length > 1) return compactRef(type.name)
  return list.ofItems ? compactRef('items') : listSchema(type, list.name)
}

const listSchema = ({ fields }: Type, list: string): Schema => ({ type: 'array', items: folded(fields[list]!.type!()) })

/** The schemas of a type inside a message: one per form if it has several. No value has two forms. */
function formsOf(type: Type): [name: string, schema: Schema][] {
  const list = listIn(type)
  const name = compactName(type.name)
  if (isValues(type)) return [[name, valuesSchema(type)]]
  if (isValue(type)) return [[name, valueSchema(type)], ...formsOfValue(name, objectSchema(type))]
  if (!list) return [[name, objectSchema(type)]]
  // The object has a name of its own, because generators of clients cannot resolve a union that contains itself.
  const object = `${type.name}.object`
  const lists = list.ofItems ? [text, texts, items, mapWithout(namesOf(type))] : [listSchema(type, list.name)]
  return [
    [name, { description: type.doc, oneOf: [...lists, compactRef(object)] }],
    [compactName(object), objectSchema(type)],
  ]
}

// Items

const text: Schema = { type: 'string' }
const texts: Schema = { type: 'array', items: text, minItems: 1 }
const items: Schema = { type: 'array', items: schemaRef('itm') }

const textMap: Schema = { type: 'object', minProperties: 1, additionalProperties: text }
/** A map differs from an object in its keys: none of them is the name of a field. */
const mapWithout = (names: Iterable<string>): Schema => ({ ...textMap, propertyNames: { not: { enum: [...names] } } })

const itemsSchema: Schema = {
  description:
    'Items: the text of a single item, a list of texts, a map of texts by key or by locale, or the items in full.',
  oneOf: [text, texts, items, { type: 'object', additionalProperties: text }],
}

// Attribute values

const anyTexts: Schema = { type: 'array', items: text }
/** Lists of texts by locale, for values of type multi_loc. */
const localizedTexts: Schema = {
  type: 'object',
  minProperties: 1,
  propertyNames: { pattern: localePattern },
  additionalProperties: anyTexts,
}

const valuesSchema = ({ doc, fields }: Type): Schema => ({
  description: `${doc} A map by attribute, or a list if an attribute occurs twice.`,
  oneOf: [
    { type: 'object', additionalProperties: compactRef('valEntry') },
    { type: 'array', items: folded(fields.val!.type!()) },
  ],
})

const entryName = 'val.entry'
const foldedName = (name: string) => `${name}.folded`
const fullName = (name: string) => `${name}.full`

const entrySchema: Schema = {
  description:
    'The value of an attribute: its content if the type of the value follows from that, otherwise an object.',
  oneOf: [
    text,
    anyTexts,
    mapWithout([...namesOf(Val), content]),
    localizedTexts,
    compactRef(foldedName(entryName)),
    compactRef(fullName(entryName)),
  ],
}

const valueSchema = ({ name, doc }: Type): Schema => ({
  description: doc,
  oneOf: [compactRef(foldedName(name)), compactRef(fullName(name))],
})

const foldedContent: Schema = {
  description: 'The content of the value, folded: a text, a list, or a map by key or by locale.',
  oneOf: [text, anyTexts, { type: 'object', additionalProperties: text }, localizedTexts],
}

/** A value as an object has either its folded content or its items. In a map, the key is its attr. */
function formsOfValue(name: string, { properties = {}, ...schema }: Schema): [name: string, schema: Schema][] {
  const { attr: _attr, ...inMap } = properties
  const forms = [[name, properties] as const, [compactName(entryName), inMap] as const]
  return forms.flatMap(([form, { itm, i18N, ...others }]): [string, Schema][] => [
    [foldedName(form), { ...schema, properties: { ...others, [content]: foldedContent }, required: [content] }],
    [fullName(form), { ...schema, properties: { itm: itm!, i18N: i18N!, ...others } }],
  ])
}
