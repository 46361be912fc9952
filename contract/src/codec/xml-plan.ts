/** Descriptions of types, prepared once for XML: fields by name, scalars with their rules. Used by reader and writer. */
import { maxList, type Field, type Type } from '../schema/describe.ts'
import { streamedField } from './codec.ts'
import { ruleOf, type ScalarRule } from './scalars.ts'

export const namespace = 'http://www.apollon.de/omn'

export interface XmlField {
  /** The property name in memory. */
  readonly name: string
  /** The element or attribute name in XML. */
  readonly xml: string
  readonly kind: Field['kind']
  readonly repeated: boolean
  /** The maximum number of its values in a request. */
  readonly maxItems: number
  /** Whether it has several names, so that it could be sent twice. */
  readonly hasAliases: boolean
  /** For attr, text, leaf, leaves. */
  readonly rule: ScalarRule | undefined
  /** For child, children. */
  readonly shape: XmlShape | undefined
}

export interface XmlShape {
  readonly fields: XmlField[]
  /** By name and alias. */
  readonly attributes: Map<string, XmlField>
  readonly elements: Map<string, XmlField>
  readonly required: XmlField[]
  text: XmlField | undefined
  /** The streamed list, if the type is a container. */
  streamed: XmlField | undefined
}

function emptyShape(): XmlShape {
  return { fields: [], attributes: new Map(), elements: new Map(), required: [], text: undefined, streamed: undefined }
}

const shapes = new WeakMap<Type, XmlShape>()

export function shapeOf(type: Type): XmlShape {
  const known = shapes.get(type)
  if (known) return known
  const shape = emptyShape()
  // Registered before its fields are added, because a type can contain itself.
  shapes.set(type, shape)
  for (const [name, field] of Object.entries(type.fields)) addField(shape, name, field)
  const streamed = streamedField(type)?.[0]
  shape.streamed = shape.fields.find((field) => field.name === streamed)
  return shape
}

function addField(shape: XmlShape, name: string, field: Field): void {
  const { kind, scalar, type, required, either = false, aliases = [] } = field
  if (kind === 'map' || kind === 'anything') return
  const planned: XmlField = {
    name,
    xml: field.xml ?? name,
    kind,
    hasAliases: aliases.length > 0 || either,
    repeated: kind === 'leaves' || kind === 'children',
    maxItems: field.maxItems ?? maxList,
    rule: scalar && ruleOf(field),
    shape: type && shapeOf(type()),
  }
  shape.fields.push(planned)
  if (required) shape.required.push(planned)
  if (kind === 'text') shape.text = planned
  for (const key of kind === 'text' ? [] : [name, planned.xml, ...aliases]) {
    if (kind === 'attr' || either) shape.attributes.set(key, planned)
    if (kind !== 'attr' || either) shape.elements.set(key, kind === 'attr' ? { ...planned, kind: 'leaf' } : planned)
  }
}

/** The streamed list of a container of the root. */
export function streamedOf(container: XmlField): XmlField | undefined {
  return container.kind === 'child' ? container.shape!.streamed : undefined
}

/** The document, whose only child is the root element. */
export function documentOf(root: Type): XmlField {
  const shape = emptyShape()
  addField(shape, root.name, { kind: 'child', type: () => root })
  return { ...shape.fields[0]!, shape }
}
