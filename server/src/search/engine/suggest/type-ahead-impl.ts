import type { LiveSegment } from '../execute/search.ts'
import type { QueryContext } from '../execute/words.ts'
import type { TypeAheadAnswer, TypeAheadRequest } from '../port.ts'
export function typeAhead(
  _context: QueryContext,
  _parts: readonly LiveSegment[],
  _request: TypeAheadRequest,
): TypeAheadAnswer {
  return { suggestions: [], corrections: [] }
}
