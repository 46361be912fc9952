/** The outcome of a row, in a sentence that names the column. */
import { Problem } from '../errors.ts'
import type { Plan } from './plan.ts'
import type { CellFault } from './read/source.ts'

export interface Fault {
  column?: string
  reason: string
}
export interface RowOutcome {
  readonly row: number
  readonly status: 'created' | 'updated' | 'unchanged' | 'refused' | 'deleted'
  readonly tid?: string
  readonly faults?: Fault[]
  /** Files that could not be downloaded, without which the row is imported; and texts that a glossary warns of. */
  readonly warnings?: Fault[]
}

/** Refuses a row because of cells that cannot be read. Cells of columns that are not imported do not matter. */
export class UnreadCells extends Problem {
  readonly faults: readonly Fault[]
  private constructor(faults: readonly Fault[]) {
    super(
      'invalid',
      faults.map(({ reason }) => reason),
    )
    this.faults = faults
  }
  static of({ headings, ignored }: Plan, found: readonly CellFault[]): UnreadCells | undefined {
    const faults = found
      .filter(({ index }) => !ignored.has(index))
      .map(({ index, reason }) => (headings[index] ? { column: headings[index], reason } : { reason }))
    return faults.length === 0 ? undefined : new UnreadCells(faults)
  }
}

/** A refusal has one sentence per fault; `attribute TITLE: …` and `node …` name the columns. */
export function faultsOf(plan: Plan | undefined, refusal: Problem | string): Fault[] {
  if (refusal instanceof UnreadCells) return [...refusal.faults]
  const message = typeof refusal === 'string' ? refusal : refusal.message
  return message.split(/; (?=attribute )/).map((reason) => {
    const column = plan && columnFor(plan, reason)
    return { ...(column !== undefined && { column }), reason }
  })
}

function columnFor({ levels, headings: own, added }: Plan, reason: string): string | undefined {
  const [, key] = /^(?:.*: )?attribute ([^\s:]+):/.exec(reason) ?? []
  const headings = [...own, ...added.map(({ heading }) => heading)]
  for (const level of levels) {
    const group = level.values.find(({ attr, parent }) => key === (parent === undefined ? attr : `${parent}/${attr}`))
    const named = group?.cells.find(({ locale }) => locale !== undefined && reason.includes(locale)) ?? group?.cells[0]
    if (named) return headings[named.index]
  }
  const field = (['node', 'name', 'tid', 'asset'] as const).find((word) => new RegExp(`\\b${word}\\b`).test(reason))
  const index = field === undefined ? -1 : field === 'asset' ? (levels[0].assets[0]?.index ?? -1) : levels[0][field]
  return headings[index]
}
