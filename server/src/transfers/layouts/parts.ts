/** Pieces that several layouts use. */
import { Problem } from '../../errors.ts'
import { joinList } from '../lists.ts'
import { isAddress } from '../mapping.ts'
import type { Level } from '../plan.ts'
import type { SourceRow } from '../read/source.ts'
import type { LayoutRow, LayoutScope, ObjectRow, Target } from './layout.ts'

export type Entry = LayoutRow['entries'][number]

export const field = (level: Level, name: 'tid' | 'name' | 'node' | 'asset', from: string): Target => ({
  level,
  field: name,
  from,
})
export const attribute = (level: Level, attr: string, from: string, make?: Target['make']): Target => ({
  level,
  attr,
  from,
  ...(make && { make }),
})

/** A technical identifier for a heading: `Body (HTML)` is body_html. */
export const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')

/** The texts of a cell, separated by a sign of the other system, as a list of Kontor. */
export const relist = (cell: string, sign: string, { separator }: LayoutScope): string =>
  joinList(partsOf(cell, sign), separator)
/** A backslash before the sign keeps it in the text. */
export const partsOf = (cell: string, sign: string): string[] =>
  cell
    .split(new RegExp(`(?<!\\\\)\\${sign}`))
    .map((part) => part.replaceAll(`\\${sign}`, sign).trim())
    .filter((part) => part !== '')

const words = new Map([['1', 'true'], ['yes', 'true'], ['true', 'true'], ['0', 'false'], ['no', 'false'], ['false', 'false']]) // prettier-ignore
/** Words of other systems for yes and no; others as they are, for the refusal that names them. */
export const toBoolean = (cell: string): string => words.get(cell.trim().toLowerCase()) ?? cell

/**
 * Files become assets that are linked. Addresses are also kept as texts if there is an attribute for them, because exports
 * to shops need addresses; one that cannot be downloaded does not refuse its row. A profile can give the column another
 * meaning. `own`: the files that no earlier row of the product had.
 */
export function pictures(
  level: Level,
  from: string,
  all: readonly string[],
  scope: LayoutScope,
  own: readonly string[] = all,
): Entry[] {
  const target = attribute(level, 'images', from, { type: 'text', multi: true, label: 'Images' })
  const listed = (names: readonly string[]) => joinList(names, scope.separator)
  if (all.length === 0) return []
  if (scope.profile?.columns?.some(({ column }) => column === from)) return [[target, listed(all)]]
  return [
    [{ ...field(level, 'asset', from), isOptional: true }, listed(own)],
    ...textCopy(scope, target, listed(all.filter(isAddress))),
  ]
}

/** Names are unique within a node in Kontor, but not elsewhere: the second product of a name has its tid behind it. */
export function uniqueNames(): (place: string, name: string, tid: string) => string {
  const owners = new Map<string, string>()
  return (place, name, tid) => {
    const text = name.trim().slice(0, 255)
    const key = `${place}\n${text.toLowerCase()}`
    const owner = owners.get(key)
    if (owner === undefined) owners.set(key, tid)
    return owner === undefined || owner === tid ? text : `${text.slice(0, 200)} (${tid})`
  }
}

/** Refuses the row for a column, while its other columns are read. */
export type Refuse = (from: string, reason: string) => void

/** The node of the first category that exists. A constant of the profile replaces it. */
export function nodeIn(scope: LayoutScope, choices: readonly (readonly string[])[], from: string, refuse: Refuse) {
  if (scope.profile?.constants?.node !== undefined) return undefined
  try {
    return scope.nodeOf(...choices)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    refuse(from, error.message)
    return undefined
  }
}

/** Categories or addresses as texts, beside the node or the files: only if there is an attribute for them. */
export const textCopy = ({ kindOf, createModel }: LayoutScope, target: Target, text: string): Entry[] =>
  text !== '' && (createModel || kindOf(target.attr!)) ? [[target, text]] : []

/** The texts of a row by heading. */
export interface Cells {
  /** The first of these columns that has a text. */
  get(...headings: readonly string[]): string
  /** Whether there is such a column. */
  has(heading: string): boolean
  /** All columns with a text. */
  readonly filled: readonly (readonly [heading: string, text: string])[]
}

/**
 * The rows of a table. `work` returns the entries of a row; a Problem that it throws refuses the row, and names the
 * column `from`.
 */
export async function* tableRows(
  headings: readonly string[],
  rows: AsyncIterable<SourceRow> | Iterable<SourceRow>,
  work: (cells: Cells, refuse: Refuse) => readonly Entry[] | Pick<ObjectRow, 'container' | 'item'>,
): AsyncGenerator<LayoutRow | ObjectRow> {
  for await (const row of rows) {
    if (!('cells' in row)) continue
    const { number, cells, faults = [] } = row
    const unread = faults.map(({ index, reason }) => ({ from: headings[index] ?? '', reason }))
    const shown = { number, sent: cells }
    try {
      const found = work(cellsOf(headings, cells), (from, reason) => void unread.push({ from, reason }))
      yield 'container' in found ? { ...shown, ...found } : { ...shown, entries: found, faults: unread }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      yield { ...shown, entries: [], faults: [...unread, { from: '', reason: error.message }] }
    }
  }
}

export function cellsOf(headings: readonly string[], cells: readonly string[]): Cells {
  const byHeading = new Map(headings.map((heading, i) => [heading, cells[i] ?? '']))
  const isResult = [...added].every((heading) => byHeading.has(heading))
  const isOwn = (heading: string) => heading !== '' && heading !== 'ignore' && !(isResult && added.has(heading))
  const owned = [...byHeading].filter(([heading, text]) => isOwn(heading) && text.trim() !== '')
  return {
    get: (...names) => names.map((name) => (byHeading.get(name) ?? '').trim()).find((text) => text !== '') ?? '',
    has: (heading) => byHeading.has(heading),
    filled: owned,
  }
}
/** Added by the result file of an import. */
const added = new Set(['status', 'message'])

/** Columns with the same heading: only one of them could be read. `toKnown`: the same heading of another version. */
export function repeatedHeadings(
  headings: readonly string[],
  toKnown = (heading: string) => heading,
): Map<string, string> {
  const first = new Map<string, number>()
  const found = new Map<string, string>()
  const isResult = [...added].every((heading) => headings.includes(heading))
  headings.forEach((heading, i) => {
    const known = toKnown(heading)
    if (known === '' || known === 'ignore' || (isResult && added.has(known))) return
    const before = first.get(known)
    if (before === undefined) first.set(known, i)
    else found.set(heading, `columns ${before + 1} and ${i + 1} both are ${known}; rename or remove one of them`)
  })
  return found
}
