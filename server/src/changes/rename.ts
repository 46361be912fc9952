/**
 * Renames files by a pattern. A pattern is applied to each file alone; then the names of all files of the change are compared
 * with each other and with those of other files in their folders.
 */
import { randomUUID } from 'node:crypto'
import { because, type ChangeOperation, type Infer } from '@kontor/contract'
import type { Context } from '../core/context.ts'
import { parentPathOf } from '../core/batch/names.ts'
import { Problem } from '../errors.ts'
import { compileReplacement } from '../values/api.ts'
import { plainCharacters } from './characters.ts'
import { type Definition, isOf } from './definitions.ts'
import type { SlotOf, Source } from './expressions.ts'
import { joined, replacerOf } from './lengths.ts'
import { type ChangeNeeds, resourceOf, retrieveAll } from './needs.ts'
import { linkedProducts, type ObjectMessage, type Slot, type SlotChange } from './slots.ts'
import { type Placeholder, type Section, sectionsOf, splitName } from './templates.ts'

type Operation = Infer<typeof ChangeOperation>

/** Names depend on each other, so a change that renames is one transaction. */
export const maxRenamed = 10_000

/** Stands in a name until it is known which files would have the same one. */
const numberMark = '\u0000'
const takenAt = 'TAKEN_AT'

/** The facts about a file that its values do not tell. */
interface Facts {
  readonly object: ObjectMessage
  readonly source: Source
  readonly counter: number
  productName(tid: string): string | undefined
}
type Field = (facts: Facts, option: string) => string | undefined

const dated = (text: string | undefined, format: string) => {
  const date = new Date(text ?? '')
  if (Number.isNaN(date.getTime())) return undefined
  const [yyyy, MM, dd, HH, mm, ss] = date.toISOString().split(/\D/)
  const parts: Record<string, string | undefined> = { yyyy, MM, dd, HH, mm, ss }
  return format.replaceAll(/yyyy|MM|dd|HH|mm|ss/g, (word) => parts[word]!)
}
const padded = (index: number, option: string) => String(Number(option) + index).padStart(option.length, '0')
const metaOf = ({ meta }: ObjectMessage, key: string) => meta?.itm?.find((one) => one.key === key)?.value
const productOf = ({ object }: Facts) => {
  const [first, second] = linkedProducts(object)
  if (second === undefined) return first
  throw new Problem('invalid', because('severalLinkedProducts'))
}

const date = { option: 'yyyy-MM-dd', allowed: /^(?:yyyy|MM|dd|HH|mm|ss|[-_. ])+$/ }
const first = { option: '1', allowed: /^\d{1,9}$/ }
// prettier-ignore
const fields: Readonly<Record<string, { readonly option?: string; readonly allowed?: RegExp; readonly value: Field }>> = {
  $name:        { value: ({ object }) => splitName(object.name!).stem },
  $part:        { option: '1', allowed: /^[1-9]\d?$/, value: ({ object }, option) => splitName(object.name!).stem.split(/[-_. ]+/)[Number(option) - 1] },
  $tid:         { value: ({ object }) => object.tid },
  $counter:     { ...first, value: ({ counter }, option) => padded(counter, option) },
  $number:      { ...first, value: () => numberMark },
  $taken:       { ...date, value: ({ source }, option) => dated(source.texts({ attribute: takenAt })[0], option) },
  $created:     { ...date, value: ({ object }, option) => dated(metaOf(object, 'creationDate'), option) },
  $folder:      { value: ({ object }) => parentPathOf(object.path!).split('/').at(-1) },
  $product:     { value: productOf },
  $productName: { value: (facts) => { const tid = productOf(facts); return tid && facts.productName(tid) } },
}

export interface Naming {
  readonly reads: readonly Slot[]
  prepare(needs: ChangeNeeds, ctx: Context, objects: readonly ObjectMessage[]): Promise<NameOf>
  /** The first number of `{$number}`, with its width. */
  readonly number: string
  readonly onConflict: 'refuse' | 'number'
}
export type NameOf = (object: ObjectMessage, source: Source) => string

interface Compiling {
  readonly operation: Operation
  readonly definitions: ReadonlyMap<string, Definition>
  readonly slotOf: SlotOf
  refuse(reason: string): never
}

