/**
 * Reads the contract's description of a shape as a list of fields, each with the control that fits it. The generic list and
 * the generic form are built on it, so a field added to the contract appears in both.
 *
 *   described as                             control
 *   string                                   text
 *   list of words                            choice
 *   boolean, flag                            checkbox
 *   long, integer, number                    number
 *   date                                     date
 *   leaves                                   list
 *   child that is a name per locale          names
 *   child with fields of the kinds above     group
 *   anything else                            none: shown only where a page supplies its own control or column
 */
import type { Field, Type } from '@kontor/contract'

export type Control = 'text' | 'choice' | 'checkbox' | 'number' | 'date' | 'list' | 'names' | 'group' | 'none'

export interface DescribedField {
  readonly name: string
  readonly control: Control
  readonly field: Field
}

/** A page's exceptions by field: `false` hides a field, anything else changes how it is shown. */
export type Exceptions<V, E> = { readonly [K in keyof V]?: false | E }

/** Exceptions that hide fields. */
export const hide = <K extends string>(...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, false])) as Readonly<Record<K, false>>

/** The page's exception for a field; empty where it has none. */
export function exceptionOf<V, E extends object>(exceptions: Exceptions<V, E>, name: string): Partial<E> {
  const exception = exceptions[name as keyof V] as false | E | undefined
  return exception || {}
}

/** The fields to show: those the page mentions, in its order, then all others in the order of the contract. */
export function fieldsOf<V, E>(type: Type<V>, exceptions: Exceptions<V, E> = {}): DescribedField[] {
  const mentioned = Object.keys(exceptions)
  const others = Object.keys(type.fields).filter((name) => !mentioned.includes(name))
  return [...mentioned, ...others].flatMap((name) => {
    const field = type.fields[name]
    if (!field || field.deprecated || exceptions[name as keyof V] === false) return []
    return [{ name, field, control: controlOf(field) }]
  })
}

function controlOf({ kind, scalar, type }: Field): Control {
  if (kind === 'leaves') return 'list'
  if (kind === 'child') return isNames(type!()) ? 'names' : isFlat(type!()) ? 'group' : 'none'
  if (kind === 'children' || kind === 'map' || kind === 'anything') return 'none'
  if (typeof scalar !== 'string') return scalar === undefined ? 'text' : 'choice'
  return scalarControls[scalar]
}

const scalarControls = {
  string: 'text',
  boolean: 'checkbox',
  flag: 'checkbox',
  long: 'number',
  integer: 'number',
  number: 'number',
  date: 'date',
} as const

const isNames = ({ name }: Type) => name === 'name' || name === 'tooltip'
const isFlat = ({ fields }: Type) => Object.values(fields).every(({ kind }) => kind === 'attr' || kind === 'leaf')

/** The words a choice or a list is restricted to. */
export const wordsOf = ({ scalar }: Field): readonly string[] | undefined =>
  scalar === undefined || typeof scalar === 'string' ? undefined : scalar

export const isTrue = (value: unknown): boolean => value === true || value === 'true'

/** `mustChangePassword` becomes `Must change password`: the label of a field that an area has no text for. */
export function humanise(name: string): string {
  const spaced = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** An object with one field set; `undefined` removes the field. */
export function withField<V extends object>(object: V, name: string, value: unknown): V {
  const { [name as keyof V]: _, ...others } = object
  return (value === undefined ? others : { ...object, [name]: value }) as V
}

/** A message without empty texts. A name without text is sent as a locale alone, which removes it. */
export function withoutEmptyTexts<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutEmptyTexts) as T
  if (typeof value !== 'object' || value === null) return value
  const isEmpty = (one: unknown) => one === undefined || (typeof one === 'string' && one.trim() === '')
  const kept = Object.entries(value).flatMap(([name, one]) => (isEmpty(one) ? [] : [[name, withoutEmptyTexts(one)]]))
  return Object.fromEntries(kept) as T
}

/** Whether all required fields have a value. */
export const isComplete = (value: object, required: readonly string[]): boolean =>
  required.every((name) => {
    const one = (value as Readonly<Record<string, unknown>>)[name]
    return Array.isArray(one) ? one.length > 0 : one !== undefined && String(one).trim() !== ''
  })
