/** Finds products by texts of other systems, such as file names: exactly, or similar ones. */
import type { Context } from '../../core/context.ts'
import { type MatchedBy, type MatchedProduct, matchProducts as match, neighbours } from './products.match.sql.ts'
import { readable } from './products.sql.ts'

interface By {
  readonly by: MatchedBy
  readonly attribute?: string
}
type Reader = Pick<Context, 'db' | 'caller'>
type Named = Pick<MatchedProduct, 'tid' | 'name'>

/** The products that the caller may read. Values of attributes are not checked for the caller's rights. */
export const matchProducts = ({ db, caller }: Reader, { by, attribute = '' }: By, keys: readonly string[]) =>
  match(db, by, attribute, keys, readable(caller.permissions))

const maxNearest = 3
const maxLength = 100

/** Products that the caller may read whose tid or name differs in a few characters. Identifiers are not compared. */
export async function nearestProducts({ db, caller }: Reader, { by }: By, keys: readonly string[]) {
  const found = new Map<string, Named[]>()
  if (by === 'attribute' || by === 'article') return found
  const short = keys.filter((key) => key.length <= maxLength)
  const rows = await neighbours(db, by, short, readable(caller.permissions), maxNearest)
  for (const [key, some] of Map.groupBy(rows, (row) => row.key)) {
    const most = Math.max(1, Math.floor(key.length / 4))
    const close = some
      .map(({ tid, name }) => ({
        tid,
        name,
        distance: distanceOf(key.toLowerCase(), (by === 'tid' ? tid : name).toLowerCase()),
      }))
      .filter(({ distance }) => distance <= most)
      .toSorted((a, b) => a.distance - b.distance)
    if (close.length > 0) found.set(key, close.slice(0, maxNearest).map(({ tid, name }) => ({ tid, name }))) // prettier-ignore
  }
  return found
}

/** Levenshtein's: the number of characters to insert, delete or replace. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}
