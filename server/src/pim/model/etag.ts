/** ETags of the objects of the model, and the `If-Match` that a persist may carry. */
import type { Context } from '../../core/context.ts'
import { demandMatch } from '../../core/http/etag.ts'

interface Versioned {
  readonly id: number
  readonly version?: number
}
export const etagOf = ({ id, version = 0 }: Versioned) => `"${id}-${version}"`

/** Sets the ETag of the reply if a single object was requested. */
export function tagOnly({ tag }: Context, asked: readonly unknown[] | undefined, found: readonly Versioned[]): void {
  if (asked?.length === 1 && found.length === 1) tag?.(etagOf(found[0]!))
}

/** Checks `If-Match`, which is for a single object: its version must be the one that the caller read. */
export const checkMatch = (ctx: Context, objects: readonly (Versioned | undefined)[]): void =>
  demandMatch(
    ctx,
    objects.map((object) => object && etagOf(object)),
  )
