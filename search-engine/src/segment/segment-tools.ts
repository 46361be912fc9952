/** Analysers and collations for building and opening segments. Shared, because both are expensive to create. */
import { createAnalyser } from '../analysis/analyse.ts'
import type { Lexicon } from '../analysis/compounds.ts'
import { createCollations } from '../collation.ts'
import { memoize } from '../memoize.ts'
import type { IndexSchema } from '../port.ts'
import type { SegmentTools } from './build.ts'
import { isDelta, openDelta } from './delta.ts'
import { openSegment, type Segment } from './segment.ts'

type LocaleTools = Omit<SegmentTools, 'schema' | 'fields' | 'lexicon'>

export function createLocaleTools(): LocaleTools {
  return { collationOf: createCollations(), analyserOf: memoize(createAnalyser) }
}

export function createSegmentTools(tools: LocaleTools, schema: IndexSchema, lexicon: Lexicon): SegmentTools {
  return { ...tools, schema, lexicon, fields: new Map(schema.fields.map((field) => [field.name, field])) }
}

/** Opens a segment of either kind. */
export function openEither(buffer: SharedArrayBuffer, tools: SegmentTools): Segment {
  return isDelta(buffer) ? openDelta(buffer, tools) : openSegment(buffer)
}
