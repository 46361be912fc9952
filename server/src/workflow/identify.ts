/** Numbers that addresses and messages name things by. */
import type { Long } from '@kontor/contract'
import { Problem } from '../errors.ts'

/** An id of an address; what cannot be one names nothing. */
export function idOf(text: string | undefined): number {
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text)
  throw new Problem('notFound', `nothing has the id ${text?.slice(0, 50)}`)
}

/** Ids of a message, each once and in order. A number beyond 2^53 is nobody's id. */
export function idsOf(ids: readonly Long[], most: number): number[] {
  if (ids.length === 0) throw new Problem('invalid', 'ids: nothing to do; name at least one')
  if (ids.length > most) throw new Problem('invalid', `ids: more than ${most}; send less`)
  return [...new Set(ids.map(Number))]
}

/** How many of a list to answer with. */
export function pageOf(count: number | undefined): number {
  if (count === undefined) return 50
  if (count < 0) throw new Problem('invalid', `count: ${count} is less than nothing`)
  return Math.min(count, 1000)
}
