/**
 * Whole numbers above 2^53 are exact in messages (bigint), but not in values that are stored as JSON and read back. They
 * are refused where they would be stored, with their place.
 */
import { Problem } from '../errors.ts'

export function storable<T>(place: string, value: T): T {
  if (typeof value === 'bigint')
    throw new Problem('invalid', `${place}: ${value} is not a whole number from -(2^53 - 1) to 2^53 - 1`)
  if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value))
      storable(Array.isArray(value) ? `${place}[${Number(key) + 1}]` : `${place}/${key}`, part)
  return value
}
