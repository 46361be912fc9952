/**
 * The meaning of the columns of a table. A heading gives it, or a profile does for the heading:
 *
 *   tid  name  node              of the product; article:tid, variant:name of the other levels
 *   TITLE                        an attribute
 *   TITLE@de_DE                  in a locale
 *   BULLETS@de_DE#0              one value of a list; without # all of them, separated by |
 *   article:COLOUR               of the article in the same row
 *   TECH/TECH_VALUE              a column of a table attribute; its rows separated by |
 *   asset                        files of the same zip, or of the DAM, that are linked to the product (media.ts)
 *   asset/Main_Image             with this type of link
 *   status  message              added by the result file of an import; ignored
 *
 * Exports write the same headings, so that an export can be imported.
 */
import type { Infer, TransferColumn } from '@kontor/contract'
import type { Profile } from './options.ts'

export const levels = ['product', 'article', 'variant'] as const
export type Level = 0 | 1 | 2
export type Field = 'tid' | 'name' | 'node' | 'asset' | 'ignore'

export interface Column {
  readonly heading: string
  readonly level: Level
  readonly field?: Field
  readonly attr?: string
  /** The table attribute that contains this attribute as a column. */
  readonly parent?: string
  readonly locale?: string
  readonly position?: number
  /** For asset: the type of the link. */
  readonly link?: string
}

const fields = new Set(['tid', 'name', 'node', 'asset'])
const passedOver = new Set(['status', 'message', 'ignore', 'deleted', ''])
const grammar = /^(?:(product|article|variant):)?([^@#:]+)(?:@([a-z]{2,3}_[A-Z]{2,3}))?(?:#(\d{1,4}))?$/
const assetGrammar = /^(?:(product|article|variant):)?asset\/(.+)$/

export function columnOf(heading: string, profile?: Profile): Column | undefined {
  const said = profile?.columns?.find(({ column }) => column === heading)
  return said ? fromProfile(heading, said) : fromHeading(heading)
}

function fromHeading(heading: string): Column | undefined {
  const text = heading.trim()
  if (passedOver.has(text)) return { heading, level: 0, field: 'ignore' }
  const [, of = 'product', link] = assetGrammar.exec(text) ?? []
  if (link !== undefined) return { heading, level: levelOf(of), field: 'asset', link }
  const parts = grammar.exec(text)
  if (!parts) return undefined
  const [, word = 'product', name = '', locale, position] = parts
  const level = levelOf(word)
  if (fields.has(name)) return { heading, level, field: name as Field }
  return toColumn(heading, level, name, locale, position === undefined ? undefined : Number(position))
}

function fromProfile(heading: string, said: Infer<typeof TransferColumn>): Column | undefined {
  const level = levelOf(said.level ?? 'product')
  if (said.field === 'asset' && said.linkType !== undefined)
    return { heading, level, field: 'asset', link: said.linkType }
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
  if (field) return prefix + field + (link === undefined ? '' : `/${link}`)
  const name = parent === undefined ? attr : `${parent}/${attr}`
  return prefix + name + (locale === undefined ? '' : `@${locale}`) + (position === undefined ? '' : `#${position}`)
}

/** The facts about an attribute that are needed to read its cells. */
export interface AttributeKind {
  readonly localized: boolean
  readonly multi: boolean
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
  readonly assets: readonly { readonly index: number; readonly link: string | undefined }[]
  readonly values: readonly ValueGroup[]
}
export interface Plan {
  readonly headings: readonly string[]
  readonly levels: readonly [LevelPlan, LevelPlan, LevelPlan]
  readonly separator: string
  readonly emptyClears: boolean
  /** Faults of columns that are therefore not read. */
  readonly faults: ReadonlyMap<string, string>
}

export function toPlan(
  headings: readonly string[],
  profile: Profile | undefined,
  kindOf: (attr: string) => AttributeKind | undefined,
): Plan {
  const faults = new Map<string, string>()
  const columns = headings.map((heading) => {
    const column = columnOf(heading, profile)
    const fault = column ? faultOf(column, kindOf) : 'this heading is not understood; give it a meaning in a profile'
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
        column?.level === level && column.field === 'asset' ? [{ index: i, link: column.link }] : [],
      ),
      values: groupsOf(columns, level, kindOf),
    }
  }
  return {
    headings,
    levels: [planOf(0), planOf(1), planOf(2)],
    separator: profile?.separator ?? '|',
    emptyClears: profile?.emptyClears ?? false,
    faults,
  }
}

function faultOf({ attr, parent, locale }: Column, kindOf: (attr: string) => AttributeKind | undefined) {
  if (attr === undefined) return undefined
  const kind = kindOf(attr)
  if (!kind || (parent !== undefined && !kindOf(parent))) return `no attribute has the tid ${parent ?? attr}`
  if (kind.localized && locale === undefined) return `${attr} is localized; name the language, as in ${attr}@en_GB`
  if (!kind.localized && locale !== undefined) return `${attr} has no languages; leave out @${locale}`
  return undefined
}

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
