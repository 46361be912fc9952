/**
 * The meaning of the columns of a table. A heading gives it, or a profile does for the heading:
 *
 *   tid  name  node              of the product; article:tid, variant:name of the other levels
 *   TITLE                        an attribute
 *   TITLE@de_DE                  in a locale
 *   BULLETS@de_DE#0              one value of a list; without # all of them, separated by | (lists.ts)
 *   article:COLOUR               of the article in the same row
 *   TECH/TECH_VALUE              a column of a table attribute; its rows separated by |
 *   asset                        files of the same zip, or of the DAM, that are linked to the product (media.ts)
 *   asset/Main_Image             with this type of link
 *   relation/Accessory           the tids of related products, in their order; article:TID, variant:TID for the other levels
 *   relation/Bundle/quantity     their quantities, in the same order
 *   group:DIMENSIONS             in exports: the attributes of a group (groups.ts)
 *   quality/SHOP@de_DE           in exports: the quality or the completeness in a channel; ignored by imports (scores.ts)
 *   status  message              added by the result file of an import; ignored, as is a column with the heading ignore
 *   product:status               an attribute with such a tid
 *   deleted                      added by the table of a series; a row that it marks is refused (notation.ts)
 *
 * Exports write the same headings, so that an export can be imported.
 */
import type { Infer, TransferColumn, UnitSize } from '@kontor/contract'
import { deletionMark, notationOf } from './notation.ts'
import type { Notation } from './units.ts'
import type { Profile } from './options.ts'
import { fillTemplate, headingsIn, partsOf } from './parts.ts'
import { isScore } from './scores.ts'

export const levels = ['product', 'article', 'variant'] as const
export type Level = 0 | 1 | 2
export type Field = 'tid' | 'name' | 'node' | 'asset' | 'relation' | 'quantity' | 'deleted' | 'ignore'

export interface Column {
  readonly heading: string
  readonly level: Level
  readonly field?: Field
  readonly attr?: string
  /** The table attribute that contains this attribute as a column. */
  readonly parent?: string
  readonly locale?: string
  readonly position?: number
  /** For asset, relation and quantity: the type of the link. */
  readonly link?: string
  /** For asset: a row is imported without the files that cannot be downloaded. */
  readonly isOptional?: true
}

export const defaultSeparator = '|'

