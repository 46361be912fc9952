/**
 * Guesses the profile of a table: where it begins, what its columns mean, and how its cells are written.
 *
 * A column gets the best meaning that no other column fits better. Codes decide the levels: if the values of one code
 * repeat and each value of another belongs to one of them, the first is the product and the second its article.
 */
import type { Context } from '../../core/context.ts'
import type { TransferNeeds } from '../needs.ts'
import { type Defined, readDefinitions } from '../open.ts'
import type { Profile } from '../options.ts'
import type { TransferRow } from '../transfers.sql.ts'
import { amountOf, conversionOf, isUnit, unchanged } from '../units.ts'
import { fold, parseHeading } from './headings.ts'
import { type Layout, layoutOf, storedDecimal } from './layout.ts'
import { levelled } from './levels.ts'
import { booleansOf, dateFormatOf, numbersOf } from './notations.ts'
import { createTargets, type GuessedColumn, type Match, type Target } from './targets.ts'

interface Guess {
  readonly profile: Profile
  readonly columns: readonly GuessedColumn[]
  readonly sheets?: readonly string[]
}

/** Choices of an attribute that are translated; a longer list is not. */
const maxChoices = 500

export async function guessProfile(needs: TransferNeeds, ctx: Context, row: TransferRow): Promise<Guess> {
  const definitions = await readDefinitions(ctx, needs.retrieveDefinitions)
  const targets = createTargets(definitions)
  const layout = await layoutOf(ctx, row, (heading) => targets.exact(heading).length > 0)
  const matches = await targets.all(layout.headings)
  const locales = await needs.contentLocales(ctx)
  const assigned = levelled(assign(layout.headings, matches, locales), layout.rows)
  const byTid = new Map(definitions.map((one) => [one.tid, one]))
  const columns = assigned.map((one, i) => withUnit(withValues(one, layout, i, byTid), layout, i, byTid))
  return {
    profile: {
      ...layout.profile,
      ...notationOf(asMapped(columns, row.options.profile), layout, byTid, isComma(matches, locales)),
      columns: columns
        .filter(({ column }, i) => column !== '' && columns.findIndex((one) => one.column === column) === i)
        .map(({ column, target }) => ({ column, ...target }))
        .concat(missingNames(columns)),
    },
    columns,
    ...(layout.sheets && { sheets: layout.sheets }),
  }
}

const ignored = { target: { field: 'ignore' }, reason: 'none', confidence: 0 } as const

/** The best pairs first; a meaning is given once, except for files. */
function assign(
  headings: readonly string[],
  matches: readonly (readonly Match[])[],
  locales: readonly string[],
): GuessedColumn[] {
  const preferred = preferredLocales(matches, locales)
  const pairs = matches
    .flatMap((found, index) => found.map((match) => ({ index, match, target: inLocale(match, preferred) })))
    .toSorted((a, b) => b.match.confidence - a.match.confidence || a.index - b.index)
  const chosen = new Map<number, Omit<GuessedColumn, 'column'>>()
  const taken = new Set<string>()
  for (const { index, match, target } of pairs) {
    const isCode = target.field === 'tid' && match.reason !== 'heading'
    const key = JSON.stringify(target)
    // Codes are compared with each other later.
    if (chosen.has(index) || (taken.has(key) && target.field !== 'asset' && !isCode)) continue
    taken.add(key)
    chosen.set(index, { target, reason: match.reason, confidence: match.confidence })
  }
  const seen = new Set<string>()
  return headings.map((column, index) => {
    const isRepeated = seen.size === seen.add(column).size
    return { column, ...((!isRepeated && chosen.get(index)) || ignored) }
  })
}

/** The locales in the order in which labels have matched, then in that of the system. */
function preferredLocales(matches: readonly (readonly Match[])[], locales: readonly string[]): readonly string[] {
  const votes = new Map<string, number>()
  for (const found of matches)
    for (const { locale, confidence } of found)
      if (locale !== undefined) votes.set(locale, (votes.get(locale) ?? 0) + confidence)
  return locales.toSorted((a, b) => (votes.get(b) ?? 0) - (votes.get(a) ?? 0))
}

function inLocale({ target, heading, locale, isLocalized }: Match, preferred: readonly string[]): Target {
  if (!isLocalized) return target
  const { language } = heading
  const given = language === undefined ? undefined : preferred.find((one) => one === language || one.startsWith(`${language.slice(0, 2)}_`)) // prettier-ignore
  const label = locale !== undefined && preferred.includes(locale) ? locale : undefined
  const chosen = given ?? label ?? preferred[0]
  return chosen === undefined ? target : { ...target, locale: chosen }
}

/** Whether the labels are in a language that writes 1,5. */
function isComma(matches: readonly (readonly Match[])[], locales: readonly string[]): boolean {
  const [first = 'en_GB'] = preferredLocales(matches, locales)
  return (1.5).toLocaleString(first.replace('_', '-')).includes(',')
}

