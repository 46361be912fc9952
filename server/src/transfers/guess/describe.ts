/** How the beginning of a file is read with a profile: the target of each column, and what its cells become. */
import type { Infer, TransferMapping } from '@kontor/contract'
import { sizeOf } from '../../core/batch/sizes.ts'
import type { Caller } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { previewRows } from '../imports.ts'
import { applyProfile } from '../mapping.ts'
import { readerOf, type TransferNeeds } from '../needs.ts'
import { type Opened, withSource } from '../open.ts'
import type { Profile } from '../options.ts'
import { columnOf, headingOf, type Plan } from '../plan.ts'
import type { SourceRow } from '../read/source.ts'
import type { TransferRow } from '../transfers.sql.ts'
import type { GuessedColumn } from './targets.ts'

type Mapping = Infer<typeof TransferMapping>
type Sample = NonNullable<NonNullable<Mapping['columns']>[number]['samples']>[number]

const maxRows = 200
/** Characters of these rows, except for a single longer one. */
const maxSize = 1024 * 1024
const maxSamples = 3
const maxShown = 200
const previewed = 10

export function describeMapping(
  needs: TransferNeeds,
  caller: Caller,
  row: TransferRow,
  profile: Profile,
  guessed: readonly GuessedColumn[] = [],
): Promise<Mapping> {
  const { encoding, ...options } = row.options
  const tried = { ...row, options: { ...options, profile, ...(encoding && profile.encoding === undefined && { encoding }) } } // prettier-ignore
  return withSource(readerOf(needs, caller), needs, tried, async (opened) => {
    const { plan } = opened
    if (!plan) return { profile, columns: [] }
    const read = await beginningOf(opened)
    const find = await needs.findCategory(readerOf(needs, caller))
    const nodeOf = (text: string) => find(text) ?? unknownCategory(text)
    const columns = [...plan.headings, ...plan.added.map(({ heading }) => heading)].map((heading, index) => {
      const guess = guessed.find(({ column }) => column === heading)
      const column = columnOf(heading, profile)
      const target = profile.columns?.find((one) => one.column === heading)
      const fault = plan.faults.get(heading)
      return {
        column: heading,
        ...(target && { target }),
        ...(column && { meaning: headingOf(column) }),
        confidence: guess?.confidence ?? 1,
        reason: guess?.reason ?? (target ? ('profile' as const) : ('heading' as const)),
        samples: samplesOf(plan, read, index, index === plan.levels[0].node ? nodeOf : undefined),
        ...(fault !== undefined && { fault }),
      }
    })
    const rows = { ...opened, source: { ...opened.source, rows: each(read) } }
    return { profile, columns, rows: await previewRows(needs, caller, tried, rows, previewed) }
  })
}

async function beginningOf({ source }: Opened): Promise<SourceRow[]> {
  const found: SourceRow[] = []
  let size = 0
  for await (const row of source.rows) {
    found.push(row)
    size += 'cells' in row ? sizeOf(row.cells) : 0
    if (found.length >= maxRows || size >= maxSize) break
  }
  return found
}

async function* each(rows: readonly SourceRow[]) {
  yield* rows
}

/** Some different cells of the column, with what they become. */
function samplesOf(
  plan: Plan,
  rows: readonly SourceRow[],
  index: number,
  nodeOf: ((text: string) => string) | undefined,
): Sample[] {
  const samples = new Map<string, Sample>()
  for (const row of rows) {
    if (samples.size >= maxSamples) break
    const read = applyProfile(plan, row)
    if (!('cells' in row) || !('cells' in read)) continue
    const cell = row.cells[index] ?? ''
    const value = read.cells[index] ?? ''
    const key = cell === '' ? value : cell
    if (key.trim() === '' || samples.has(key)) continue
    const fault = read.faults?.find((one) => one.index === index)?.reason
    samples.set(key, { cell: cell.slice(0, maxShown), ...(fault === undefined ? become(value, nodeOf) : { fault }) })
  }
  return [...samples.values()]
}

function unknownCategory(text: string): never {
  throw new Problem('notFound', `no category has the path or name ${text.slice(0, 100)}`)
}

function become(value: string, nodeOf: (text: string) => string = (text) => text): Omit<Sample, 'cell'> {
  try {
    return { value: nodeOf(value).slice(0, maxShown) }
  } catch (error) {
    if (error instanceof Problem) return { fault: error.message }
    throw error
  }
}
