/**
 * The language in which every shape of the interface is described, once, as data.
 *
 * A type is a name and its fields. A field defines its place in XML, and the JSON form follows from that:
 *
 *   field       XML                                   JSON
 *   attr        <x name="…"/>                         "name": scalar
 *   text        <x>…</x>                              "value": scalar
 *   leaf        <x><name>…</name></x>                 "name": scalar
 *   leaves      <x><name>…</name><name>…</name></x>   "name": [scalar, …]
 *   child       <x><name …/></x>                      "name": {…}
 *   children    <x><name …/><name …/></x>             "name": [{…}, …]
 *   map         (JSON only)                           "name": {key: string, …}
 *   anything    (JSON only)                           "name": any JSON value
 *
 * In memory, a value always has the JSON form. An empty list means the same as an absent one, and an empty `text` the
 * same as an absent one, because XML cannot distinguish them.
 */

/** int64. A number where that is exact, a bigint above 2^53, so that no digit is lost. */
export type Long = number | bigint

/**
 * string   any text XML can carry          long      int64              integer   int32
 * boolean  true or false                   flag      the words 'true' or 'false' (a string in JSON; a boolean is accepted)
 * date     ISO 8601 date-time, kept as sent (without a zone it means UTC)        number   any finite number (JSON only)
 */
export type ScalarName = 'string' | 'long' | 'integer' | 'boolean' | 'flag' | 'date' | 'number'
/** A scalar by name, or the list of allowed words. */
export type Scalar = ScalarName | readonly string[]

interface ScalarValues {
  string: string
  long: Long
  integer: number
  boolean: boolean
  flag: 'true' | 'false'
  date: string
  number: number
}
export type ScalarValue<S extends Scalar> = S extends ScalarName
  ? ScalarValues[S]
  : S extends readonly (infer W)[]
    ? W
    : never

export type FieldKind = 'attr' | 'text' | 'leaf' | 'leaves' | 'child' | 'children' | 'map' | 'anything'

export interface Field<V = unknown, R extends boolean = boolean> {
  readonly kind: FieldKind
  /** For attr, text, leaf, leaves. */
  readonly scalar?: Scalar
  /** For child and children. A function, so that a type can contain itself. */
  readonly type?: () => Type
  /** Readers refuse a message without a required field. */
  readonly required?: R
  /** The smallest and the largest value of a number, if narrower than those of its scalar. */
  readonly range?: readonly [min: number, max: number]
  /** Bounds that the rules of the resource check; see `expects`. */
  readonly expects?: { readonly min: number; readonly max?: number | undefined }
  /** A regular expression of texts that the rules of the resource check; see `matches`. */
  readonly pattern?: string
  /** The maximum number of values in a request, for leaves and children. Default: `maxList`, none for streamed lists. */
  readonly maxItems?: number
  /** The words of an enumeration; see `oneOf`. */
  readonly words?: readonly string[]
  /** For anything: an object is expected; see `anyObject`. */
  readonly isObject?: true
  /** The XML element name, if it differs from the property name. */
  readonly xml?: string
  /** Other names that readers of every format accept. */
  readonly aliases?: readonly string[]
  /** Readers accept both an attribute and an element, because existing clients differ. */
  readonly either?: boolean
  /** Readers of JSON also accept the value as a list of one, because existing clients send that. */
  readonly inList?: boolean
  readonly doc?: string | undefined
  readonly deprecated?: boolean
  /** An empty list is kept, because it does not mean the same as an absent one. JSON only. */
  readonly keepsEmpty?: true
  /** Exists only in the type system: the type of the field's value. */
  readonly _value?: V
}
export type Fields = Record<string, Field>

export interface Type<V = unknown> {
  readonly name: string
  readonly doc: string
  readonly fields: Fields
  /** A request needs at least one of these fields; see `needsOneOf`. */
  readonly oneOf?: readonly string[]
  /** Exactly one of them; see `needsExactlyOneOf`. */
  readonly isExclusive?: true
  readonly _value?: V
}

/**
 * The TypeScript type of a described shape: Infer<typeof Glossary>.
 *
 * Optional fields are exact (`name?: string`, not `string | undefined`): a message either has a field or does not.
 * Readers never produce a field that is undefined, so spreading a message and `in` behave as the type says. Code that
 * builds a message leaves an absent field out: `...(name !== undefined && { name })`.
 */
export type Infer<T> = T extends Type<infer V> ? V : never

