/** A small sample value for types without a hand-written example: the required fields and the first scalar fields. */
import type { Field, Scalar, ScalarName, ScalarValue, Type } from '../schema/describe.ts'

const optionalScalars = 3

export function sampleOf({ fields }: Type): object {
  const all = Object.entries(fields)
  const scalarFields = all.filter(([, field]) => field.scalar !== undefined && !field.required && !field.deprecated)
  const included = new Set([...all.filter(([, field]) => field.required), ...scalarFields.slice(0, optionalScalars)])
  return Object.fromEntries(
    all.filter((entry) => included.has(entry)).map(([name, field]) => [name, valueOf(name, field)]),
  )
}

function valueOf(name: string, { kind, scalar, words, type }: Field): unknown {
  const value = scalar === undefined ? type && sampleOf(type()) : (words?.[0] ?? scalarOf(name, scalar))
  if (kind === 'map' || kind === 'anything') return { key: 'value' }
  return kind === 'leaves' || kind === 'children' ? [value] : value
}

function scalarOf(name: string, scalar: Scalar): unknown {
  if (typeof scalar !== 'string') return scalar[0]
  return scalar === 'string' ? (texts[name] ?? name) : scalars[scalar]
}

// prettier-ignore
const scalars: { [S in Exclude<ScalarName, 'string'>]: ScalarValue<S> } = {
  long: 4711, integer: 1, number: 1.5, boolean: true, flag: 'true', date: '2025-03-05T08:00:00.000Z',
}
// prettier-ignore
const texts: Readonly<Record<string, string>> = {
  tid: 'dinghy', tids: 'dinghy', name: 'Dinghy', path: '/boats/dinghy', loc: 'en_GB', schemaVersion: '5.6.0', attr: 'length',
}