/** The cells of column `index`. */
const cellsAt = ({ rows }: Layout, index: number) => rows.flatMap((cells) => cells[index]?.trim() || [])

const typeOf = ({ target }: GuessedColumn, byTid: ReadonlyMap<string, Defined>) =>
  target.attr === undefined ? undefined : byTid.get(target.attr.split('/').at(-1)!)

/** Labels of choices become their tids. */
function withValues(
  one: GuessedColumn,
  layout: Layout,
  index: number,
  byTid: ReadonlyMap<string, Defined>,
): GuessedColumn {
  const choices = typeOf(one, byTid)?.domainVals?.domainVal ?? []
  if (choices.length === 0 || choices.length > maxChoices) return one
  const tids = new Set(choices.map(({ tid }) => tid))
  const cells = cellsAt(layout, index).filter((cell) => !tids.has(cell))
  const labels = choices.flatMap(({ tid = '', itm = [] }) =>
    itm.flatMap(({ value = '' }) => (value === '' || value === tid ? [] : [[value, tid] as const])),
  )
  const known = new Map(labels.map(([label, tid]) => [fold(label), tid]))
  // As the file writes them, then all others as the model does.
  const written = cells.flatMap((cell) => (known.has(fold(cell)) ? [[cell, known.get(fold(cell))!] as const] : []))
  if (written.length === 0) return one
  const values = Object.fromEntries([...labels, ...written].filter(([cell]) => !tids.has(cell)))
  return { ...one, target: { ...one.target, values } }
}

/** Amounts with a unit, or numbers in another unit than that of the attribute. */
function withUnit(
  one: GuessedColumn,
  layout: Layout,
  index: number,
  byTid: ReadonlyMap<string, Defined>,
): GuessedColumn {
  const definition = typeOf(one, byTid)
  const known = (unit: string | undefined) => (unit !== undefined && isUnit(unit) ? unit : undefined)
  if (definition?.type === 'measure' || definition?.type === 'price') {
    const unit = known(parseHeading(one.column).unit)
    return unit === undefined ? one : { ...one, target: { ...one.target, unit } }
  }
  if (definition?.type !== 'number') return one
  const ofLabel = (definition.name?.itm ?? []).map(({ value = '' }) => known(parseHeading(value).unit)).find(Boolean)
  const ofHeading = known(parseHeading(one.column).unit)
  const ofCell = cellsAt(layout, index).map((cell) => known(amountOf(cell.replace(storedDecimal, '.'))?.unit)).find(Boolean) // prettier-ignore
  const unit = ofLabel ?? (ofCell === undefined ? undefined : (ofHeading ?? ofCell))
  if (unit === undefined) return one
  const conversion = ofHeading === undefined ? unchanged : conversionOf(ofHeading, unit)
  const isOther = conversion !== undefined && conversion !== unchanged
  if (ofCell === undefined && !isOther) return one
  return { ...one, target: { ...one.target, unit, ...(isOther && { cellUnit: ofHeading! }) } }
}

/** New articles and variations need a name; without a column for it, they are named by their code. */
const missingNames = (columns: readonly GuessedColumn[]) =>
  columns.flatMap(({ column, reason, target: { field, level } }) => {
    const isNamed = columns.some(({ target }) => target.field === 'name' && target.level === level)
    if (field !== 'tid' || reason === 'heading' || level === undefined || isNamed || /[{}]/.test(column)) return []
    return [{ column: `${level}:name`, field: 'name' as const, level, template: `{${column}}` }]
  })

/** Columns that a person has mapped since have the meaning that the person has given them. */
const asMapped = (columns: readonly GuessedColumn[], { columns: mapped = [] }: Profile = {}) =>
  columns.map((one) => ({ ...one, target: mapped.find(({ column }) => column === one.column) ?? one.target }))

/** The notation of all columns with a type together, because a profile has one notation. */
function notationOf(
  columns: readonly GuessedColumn[],
  layout: Layout,
  byTid: ReadonlyMap<string, Defined>,
  prefersComma: boolean,
): Pick<Profile, 'decimal' | 'thousands' | 'dateFormat' | 'trueWords' | 'falseWords'> {
  const cellsOf = (type: string) =>
    columns.flatMap((one, i) => (typeOf(one, byTid)?.type === type ? cellsAt(layout, i) : []))
  const dateFormat = dateFormatOf(cellsOf('date'))
  return {
    ...numbersOf(
      ['number', 'measure', 'price'].flatMap(cellsOf).filter((cell) => !cell.includes(storedDecimal)),
      prefersComma,
    ),
    ...(dateFormat !== undefined && { dateFormat }),
    ...booleansOf(cellsOf('boolean')),
  }
}