type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K] extends Field<unknown, true> ? K : never }[keyof F]
type ValueOf<F extends Fields> = {
  [K in RequiredKeys<F>]: F[K] extends Field<infer V> ? V : never
} & { [K in Exclude<keyof F, RequiredKeys<F>>]?: F[K] extends Field<infer V> ? V : never }

export function type<F extends Fields>(name: string, doc: string, fields: F): Type<ValueOf<F>> {
  return { name, doc, fields }
}

/** A request that selects objects by one of several fields. The handler refuses it without any, in its own words. */
export const needsOneOf = <V>(of: Type<V>, ...oneOf: readonly (keyof V & string)[]): Type<V> => ({ ...of, oneOf })

/** The same for a request that must not have two of these fields. */
export const needsExactlyOneOf = <V>(of: Type<V>, ...oneOf: readonly (keyof V & string)[]): Type<V> => ({
  ...of,
  oneOf,
  isExclusive: true,
})

export const attr = <const S extends Scalar>(scalar: S, doc?: string): Field<ScalarValue<S>, false> => ({
  kind: 'attr',
  scalar,
  doc,
})
export const text = (doc?: string): Field<string, false> => ({ kind: 'text', scalar: 'string', doc })
export const leaf = <const S extends Scalar>(scalar: S, doc?: string): Field<ScalarValue<S>, false> => ({
  kind: 'leaf',
  scalar,
  doc,
})
export const leaves = <const S extends Scalar>(scalar: S, doc?: string): Field<ScalarValue<S>[], false> => ({
  kind: 'leaves',
  scalar,
  doc,
})
export const child = <V>(of: () => Type<V>, doc?: string): Field<V, false> => ({ kind: 'child', type: of, doc })
export const children = <V>(of: () => Type<V>, doc?: string): Field<V[], false> => ({ kind: 'children', type: of, doc })
/** Keeps an empty list, because it does not mean the same as an absent one. */
export const keepsEmpty = <F extends Field<string[], false>>(field: F): F => ({ ...field, keepsEmpty: true })
export const map = (doc?: string): Field<Record<string, string>, false> => ({ kind: 'map', doc })
export const anything = (doc?: string): Field<unknown, false> => ({ kind: 'anything', doc })
/** A JSON object with any fields. The rules of the resource refuse other values. */
export const anyObject = (doc?: string): Field<unknown, false> => ({ ...anything(doc), isObject: true })

/**
 * A text that should be one of `words`: we write no other, and the documents list them. Readers still accept any text,
 * because the rules of the resource know synonyms and word the refusal. To have the reader refuse, use the words as scalar.
 */
export const oneOf = <F extends Field<string, false> | Field<string[], false>>(
  field: F,
  words: readonly string[],
): F => ({
  ...field,
  words,
})

/**
 * The smallest and the largest number, or the lengths of the shortest and the longest text or list, that a request may
 * have. Readers accept others, because the rules of the resource word the refusal.
 */
export const expects = <F extends Field>(field: F, min: number, max?: number): F => ({
  ...field,
  expects: { min, max },
})

/** The texts that a request may have, as a regular expression. Readers accept others, in the same way. */
export const matches = <F extends Field>(field: F, pattern: string): F => ({ ...field, pattern })

/** A long that is exact as a JavaScript number: an id of Kontor's own calls, or a number that is stored in JSON. */
export const safe = <V extends Long | Long[]>(
  field: Field<V, false>,
): Field<V extends Long[] ? number[] : number, false> => ({
  ...(field as Field<never, false>),
  range: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
})

/** The maximum number of values of a list in a request. */
export const maxList = 10_000
/** A list with another maximum. */
export const atMost = <V extends unknown[]>(maxItems: number, field: Field<V, false>): Field<V, false> => ({
  ...field,
  maxItems,
})

export const required = <V>(field: Field<V, false>): Field<V, true> => ({ ...field, required: true })
export const deprecated = <V>(field: Field<V, false>): Field<V, false> => ({ ...field, deprecated: true })
export const alias = <V, R extends boolean>(field: Field<V, R>, ...aliases: string[]): Field<V, R> => ({
  ...field,
  aliases,
})
export const either = <V, R extends boolean>(field: Field<V, R>): Field<V, R> => ({ ...field, either: true })
export const inList = <V, R extends boolean>(field: Field<V, R>): Field<V, R> => ({ ...field, inList: true })
/** The field with another XML element name, which JSON readers accept as an alias. */
export const xmlName = <V, R extends boolean>(field: Field<V, R>, xml: string): Field<V, R> => ({
  ...field,
  xml,
  aliases: [...(field.aliases ?? []), xml],
})
