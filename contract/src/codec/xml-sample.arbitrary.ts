/** A type with every kind of field, and random values of it, for the tests of the XML reader and writer. */
import * as fc from 'fast-check'
import {
  alias,
  anything,
  attr,
  child,
  children,
  leaf,
  leaves,
  map,
  required,
  text,
  type,
  xmlName,
  type Field,
  type Long,
  type Scalar,
  type Type,
} from '../schema/describe.ts'

export const Note = type('note', 'Text with an attribute.', { value: text(), lang: attr('string') })
const Count: Type<{ value?: Long; unit?: string }> = type('count', 'A number as text.', {
  value: { kind: 'text', scalar: 'long' } as Field<Long, false>,
  unit: attr('string'),
})

export interface Part {
  id: Long
  name?: string
  size?: number
  ratio?: number
  isNew?: boolean
  visible?: 'true' | 'false'
  since?: string
  kind?: 'big' | 'small'
  title?: string
  weight?: Long
  tags?: string[]
  sizes?: number[]
  note?: { value?: string; lang?: string }
  notes?: { value?: string; lang?: string }[]
  count?: { value?: Long; unit?: string }
  parts?: Part[]
  extra?: Record<string, string>
  anything?: unknown
}
export const Part: Type<Part> = type('part', 'Every kind of field, and itself.', {
  id: required(attr('long')),
  name: alias(attr('string'), 'label'),
  size: attr('integer'),
  ratio: attr('number'),
  isNew: attr('boolean'),
  visible: attr('flag'),
  since: attr('date'),
  kind: attr(['big', 'small']),
  title: leaf('string'),
  weight: leaf('long'),
  tags: alias(leaves('string'), 'tag'),
  sizes: leaves('integer'),
  note: child(() => Note),
  notes: xmlName(
    children(() => Note),
    'remark',
  ),
  count: child(() => Count),
  parts: children(() => Part),
  extra: map(),
  anything: anything(),
})
export const Parts = type('parts', 'A container with an attribute and a second field.', {
  part: children(() => Part),
  note: child(() => Note),
  mode: attr('string'),
})
const Single = type('single', 'An object that is not a container.', { part: child(() => Part) })
export const Notes = type('notes', 'A plain container.', { note: children(() => Note) })
export const Catalogue = type('catalogue', 'The root.', {
  version: required(attr('string')),
  title: leaf('string'),
  single: child(() => Single),
  parts: child(() => Parts),
  notes: child(() => Notes),
})

const awkward = [
  '\r',
  '\n',
  '\t',
  ' ',
  '  ',
  '<',
  '>',
  '&',
  '"',
  "'",
  ']]>',
  '&amp;',
  '\u0085',
  '\u2028',
  'e\u0301',
  '\u{1f600}',
  'ä',
  '€',
  '\ufeff',
  '\ufffd',
]
const anyString = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.oneof(fc.constantFrom(...awkward), fc.string({ maxLength: 3 }))).map((parts) => parts.join('')),
)
const anyLong = fc.oneof(
  fc.maxSafeInteger(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
)

// prettier-ignore
const scalars = {
  string:  anyString,
  long:    anyLong,
  integer: fc.integer(),
  boolean: fc.boolean(),
  flag:    fc.constantFrom('true', 'false'),
  date:    fc.constantFrom('2024-02-29', '2024-02-25T08:00:00', '2024-02-25T08:00:00.000Z', '2024-02-25T08:00:00+0100'),
  number:  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
}
const anyScalar = (scalar: Scalar): fc.Arbitrary<unknown> =>
  typeof scalar === 'string' ? scalars[scalar] : fc.constantFrom(...scalar)

/** Any value that XML can represent: without empty lists and empty texts, which mean the same as absent fields. */
export function anyValue<V>(of: Type<V>, depth = 3): fc.Arbitrary<V> {
  const names = Object.keys(of.fields).filter((name) => !['map', 'anything'].includes(of.fields[name]!.kind))
  const carried = names.filter((name) => depth > 0 || !of.fields[name]!.type)
  const model = Object.fromEntries(carried.map((name) => [name, anyField(of.fields[name]!, depth - 1)]))
  const requiredKeys = names.filter((name) => of.fields[name]!.required)
  return fc.record(model, { requiredKeys }) as fc.Arbitrary<V>
}

function anyField(field: Field, depth: number): fc.Arbitrary<unknown> {
  const one = field.type ? anyValue(field.type(), depth) : anyScalar(field.scalar!)
  if (field.kind === 'text') return one.filter((value) => value !== '')
  return field.kind === 'leaves' || field.kind === 'children' ? fc.array(one, { minLength: 1, maxLength: 3 }) : one
}