export function compileNaming({ operation, definitions, slotOf, refuse }: Compiling): Naming {
  const { template = '{$name}', find = '', replacement = '', letterCase, onConflict = 'refuse' } = operation
  const sections = sectionsOf(template, refuse)
  const placeholders = sections.flatMap(({ parts }) => parts.filter((part) => typeof part !== 'string'))
  const reads: Slot[] = []
  const values = new Map(placeholders.map((one) => [one, compileField(one)]))
  function compileField({ name, option }: Placeholder): (facts: Facts) => string | undefined {
    if (name.startsWith('$')) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (!field) return refuse(`template: unknown {${name.slice(0, 50)}}; there are ${Object.keys(fields).join(', ')}`)
      if (option !== undefined && !field.allowed?.test(option))
        refuse(`template: {${name}:${option.slice(0, 50)}} is not possible; expected ${field.option ? `{${name}:${field.option}}` : `{${name}}`}`) // prettier-ignore
      if (name === '$taken' && !definitions.has(takenAt)) refuse(`template: files have no attribute ${takenAt}`)
      return (facts) => field.value(facts, option ?? field.option ?? '')
    }
    const [, attribute = '', locale] = /^(.*?)(?:@([a-z]{2,3}_[A-Z]{2,3}))?$/s.exec(name) ?? []
    const definition =
      definitions.get(attribute) ?? refuse(`template: no attribute has the tid ${attribute.slice(0, 255)}`)
    if (isOf(definition, 'table')) refuse(`template: ${attribute} is a table`)
    const slot = slotOf(attribute, locale)
    reads.push(slot)
    return ({ source }) => source.labels(slot, definition, operation.locale).join(' ') || undefined
  }
  const replace =
    find === '' ? (text: string) => text : replacer(find, replacement, operation.isPattern ?? false, refuse)
  const finish = (text: string) => {
    const cased = letterCase === 'lower' ? text.toLowerCase() : letterCase === 'upper' ? text.toUpperCase() : text
    return operation.plainCharacters ? plainCharacters(cased, numberMark) : cased
  }
  const needsNames = placeholders.some(({ name }) => name === '$productName')
  return {
    reads,
    number: placeholders.find(({ name }) => name === '$number')?.option ?? '1',
    onConflict,
    async prepare(needs, ctx, objects) {
      const tids = needsNames ? [...new Set(objects.flatMap(linkedProducts))] : []
      const products =
        tids.length > 0 ? await retrieveAll<ObjectMessage>(ctx, resourceOf(needs, 'product'), { tids }) : []
      const names = new Map(products.map(({ tid, name }) => [tid!, name]))
      const counters = new Map(objects.map(({ tid }, i) => [tid!, i]))
      return (object, source) => {
        const facts = {
          object,
          source,
          counter: counters.get(object.tid!)!,
          productName: (tid: string) => names.get(tid),
        }
        const stem = finish(
          replace(sections.map((section) => written(section, (one) => values.get(one)!(facts))).join('')),
        )
        if (stem.trim() === '') throw new Problem('invalid', because('emptyNewName'))
        return stem.trim() + splitName(object.name!).extension
      }
    },
  }
}

function written({ parts, isOptional }: Section, valueOf: (part: Placeholder) => string | undefined): string {
  const texts: string[] = []
  for (const part of parts) {
    const text = typeof part === 'string' ? part : valueOf(part)
    if (text) texts.push(text)
    else if (isOptional) return ''
    else throw new Problem('invalid', because('noNamePart', { part: `{${(part as Placeholder).name}}` }))
  }
  return joined(texts, maxWritten)
}

/** Characters of a name before and after the replacement. Names that are stored are much shorter. */
const [maxWritten, maxName] = [100_000, 10_000]
/** Characters by which an expression replaces a part. */
const maxReplacement = 255
/** Milliseconds that the replacement may take for all names, because other requests wait meanwhile. */
const maxReplacing = 3000

function replacer(find: string, replacement: string, isPattern: boolean, refuse: (reason: string) => never) {
  const replace = isPattern ? compiled(find, replacement, refuse) : replacerOf(find, replacement, maxName)
  let spent = 0
  return (text: string) => {
    if (spent > maxReplacing)
      throw new Problem('invalid', 'find: the expression takes too long for so many names; simplify it')
    const begin = performance.now()
    try {
      return replace(text)
    } finally {
      spent += performance.now() - begin
    }
  }
}

function compiled(find: string, replacement: string, refuse: (reason: string) => never) {
  try {
    const replace = compileReplacement('find', find, replacement)
    if (replacement.length <= maxReplacement) return replace
    return () => {
      throw new Problem('invalid', `replacement: at most ${maxReplacement} characters are allowed`)
    }
  } catch (error) {
    if (error instanceof Problem) return refuse(error.message)
    throw error
  }
}

// Names of the whole change

/** A file that gets another name. */
interface Renamed {
  readonly tid: string
  readonly folder: string
  readonly from: string
  readonly to: string
}
/** As the DAM compares names. */
const foldedName = (name: string) => name.toLowerCase().normalize('NFC')
const placeOf = (folder: string, name: string) => foldedName(`${folder}/${name}`)