const fields = new Set(['tid', 'name', 'node', 'asset'])
const passedOver = new Set(['status', 'message', 'ignore', ''])
const grammar = /^(?:(product|article|variant):)?([^@#:]+)(?:@([a-z]{2,3}_[A-Z]{2,3}))?(?:#(\d{1,4}))?$/
const assetGrammar = /^(?:(product|article|variant):)?asset\/(.+)$/
const relationGrammar = /^(?:(product|article|variant):)?relation\/([^/]+)(\/quantity)?$/
/** Fields with a list of linked objects, or of their quantities. */
export const linkFields: ReadonlySet<Field | undefined> = new Set<Field>(['asset', 'relation', 'quantity'])

export function columnOf(heading: string, profile?: Profile): Column | undefined {
  const said = profile?.columns?.find(({ column }) => column === heading)
  return said ? fromProfile(heading, said) : fromHeading(heading)
}

function fromHeading(heading: string): Column | undefined {
  const text = heading.trim()
  if (passedOver.has(text)) return { heading, level: 0, field: 'ignore' }
  if (text === 'deleted') return { heading, level: 0, field: 'deleted' }
  const [, of = 'product', link] = assetGrammar.exec(text) ?? []
  if (link !== undefined) return { heading, level: levelOf(of), field: 'asset', link }
  if (isScore(text)) return { heading, level: 0, field: 'ignore' }
  const related = relationGrammar.exec(text)
  if (related)
    return {
      heading,
      level: levelOf(related[1] ?? 'product'),
      field: related[3] ? 'quantity' : 'relation',
      link: related[2]!,
    }
  const parts = grammar.exec(text)
  if (!parts) return undefined
  const [, word = 'product', name = '', locale, position] = parts
  const level = levelOf(word)
  const isPlain = locale === undefined && position === undefined
  if (fields.has(name) && isPlain) return { heading, level, field: name as Field }
  return toColumn(heading, level, name, locale, position === undefined ? undefined : Number(position))
}

export function fromProfile(heading: string, said: Infer<typeof TransferColumn>): Column | undefined {
  const level = levelOf(said.level ?? 'product')
  if (linkFields.has(said.field) && said.linkType !== undefined)
    return { heading, level, field: said.field!, link: said.linkType }
  if (said.field) return { heading, level, field: said.field }
  if (said.attr === undefined) return undefined
  return toColumn(heading, level, said.attr, said.locale, said.position)
}

const levelOf = (word: string) => levels.indexOf(word as (typeof levels)[number]) as Level

function toColumn(heading: string, level: Level, name: string, locale?: string, position?: number): Column {
  const [first, second] = name.split('/')
  return {
    heading,
    level,
    attr: second ?? first!,
    ...(second !== undefined && { parent: first! }),
    ...(locale !== undefined && { locale }),
    ...(position !== undefined && { position }),
  }
}

/** Headings that are not read, although an attribute may have such a tid. */
const unread = new Set(['status', 'message', 'ignore', 'deleted'])
/** The heading of an attribute at the level of products. */
export const ownHeadingOf = (name: string) => (unread.has(name) ? `product:${name}` : name)

/** The heading of the column. */
export function headingOf({
  level,
  field,
  link,
  attr = '',
  parent,
  locale,
  position,
}: Omit<Column, 'heading'>): string {
  const prefix = level === 0 ? '' : `${levels[level]}:`
  if (field === 'quantity') return `${prefix}relation/${link}/quantity`
  if (field) return prefix + field + (link === undefined ? '' : `/${link}`)
  const name = parent === undefined ? attr : `${parent}/${attr}`
  return ownHeadingOf(
    prefix + name + (locale === undefined ? '' : `@${locale}`) + (position === undefined ? '' : `#${position}`),
  )
}

/** The facts about an attribute that are needed to read its cells. */
export interface AttributeKind {
  readonly localized: boolean
  readonly multi: boolean
  /** Default text. */
  readonly type?: string
  /** Whether its values are those of a list. */
  readonly listed?: boolean
  /** Of a measure. */
  readonly units?: readonly UnitSize[]
}

/** Columns that form one value together. */
export interface ValueGroup {
  readonly attr: string
  readonly parent: string | undefined
  readonly multi: boolean
  readonly cells: readonly { readonly index: number; readonly locale: string | undefined; readonly position: number | undefined }[] // prettier-ignore
}
export interface LevelPlan {
  /** The positions of the cells for tid, name and node; -1 if there is none. */
  readonly tid: number
  readonly name: number
  readonly node: number
  readonly assets: readonly { readonly index: number; readonly link: string | undefined; readonly isOptional: boolean }[] // prettier-ignore
  /** With the position of the cell for the quantities; -1 if there is none. */
  readonly relations: readonly { readonly index: number; readonly link: string | undefined; readonly quantity: number }[] // prettier-ignore
  readonly values: readonly ValueGroup[]
}
export interface CellNotation extends Notation {
  /** Whether the cell has several values, separated by this sign. */
  readonly isList: boolean
  readonly separator: string
  /** Takes a part of the cell, before it is read. */
  readonly prepare?: ((cell: string) => string) | undefined
}
/** A column that the file does not have: a constant, or a text made of other cells. */
interface AddedColumn {
  readonly heading: string
  valueOf(cells: readonly string[]): string
}
export interface Plan {
  /** The headings of the file. */
  readonly headings: readonly string[]
  /** Their meanings, and those of the added columns. */
  readonly meanings: readonly (Column | undefined)[]
  /** For a layout: the headings of the file as it was sent; empty if it is not a table. */
  readonly sentHeadings?: readonly string[]
  /** The columns behind those of the file. */
  readonly added: readonly AddedColumn[]
  readonly levels: readonly [LevelPlan, LevelPlan, LevelPlan]
  readonly separator: string
  readonly emptyClears: boolean
  /** By position, for columns whose cells do not contain the values as they are. */
  readonly notations: ReadonlyMap<number, CellNotation>
  /** The positions of columns that are not read on purpose: they have a heading. */
  readonly ignored: ReadonlySet<number>
  /** Faults of columns that are therefore not read. */
  readonly faults: ReadonlyMap<string, string>
}

/** Whether any column of the file has a target. A layout names what it does not understand itself. */
export const isUnderstood = ({ levels: all, headings, sentHeadings }: Plan): boolean =>
  sentHeadings !== undefined ||
  all.some(
    ({ tid, name, node, assets, relations, values }) =>
    [tid, name, node, ...[...assets, ...relations].map(({ index }) => index), ...values.flatMap(({ cells }) => cells.map(({ index }) => index))].some((index) => index >= 0 && index < headings.length), // prettier-ignore
  )

/** `given`: the meanings of the columns, if their headings do not have them. */
export function toPlan(
  headings: readonly string[],
  profile: Profile | undefined,
  kindOf: (attr: string) => AttributeKind | undefined,
  given?: readonly (Column | undefined)[],
): Plan {
  const faults = new Map<string, string>()
  const first = new Map<string, number>()
  const templates = templatesOf(headings, profile)
  const constants = Object.entries(profile?.constants ?? {}).map(([heading, value]) => ({ heading, valueOf: () => value })) // prettier-ignore
  const added: readonly AddedColumn[] = [...templates, ...constants]
  const named = headings.length + templates.length
  const allHeadings = [...headings, ...added.map(({ heading }) => heading)]
  const meanings = allHeadings.map((heading, i) =>
    given && i < headings.length ? given[i] : columnOf(heading, i < named ? profile : undefined),
  )
  /** A result file has both headings; one alone is rather that of an attribute. */
  const isResult = headings.includes('status') && headings.includes('message')
  const isGiven = (heading: string) => given !== undefined || profile?.columns?.some(({ column }) => column === heading)
  const ambiguityOf = (heading: string) =>
    isAmbiguous(heading) && !isResult && kindOf(heading) && !isGiven(heading)
      ? `this heading is that of an outcome and the tid of an attribute; name the column product:${heading} to import it, or ignore to leave it out`
      : undefined
  const columns = allHeadings.map((heading, i) => {
    const column = meanings[i]
    const missing = i < headings.length ? ambiguityOf(heading) : templates[i - headings.length]?.fault
    const fault = column ? (missing ?? faultOf(column, kindOf) ?? repetitionOf(column, i, first, named)) : 'this heading is not understood; give it a meaning in a profile' // prettier-ignore
    if (fault === undefined) return column
    faults.set(heading, fault)
    return undefined
  })
  const planOf = (level: Level): LevelPlan => {
    const at = (field: Field) => columns.findIndex((column) => column?.level === level && column.field === field)
    return {
      tid: at('tid'),
      name: at('name'),
      node: at('node'),
      assets: columns.flatMap((column, i) =>
        column?.level === level && column.field === 'asset'
          ? [{ index: i, link: column.link, isOptional: column.isOptional ?? false }]
          : [],
      ),
      relations: columns.flatMap((column, index) => {
        if (column?.level !== level || column.field !== 'relation') return []
        const { link } = column
        const isQuantity = (one: Column | undefined) =>
          one?.level === level && one.field === 'quantity' && one.link === link
        return [{ index, link, quantity: columns.findIndex(isQuantity) }]
      }),
      values: groupsOf(columns, level, kindOf),
    }
  }
  return {
    headings,
    meanings,
    added,
    levels: [planOf(0), planOf(1), planOf(2)],
    separator: profile?.separator ?? defaultSeparator,
    emptyClears: profile?.emptyClears ?? false,
    notations: notationsOf(columns.slice(0, named), headings.length, profile, kindOf),
    ignored: new Set(columns.flatMap((column, i) => (column?.field === 'ignore' && headings[i] !== '' ? [i] : []))),
    faults,
  }
}

/** Whether an attribute could be meant as well as a column of a result file. */
export const isAmbiguous = (heading: string) => heading === 'status' || heading === 'message'

/** The columns that templates fill, because the file does not have them. */
function templatesOf(headings: readonly string[], profile: Profile | undefined) {
  return (profile?.columns ?? []).flatMap(({ column: heading, template }) => {
    if (template === undefined || headings.includes(heading)) return []
    const missing = headingsIn(template).find((one) => !headings.includes(one))
    const fault = missing === undefined ? undefined : `the file has no column ${missing.slice(0, 100)}, which the template names` // prettier-ignore
    const valueOf = (cells: readonly string[]) => fillTemplate(template, (one) => cells[headings.indexOf(one)] ?? '')
    return [{ heading, fault, valueOf }]
  })
}

/** `first` has the columns before this one by meaning. Several columns may name assets, but not with the same heading. */
function repetitionOf(column: Column, index: number, first: Map<string, number>, count: number): string | undefined {
  const { heading, field } = column
  if (field === 'ignore') return undefined
  const meaning = field === 'asset' ? `${headingOf(column)} ${heading}` : headingOf(column)
  const before = first.get(meaning)
  if (before === undefined) return void first.set(meaning, index)
  if (index >= count) return `a constant of the profile and column ${before + 1} both mean ${meaning}; remove the constant, or ignore the column` // prettier-ignore
  return `columns ${before + 1} and ${index + 1} both mean ${headingOf(column)}; rename or remove one of them`
}

function faultOf({ attr, parent, locale }: Column, kindOf: (attr: string) => AttributeKind | undefined) {
  if (attr === undefined) return undefined
  const kind = kindOf(attr)
  const unknown = [parent, attr].find((tid) => tid !== undefined && !kindOf(tid))
  if (!kind || unknown !== undefined) return `no attribute has the tid ${unknown}`
  if (kind.localized && locale === undefined) return `${attr} is localized; name the language, as in ${attr}@en_GB`
  if (!kind.localized && locale !== undefined) return `${attr} has no languages; leave out @${locale}`
  return undefined
}

/** `own`: the number of columns of the file. */
function notationsOf(
  columns: readonly (Column | undefined)[],
  own: number,
  profile: Profile | undefined,
  kindOf: (attr: string) => AttributeKind | undefined,
): Plan['notations'] {
  return new Map(
    columns.flatMap((column, index) => {
      const kind = column?.attr === undefined ? undefined : kindOf(column.attr)
      const notation = column?.field === 'deleted' ? deletionMark(profile) : column && notationOf(profile, column.heading, kind?.type, kind?.units) // prettier-ignore
      const said = profile?.columns?.find((one) => one.column === column?.heading)
      // A column that could have been filled by its template has the value itself.
      const isPlain = said?.template !== undefined && index < own
      const prepare = said && !isPlain ? partsOf(said) : undefined
      const split = isPlain || prepare ? undefined : said?.split
      if (!column || (!notation && !prepare && split === undefined)) return []
      const isList = !prepare && (linkFields.has(column.field) || (column.position === undefined && (column.parent !== undefined || (kind?.multi ?? false)))) // prettier-ignore
      const separator = split ?? profile?.separator ?? defaultSeparator
      return [[index, { read: asItIs, write: asItIs, ...notation, isList, separator, prepare }] as const]
    }),
  )
}

const asItIs = (text: string) => text

function groupsOf(
  columns: readonly (Column | undefined)[],
  level: Level,
  kindOf: (attr: string) => AttributeKind | undefined,
): ValueGroup[] {
  const cells = columns.flatMap((column, index) =>
    column?.level === level && column.attr !== undefined ? [{ ...column, attr: column.attr, index }] : [],
  )
  const groups = Map.groupBy(cells, ({ attr, parent }) => `${parent ?? ''}/${attr}`)
  return [...groups.values()].map((same) => {
    const { attr, parent } = same[0]!
    return {
      attr,
      parent,
      multi: parent !== undefined || (kindOf(attr)?.multi ?? false),
      cells: same.map(({ index, locale, position }) => ({ index, locale, position })),
    }
  })
}
