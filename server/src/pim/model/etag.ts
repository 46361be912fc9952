/** ETags of the objects of the model, and the `If-Match` that a persist may carry. */
import type { Context } from '../../core/context.ts'
import { demandMatch } from '../../core/http/etag.ts'

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
export const checkMatch = (ctx: Context, objects: readonly (Versioned | undefined)[]): void =>
  demandMatch(
    ctx,
    objects.map((object) => object && etagOf(object)),
  )
