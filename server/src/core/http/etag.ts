/** `If-Match` of a persist: the object must not have changed since the caller read it. */
import { because } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import type { Context } from '../context.ts'

/** The ETags of the existing objects among those that were sent. */
export function demandMatch({ ifMatch }: Context, current: readonly (string | undefined)[]): void {
  if (ifMatch === undefined) return
  if (current.length !== 1) throw new Problem('invalid', 'If-Match: is taken only with exactly one object')
  const [etag] = current
  if (etag !== undefined && ifMatch.some((one) => one === '*' || one === etag)) return
  throw new Problem('notMatched', because('changedMeanwhile', { etag: etag ?? 'none' }))
}
