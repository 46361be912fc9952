/** Calls about the rows of an import: their outcomes, and corrected rows to import again. */
import { because } from '@kontor/contract'
import type { Infer, transfer as contract, TransferRow } from '@kontor/contract'
import { sizeOf } from '../core/batch/sizes.ts'
import { toStored } from '../core/context.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { Problem } from '../errors.ts'
import { storeFile } from './files.ts'
import { keepsFormulas } from './formulas.ts'
import { readerOf, type TransferNeeds } from './needs.ts'
import { type Opened, withSource } from './open.ts'
import type { Plan } from './plan.ts'
import { outcomesOf } from './result.ts'
import { find, showWhole } from './show.ts'
import * as rows from './transfers.sql.ts'
import { toCsv } from './write/tables.ts'

type Routes = Pick<typeof contract.routes, 'listRows' | 'correctRows'>
type Row = Infer<typeof TransferRow>

const statuses = ['created', 'updated', 'unchanged', 'refused', 'deleted', 'warned']
const maxCorrected = 1000
/** Characters of the cells in a reply; further rows come without theirs. */
const maxCells = 8 * 1024 * 1024

/** The rows of other layouts are not the rows of the file. */
const isPlain = (plan: Plan | undefined): plan is Plan => plan !== undefined && plan.sentHeadings === undefined

export const rowRoutes = (needs: TransferNeeds): RouteHandlers<Routes> => {
  const opened = <T>(
    caller: Parameters<typeof readerOf>[1],
    row: rows.TransferRow,
    work: (found: Opened) => Promise<T>,
  ) => withSource(readerOf(needs, caller), needs, row, work)
  return {
    async listRows({ db, caller }, { params, query: { status, after, count, cells }, continues }) {
      const row = await find(db, caller, params.id!, 'import')
      if (status !== undefined && !statuses.includes(status))
        throw new Problem(
          'invalid',
          `status: unknown status ${status.slice(0, 50)}; expected one of ${statuses.join(', ')}`,
        )
      const most = Math.min(wholeOf('count', count, 100), 1000)
      const found: Row[] = []
      for await (const one of outcomesOf(db, row.id, status === 'refused', wholeOf('after', after, 0))) {
        if (status === 'warned' ? !one.warnings : status !== undefined && one.status !== status) continue
        if (found.length >= most) {
          continues(Number(found.at(-1)!.row))
          break
        }
        found.push(one)
      }
      if (cells !== 'true' || found.length === 0) return { rows: found }
      return opened(caller, row, async ({ source, plan }) =>
        isPlain(plan) ? { rows: await withCells(source.rows, found), headings: [...plan.headings] } : { rows: found },
      )
    },
    async correctRows({ db, caller }, { params, body: { rows: corrected = [] } }) {
      const row = await find(db, caller, params.id!, 'import')
      if (row.state === 'running' || row.state === 'validating' || row.state === 'paused')
        throw new Problem('inUse', because('importRunning', { state: row.state }))
      if (corrected.length === 0 || corrected.length > maxCorrected)
        throw new Problem('invalid', `rows: expected 1 to ${maxCorrected} rows`)
      const headings = await opened(caller, row, async ({ plan }) => (isPlain(plan) ? plan.headings : undefined))
      if (!headings) throw new Problem('invalid', 'only the rows of a plain table can be corrected; correct the file and send it again') // prettier-ignore
      const wide = corrected.find(({ cells = [] }) => cells.length > headings.length)
      if (wide) throw new Problem('invalid', `row ${wide.row}: cells: more than the ${headings.length} headings`)
      const { profile, ...others } = row.options
      const options = { ...others, ...(profile && { profile }), encoding: 'utf-8' as const }
      const table = (async function* () {
        for (const { cells = [] } of corrected) yield headings.map((_, i) => cells[i] ?? '')
      })()
      const csv = toCsv(headings, table, {
        keepsFormulas: keepsFormulas(options),
        delimiter: profile?.delimiter,
        headerRow: profile?.headerRow,
      })
      const name = `${row.name.replace(/\.\w+$/, '').slice(0, 200)}-corrected.csv`
      return needs.database.transaction(async (inside) => {
        const made = await rows.insertTransfer(inside, { direction: 'import', format: 'csv', name, options, principal: toStored(caller), state: 'received' }) // prettier-ignore
        await storeFile(inside, made.id, csv)
        return showWhole((await rows.findTransfer(inside, made.id))!)
      })
    },
  }
}

/** Both are in the order of the file. */
async function withCells(source: Opened['source']['rows'], found: readonly Row[]): Promise<Row[]> {
  const wanted = new Map(found.map((row) => [Number(row.row), row]))
  const last = Number(found.at(-1)!.row)
  const made = new Map<number, Row>()
  let size = 0
  for await (const line of source) {
    if (line.number > last || size > maxCells) break
    const row = wanted.get(line.number)
    if (row && 'cells' in line) size += sizeOf(line.cells)
    if (row) made.set(line.number, 'cells' in line ? { ...row, cells: [...line.cells] } : row)
  }
  return found.map((row) => made.get(Number(row.row)) ?? row)
}

export function wholeOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Problem('invalid', `${name}: ${text.slice(0, 50)} is not a whole number`)
}
