/**
 * Turns the rows of a layout into a table of Kontor.
 *
 * The first pass over the file finds the targets that have values and guesses the types of attributes; the second one
 * returns the rows. Columns that are empty in the whole file are left out: exports of shops have dozens of them.
 */
import { defaultSeparator, type AttributeKind, type Column, fromProfile, headingOf, levels, type Plan, toPlan } from '../plan.ts' // prettier-ignore
import { splitList } from '../lists.ts'
import type { LayoutNote, Profile } from '../options.ts'
import type { Source, SourceRow } from '../read/source.ts'
import type { LayoutRow, LayoutScope, ObjectRow, Target } from './layout.ts'
import { groupFinder, type Missing, nodeFinder, type NewAttribute } from './model.ts'

type Nodes = Parameters<typeof nodeFinder>[0]

export interface Applied {
  readonly source: Source
  readonly plan: Plan
  /** Empty without `createModel`. */
  readonly missing: Missing
  /** Content of the file that is not imported. */
  readonly notes: readonly LayoutNote[]
}

export interface LayoutModel {
  readonly kinds: ReadonlyMap<string, AttributeKind>
  readonly nodes: Nodes
  readonly locales: readonly string[]
  /** By name in some language; undefined if several have it. */
  readonly named: ReadonlyMap<string, string | undefined>
  fileOf(source: string): string | undefined
  readonly ownersOf: LayoutScope['ownersOf']
}

interface Seen {
  target: Target
  isNumber: boolean
  isBoolean: boolean
}

export async function applyLayout(
  title: string,
  { kinds, nodes, locales, named, fileOf, ownersOf }: LayoutModel,
  { profile, createModel }: { readonly profile?: Profile; readonly createModel?: boolean },
  sentHeadings: readonly string[] | undefined,
  open: (scope: LayoutScope) => Promise<AsyncIterable<LayoutRow | ObjectRow>>,
): Promise<Applied> {
  const separator = profile?.separator ?? defaultSeparator
  const finder = nodeFinder(nodes, createModel ? title : undefined)
  const notes = new Notes()
  const made = new Map<string, NewAttribute>()
  let namesIn = locales.includes('en_GB') ? 'en_GB' : (locales[0] ?? 'en_GB')
  const kindOf = (tid: string) => kinds.get(tid) ?? made.get(tid)
  const scope: LayoutScope = {
    profile,
    separator,
    locales,
    kindOf,
    attributeNamed: (name) => named.get(nameKey(name)),
    createModel: createModel ?? false,
    fileOf,
    note: (place, reason) => notes.add(place, reason),
    nodeOf: finder.nodeOf,
    nodeOfGroups: groupFinder(finder, createModel ?? false),
    namesAreIn: (locale) => void (namesIn = locale),
    pathsOf: finder.pathsOf,
    madeUnder: finder.madeUnder,
    ownersOf,
  }
  const constants = new Set(Object.keys(profile?.constants ?? {}))
  const textFor = singleTexts(kinds, profile, separator)
  const seen = new Map<string, Seen>()
  for await (const row of await open(scope))
    for (const [target, sent] of 'entries' in row ? row.entries : []) {
      const text = textFor(target, sent)
      if (text === undefined) notes.add(target.from, severalValues)
      else note(seen, target, text, separator)
    }
  notes.close()
  const found = [...seen.values()].filter(({ target }) => !constants.has(headingOf(target)))
  const columns = found.map(({ target }) => columnFor(target, profile))
  const attributes = createModel ? missingOf(found, columns, kinds) : []
  for (const one of attributes) made.set(one.tid, one)
  const plan = toPlan(found.map(({ target }) => target.from), profile, kindOf, columns) // prettier-ignore
  const faults = plan.faults.size === 0 ? plan.faults : new Map([...plan.faults, ...categoryFault(finder.unknown)])
  const position = new Map(found.map(({ target }, i) => [keyOf(target), i]))
  const rows = { [Symbol.asyncIterator]: () => tableRows(open(scope), found.map(({ target }) => target), position, textFor) } // prettier-ignore
  const missing = {
    attributes,
    nodes: [...finder.planned].map(([path, name]) => ({ path, name })),
    locale: namesIn,
  }
  return {
    source: { headings: plan.headings, rows },
    plan: { ...plan, faults, emptyClears: false, sentHeadings: sentHeadings ?? [] },
    missing,
    notes: notes.list,
  }
}

export const nameKey = (name: string) => name.normalize('NFC').trim().toLowerCase()

/** Counts notes during the first pass, which sees the whole file. */
export class Notes {
  readonly #found = new Map<string, LayoutNote>()
  #others = 0
  #isClosed = false

