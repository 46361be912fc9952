/** Ids in paths and messages. */
import { Problem } from '../errors.ts'

/** The id in a path. Throws "not found" if it cannot be one. */
export function idOf(text: string | undefined): number {
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text)
  throw new Problem('notFound', `nothing has the id ${text?.slice(0, 50)}`)
}

/** The ids of a message without duplicates, in order. */
export function idsOf(ids: readonly number[], most: number): number[] {
  if (ids.length === 0) throw new Problem('invalid', 'ids: nothing to do; name at least one')
  if (ids.length > most) throw new Problem('invalid', `ids: more than ${most}; send fewer`)
  return [...new Set(ids)]
}

/** The number of results to return. */
export function pageOf(count: number | undefined): number {
  if (count === undefined) return 50
  if (count < 0) throw new Problem('invalid', `count: ${count} is negative`)
  return Math.min(count, 1000)
}
