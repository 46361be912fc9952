/** The form of a task: validates submitted values by the type of their field. */
import { Problem } from '../../errors.ts'
import { readValues, type Value } from '../value-types.ts'
import type { FieldRow } from './tasks.sql.ts'

/** Returns the checked values by key. Throws a Problem that lists all faults. */
export function readForm(form: readonly FieldRow[], answered: unknown): Record<string, Value | Value[]> {
  const given = answers(answered)
  const known = new Set(form.map(({ key }) => key))
  const faults = [...given.keys()].flatMap((key) =>
    known.has(key)
      ? []
      : [`values: the form has no field "${key.slice(0, 50)}"; it has ${[...known].join(', ') || 'none'}`],
  )
  const values: Record<string, Value | Value[]> = {}
  for (const field of form) {
    const texts = given.get(field.key) ?? (field.defaultValue === undefined ? [] : [field.defaultValue])
    if (texts.length === 0) {
      if (field.required) faults.push(`values: ${field.key} is missing`)
      values[field.key] = field.multiple ? [] : ''
      continue
    }
    const read = readValues(field, texts)
    if ('fault' in read) faults.push(`values: ${read.fault}`)
    else values[field.key] = read.value
  }
  if (faults.length > 0) throw new Problem('invalid', faults)
  return values
}

/** Accepts numbers and booleans as such or as text, several values as a list. An empty text counts as no value. */
function answers(answered: unknown): ReadonlyMap<string, string[]> {
  if (answered === undefined || answered === null) return new Map()
  if (typeof answered !== 'object' || Array.isArray(answered))
    throw new Problem('invalid', 'values: expected an object')
  return new Map(
    Object.entries(answered).map(([key, value]): [string, string[]] => {
      const list: unknown[] = Array.isArray(value) ? value : [value]
      return [key, list.filter((one) => one !== null && one !== '').map((one) => textOf(key, one))]
    }),
  )
}

function textOf(key: string, value: unknown): string {
  if (typeof value === 'string' && value.length <= maxText) return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Problem(
    'invalid',
    `values: ${key.slice(0, 50)} must be a text of at most ${maxText} characters, a number, true or false`,
  )
}

const maxText = 10_000
