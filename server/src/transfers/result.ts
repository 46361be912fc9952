/** The result of an import as a table: the refused rows with the reason for each. */
import type { Opened } from './open.ts'
import type { RowOutcome } from './outcomes.ts'
import type { Plan } from './plan.ts'
import * as rows from './transfers.sql.ts'
import type { Db } from '../adapters/postgres/db.ts'

export async function* outcomesOf(db: Db, id: string, onlyRefused: boolean, from = 0): AsyncGenerator<RowOutcome> {
  for (let after = (await rows.findPieceOf(db, id, from + 1)) - 1; ;) {
    const piece = await rows.nextOutcomes<RowOutcome>(db, id, after, onlyRefused)
    if (!piece) return
    after = piece.firstRow
    for (const one of piece.outcomes) if (one.row > from && (!onlyRefused || one.status === 'refused')) yield one
  }
}

const own = ['status', 'message'] as const

/** The positions of the columns of the file, without those that an earlier result file added. */
const keptOf = ({ headings, sentHeadings, ignored }: Plan) =>
  (sentHeadings ?? headings).flatMap((heading, i) =>
    (sentHeadings ?? ignored.has(i)) && own.some((name) => name === heading) ? [] : [i],
  )
/** Objects and documents have no cells: their result is a list. */
const tableOf = (plan: Plan | undefined) => (plan?.sentHeadings?.length === 0 ? undefined : plan)

/** A profile may give status and message a meaning; then ours have a heading that an import passes over. */
export function resultHeadings(opened: Opened): string[] {
  const plan = tableOf(opened.plan)
  const kept = plan ? keptOf(plan).map((i) => (plan.sentHeadings ?? plan.headings)[i]!) : ['row', 'tid']
  return [...kept, ...own.map((name) => (kept.includes(name) ? 'ignore' : name))]
}

/** Both are in the order of rows and are merged. */
export async function* resultRows(db: Db, id: string, { source, ...opened }: Opened): AsyncGenerator<string[]> {
  const plan = tableOf(opened.plan)
  const refused = outcomesOf(db, id, true)
  if (!plan) {
    for await (const { row, tid = '', status, faults } of refused) yield [String(row), tid, status, messageOf(faults)]
    return
  }
  const kept = keptOf(plan)
  const lines = source.rows[Symbol.asyncIterator]()
  for await (const { row, status, faults } of refused) {
    for (;;) {
      const { done, value } = await lines.next()
      if (done) return
      if (value.number < row) continue
      const cells = 'fault' in value ? [] : (value.sent ?? ('cells' in value ? value.cells : []))
      const surplus = cells.slice((plan.sentHeadings ?? plan.headings).length) // stays behind the headings, and is refused again
      yield [...kept.map((i) => cells[i] ?? ''), status, messageOf(faults), ...surplus]
      break
    }
  }
}

const messageOf = (faults: RowOutcome['faults'] = []) =>
  faults.map(({ column, reason }) => (column === undefined ? reason : `${column}: ${reason}`)).join('; ')
