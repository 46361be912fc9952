/**
 * The XML Schema (1.0) of the messages, derived from their descriptions: for code generators and for clients that
 * validate messages before they send them.
 *
 * It accepts what the reader accepts, except for two limits of XML Schema 1.0. Where elements repeat, free order can
 * only be expressed as an unbounded choice, which does not enforce that other elements occur once or are present. And
 * an empty element, which the reader treats as absent, is allowed for texts only.
 */
import { namespace } from './codec/xml-plan.ts'
import type { Field, Scalar, ScalarName, Type } from './schema/describe.ts'
import { ErrorResponse, Pim } from './schema/envelope.ts'
import { requestTypes, typesWithin } from './schema/types.ts'

export { namespace }

export function xsd(): string {
  const roots = [Pim, ErrorResponse, ...requestTypes]
  const names = `xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="${namespace}" targetNamespace="${namespace}"`
  const lines = tag('schema', `${names} elementFormDefault="qualified"`, [
    ...roots.flatMap(({ name }) => tag('element', `name="${name}" type="${name}"`)),
    ...flagType,
    ...dateType,
    ...typesWithin(roots).flatMap(complexType),
  ])
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...lines, ''].join('\n')
}

/** The lines of one element of the schema. */
function tag(name: string, attributes: string, content: string[] = []): string[] {
  const start = attributes ? `<xs:${name} ${attributes}` : `<xs:${name}`
  if (content.length === 0) return [`${start}/>`]
  return [`${start}>`, ...content.map((line) => `  ${line}`), `</xs:${name}>`]
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const documentation = (doc?: string) =>
  doc ? [`<xs:annotation><xs:documentation>${escaped(doc)}</xs:documentation></xs:annotation>`] : []

// Scalars

const scalarTypes: Record<ScalarName, string> = {
  string: 'xs:string',
  long: 'xs:long',
  integer: 'xs:int',
  boolean: 'xs:boolean',
  number: 'xs:double',
  flag: 'flag',
  date: 'date',
}

const words = (base: string, list: readonly string[]) =>
  tag(
    'restriction',
    `base="${base}"`,
    list.flatMap((word) => tag('enumeration', `value="${word}"`)),
  )

/** The words that are meant, and any other text: what readers accept stays valid. */
const openWords = (list: readonly string[]) =>
  tag('union', 'memberTypes="xs:string"', tag('simpleType', '', words('xs:string', list)))

const flagType = tag('simpleType', 'name="flag"', words('xs:token', ['true', 'false']))

const datePattern = String.raw`\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+\-]\d{2}:?\d{2})?)?`
const dateType = tag('simpleType', 'name="date"', [
  ...documentation('ISO 8601. Without a time zone: UTC.'),
  ...tag('restriction', 'base="xs:token"', tag('pattern', `value="${datePattern}"`)),
])

// Types and fields

const isRepeated = ({ kind }: Field) => kind === 'children' || kind === 'leaves'
const isElement = (field: Field) => isRepeated(field) || field.kind === 'child' || field.kind === 'leaf'

function complexType({ name, doc, fields }: Type): string[] {
  const all = Object.entries(fields)
  const attributes = all
    .filter(([, field]) => field.kind === 'attr')
    .flatMap(([name, field]) => typed('attribute', `name="${name}"${field.required ? ' use="required"' : ''}`, field))
  const text = all.find(([, field]) => field.kind === 'text')?.[1]
  const content = text
    ? tag('simpleContent', '', tag('extension', `base="${scalarTypes[text.scalar as ScalarName]}"`, attributes))
    : [...elements(all.filter(([, field]) => isElement(field))), ...attributes]
  return tag('complexType', `name="${name}"`, [...documentation(doc), ...content])
}

/** Elements in any order: a choice if one of them repeats, otherwise `all`. */
function elements(fields: [name: string, field: Field][]): string[] {
  if (fields.length === 0) return []
  const repeats = fields.some(([, field]) => isRepeated(field))
  const content = fields.flatMap(([property, field]) => {
    const names = new Set([field.xml ?? property, property, ...(field.aliases ?? [])])
    const optional = repeats || (field.required && names.size === 1) ? '' : ' minOccurs="0"'
    return [...names].flatMap((name) => typed('element', `name="${name}"${optional}`, field))
  })
  return repeats ? tag('choice', 'minOccurs="0" maxOccurs="unbounded"', content) : tag('all', '', content)
}

/** An element or attribute declaration with a described type, a scalar type or an enumeration. */
function typed(
  kind: 'element' | 'attribute',
  attributes: string,
  { type, scalar, words: meant, doc }: Field,
): string[] {
  if (type) return tag(kind, `${attributes} type="${type().name}"`, documentation(doc))
  if (meant) return tag(kind, attributes, [...documentation(doc), ...tag('simpleType', '', openWords(meant))])
  if (isName(scalar!)) return tag(kind, `${attributes} type="${scalarTypes[scalar]}"`, documentation(doc))
  return tag(kind, attributes, [...documentation(doc), ...tag('simpleType', '', words('xs:string', scalar!))])
}
const isName = (scalar: Scalar): scalar is ScalarName => typeof scalar === 'string'
