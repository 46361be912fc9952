/** ETags of the objects of the model, and the `If-Match` that a persist may carry. */
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'

interface Versioned {
  readonly id: number
  readonly version?: number
}
export const etagOf = ({ id, version = 0 }: Versioned) => `"${id}-${version}"`

/** Gives the reply the ETag of the one object that was asked for. */
export function tagOnly({ tag }: Context, asked: readonly unknown[] | undefined, found: readonly Versioned[]): void {
  if (asked?.length === 1 && found.length === 1) tag?.(etagOf(found[0]!))
}

/** `If-Match` holds for one object: it must be as the caller has seen it. */
export function checkMatch({ ifMatch }: Context, objects: readonly (Versioned | undefined)[]): void {
  if (ifMatch === undefined) return
  if (objects.length !== 1) throw new Problem('invalid', 'If-Match: is taken only with exactly one object')
  const current = objects[0] && etagOf(objects[0])
  if (current !== undefined && ifMatch.some((etag) => etag === '*' || etag === current)) return
  throw new Problem(
    'notMatched',
    `the object has changed meanwhile, or does not exist: its ETag is ${current ?? 'none'}; retrieve it again`,
  )
}
