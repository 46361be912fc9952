/** The outcome of a row, in a sentence that names the column. */
import type { Plan } from './plan.ts'

export interface RowOutcome {
  readonly row: number
  readonly status: 'created' | 'updated' | 'refused'
  readonly tid?: string
  readonly faults?: { column?: string; reason: string }[]
}

/** A refusal has one sentence per fault; `attribute TITLE: …` and `node …` name the columns. */
export function faultsOf(plan: Plan | undefined, message: string): { column?: string; reason: string }[] {
  return message.split(/; (?=attribute )/).map((reason) => {
    const column = plan && columnFor(plan, reason)
    return { ...(column !== undefined && { column }), reason }
  })
}

function columnFor({ levels, headings }: Plan, reason: string): string | undefined {
  const [, key] = /^(?:.*: )?attribute ([^\s:]+):/.exec(reason) ?? []
  for (const level of levels) {
    const group = level.values.find(({ attr, parent }) => key === (parent === undefined ? attr : `${parent}/${attr}`))
    const named = group?.cells.find(({ locale }) => locale !== undefined && reason.includes(locale)) ?? group?.cells[0]
    if (named) return headings[named.index]
  }
  const field = (['node', 'name', 'tid', 'asset'] as const).find((word) => new RegExp(`\\b${word}\\b`).test(reason))
  const index = field === undefined ? -1 : field === 'asset' ? (levels[0].assets[0]?.index ?? -1) : levels[0][field]
  return headings[index]
}