  add(place: string, reason: string): void {
    if (this.#isClosed) return
    const key = `${place} ${reason}`
    const known = this.#found.get(key)
    if (!known && this.#found.size >= maxNotes) this.#others++
    else this.#found.set(key, { place: place.slice(0, 200), reason, count: (known?.count ?? 0) + 1 })
  }
  close(): void {
    this.#isClosed = true
  }
  get list(): LayoutNote[] {
    const others = this.#others === 0 ? [] : [{ place: 'others', reason: 'there are more kinds of notes than are listed', count: this.#others }] // prettier-ignore
    return [...this.#found.values(), ...others]
  }
}
const maxNotes = 500

/** An import that fails because of its attributes names the categories as well. Otherwise only their rows are refused. */
const categoryFault = (unknown: ReadonlySet<string>): (readonly [string, string])[] =>
  unknown.size === 0
    ? []
    : [['category', `no node has the name or tid ${[...unknown].slice(0, 50).join(', ')}`]] // prettier-ignore

/** Targets of different columns stay apart, so that a profile can give each its own meaning; an object has one tid. */
const keyOf = (target: Target) =>
  target.attr !== undefined || target.field === 'asset' ? `${headingOf(target)} ${target.from}` : headingOf(target)

/** Long digits are identifiers such as a GTIN. */
function note(seen: Map<string, Seen>, target: Target, text: string, separator: string): void {
  if (text === '') return
  const key = keyOf(target)
  const known = seen.get(key) ?? { target, isNumber: true, isBoolean: true }
  seen.set(key, known)
  if (target.make?.multi) known.target = target // one list is enough
  const values = target.make?.multi ? splitList(text, separator) : [text]
  known.isNumber &&= values.every((value) => /^-?(0|[1-9]\d{0,10})(\.\d{1,10})?$/.test(value))
  known.isBoolean &&= values.every((value) => /^(true|false)$/.test(value))
}

const severalValues = 'has several values, but the attribute holds one; allow several, or give the column another meaning in a profile' // prettier-ignore

type TextFor = (target: Target, text: string) => string | undefined

/** The text of a list for an attribute that holds one value: undefined for several, which would become one text with signs. */
function singleTexts(kinds: LayoutModel['kinds'], profile: Profile | undefined, separator: string): TextFor {
  const isSingle = (target: Target) => {
    const { attr } = columnFor(target, profile) ?? {}
    const given = profile?.columns?.find(({ column }) => column === target.from)
    const isTaken = given?.split !== undefined || given?.position !== undefined
    return attr !== undefined && !isTaken && kinds.get(attr)?.multi === false
  }
  return (target, text) => {
    if (!target.make?.multi || !isSingle(target)) return text
    const [one, ...others] = splitList(text, separator)
    return others.length === 0 ? one : undefined
  }
}

/** A profile can give a column of the file another meaning. It has the level of the layout unless the profile names one. */
function columnFor({ from, make: _make, ...target }: Target, profile: Profile | undefined): Column | undefined {
  const given = profile?.columns?.find(({ column }) => column === from)
  return given ? fromProfile(from, { level: levels[target.level], ...given }) : { ...target, heading: from }
}

function missingOf(
  found: readonly Seen[],
  columns: readonly (Column | undefined)[],
  kinds: ReadonlyMap<string, AttributeKind>,
): NewAttribute[] {
  const made = new Map<string, NewAttribute>()
  columns.forEach((column, i) => {
    const { target, isNumber, isBoolean } = found[i]!
    const tid = column?.attr
    if (tid === undefined || column!.parent !== undefined || kinds.has(tid)) return
    const type = target.make?.type ?? (isBoolean ? 'boolean' : isNumber ? 'number' : 'text')
    const before = made.get(tid)
    made.set(tid, {
      tid,
      type: before && before.type !== type ? 'text' : type,
      localized: column!.locale !== undefined,
      multi: target.make?.multi ?? false,
      label: target.make?.label ?? tid,
    })
  })
  return [...made.values()]
}

async function* tableRows(
  opening: Promise<AsyncIterable<LayoutRow | ObjectRow>>,
  targets: readonly Target[],
  position: ReadonlyMap<string, number>,
  textFor: TextFor,
): AsyncGenerator<SourceRow> {
  for await (const row of await opening) {
    if (!('entries' in row)) {
      yield row
      continue
    }
    const { number, entries, faults = [], sent, isDeletion } = row
    const cells = targets.map(() => '')
    for (const [target, text] of entries) {
      const index = position.get(keyOf(target))
      if (index !== undefined) cells[index] = textFor(target, text) ?? ''
    }
    const unread = faults.map(({ from, reason }) => ({ index: targets.findIndex((one) => one.from === from), reason }))
    yield {
      number,
      cells,
      ...(unread.length > 0 && { faults: unread }),
      ...(sent && { sent }),
      ...(isDeletion && { isDeletion }),
    }
  }
}