const isName = ({ dataType }: SlotChange) => dataType === 'name'

/** The change of the name among the changes of an object. */
export function renamedOf(
  tid: string,
  { path = '' }: ObjectMessage,
  changes: readonly SlotChange[],
): Renamed | undefined {
  const change = changes.find(isName)
  return change && { tid, folder: parentPathOf(path), from: change.before[0]!, to: change.after[0]! }
}

/** Fills in numbers and settles conflicts. Returns the new names by tid, and the files that are refused. */
export async function settleNames(
  needs: ChangeNeeds,
  ctx: Context,
  { number, onConflict }: Naming,
  wanted: readonly Renamed[],
): Promise<{ names: Map<string, string>; faults: Map<string, string> }> {
  const faults = new Map<string, string>()
  const counts = new Map<string, number>()
  const numbered = wanted.map((one) => {
    if (!one.to.includes(numberMark)) return one
    const place = placeOf(one.folder, one.to)
    const index = counts.get(place) ?? 0
    counts.set(place, index + 1)
    return { ...one, to: one.to.replaceAll(numberMark, padded(index, number)) }
  })
  const byPlace = Map.groupBy(numbered, ({ folder, to }) => placeOf(folder, to))
  if (onConflict === 'refuse') {
    for (const [, files] of byPlace)
      if (files.length > 1)
        for (const { tid, to } of files)
          faults.set(tid, because('sameNewName', { count: files.length, name: to }).sentence)
    return { names: new Map(numbered.map(({ tid, to }) => [tid, to])), faults }
  }
  const leaving = new Set(
    numbered.filter(({ from, to }) => from !== to).map(({ folder, from }) => placeOf(folder, from)),
  )
  const taken = await takenBy(needs, ctx, numbered, byPlace, leaving)
  // A file that keeps its name is not asked to give way.
  for (const { folder, from, to } of numbered) if (from === to) taken.add(placeOf(folder, to))
  const next = new Map<string, number>()
  const free = ({ folder, from, to }: Renamed) => {
    const { stem, extension } = splitName(to)
    const place = placeOf(folder, to)
    if (from === to) return to
    let name = to
    for (let count = next.get(place) ?? 2; taken.has(placeOf(folder, name)); count++) {
      name = `${stem}-${count}${extension}`
      next.set(place, count + 1)
    }
    taken.add(placeOf(folder, name))
    return name
  }
  return { names: new Map(numbered.map((one) => [one.tid, free(one)])), faults }
}

/** The names of other files that are in the way: equal ones, and numbered ones of those that need a number. */
async function takenBy(
  needs: ChangeNeeds,
  ctx: Context,
  wanted: readonly Renamed[],
  byPlace: ReadonlyMap<string, readonly Renamed[]>,
  leaving: ReadonlySet<string>,
): Promise<Set<string>> {
  const find = async (files: readonly Renamed[], isPrefix: boolean) => {
    const slots = files.map(({ folder, to }) => ({
      folder: foldedName(folder),
      name: foldedName(isPrefix ? `${splitName(to).stem}-` : to),
    }))
    const found = slots.length > 0 ? await needs.findNames(ctx, slots, isPrefix) : []
    return found.map(({ folder, name }) => `${folder}/${name}`).filter((place) => !leaving.has(place))
  }
  const taken = new Set(await find(wanted.filter(({ from, to }) => from !== to), false)) // prettier-ignore
  const contested = [...byPlace].filter(([place, files]) => files.length > 1 || taken.has(place))
  for (const place of await find(contested.map(([, [one]]) => one!), true)) taken.add(place) // prettier-ignore
  return taken
}

/**
 * The order in which names become free: a file follows the one whose name it gets. Of files that exchange their names, the
 * first gets a name of its own before.
 */
export function inOrder(files: readonly Renamed[]): { readonly tid: string; readonly name: string }[] {
  const byName = new Map(files.map((one) => [placeOf(one.folder, one.from), one]))
  const holderOf = ({ folder, to }: Renamed) => byName.get(placeOf(folder, to))
  const done = new Set<Renamed>()
  return files.flatMap((start) => {
    const chain: Renamed[] = []
    for (let at: Renamed | undefined = start; at && !done.has(at); at = holderOf(at)) {
      done.add(at)
      chain.push(at)
    }
    const isCycle = chain.length > 1 && holderOf(chain.at(-1)!) === start
    const renames = chain.toReversed().map(({ tid, to }) => ({ tid, name: to }))
    return isCycle ? [{ tid: start.tid, name: `~${randomUUID()}` }, ...renames] : renames
  })
}
