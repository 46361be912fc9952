/** What making and opening segments takes, made once for many of them: analysers remember words, collations are costly. */
import { createAnalyser, type Analyser } from '../analysis/analyse.ts'
import type { Lexicon } from '../analysis/compounds.ts'
import { createCollations } from '../collation.ts'
import type { IndexSchema } from '../port.ts'
import type { Workshop } from './build.ts'
import { isFresh, openFresh } from './fresh.ts'
import { openSegment, type Segment } from './segment.ts'

export type Tools = Omit<Workshop, 'schema' | 'fields' | 'lexicon'>

export function createTools(): Tools {
  const analysers = new Map<string, Analyser>()
  return {
    collationOf: createCollations(),
    analyserOf(locale) {
      const analyser = analysers.get(locale) ?? createAnalyser(locale)
      analysers.set(locale, analyser)
      return analyser
    },
  }
}

export function workshopFor(tools: Tools, schema: IndexSchema, lexicon: Lexicon): Workshop {
  return { ...tools, schema, lexicon, fields: new Map(schema.fields.map((field) => [field.name, field])) }
}

/** Opens what is in shared memory, whichever kind of segment it is. */
export function openAny(buffer: SharedArrayBuffer, workshop: Workshop): Segment {
  return isFresh(buffer) ? openFresh(buffer, workshop) : openSegment(buffer)
}
