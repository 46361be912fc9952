/**
 * Links files to the products that their names contain: `FJ-000123_front_2.jpg` by `{product}[_{role}][_{number}]`.
 *
 * A name can be read in several ways, because parts are optional and products may contain separators: `A_2.jpg` is the second
 * file of A or the first of A_2. If both products exist, the user decides. Of readings with one product, that with the most
 * parts counts. Products that the user may not read are treated as missing.
 */
import { because, type ChangeOperation, type Infer, type PatternGuess, type Reason } from '@kontor/contract'
import { inTurns } from '../core/batch/turns.ts'
import type { Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { compileGroups } from '../values/api.ts'
import { type Definition, isOf } from './definitions.ts'
import { type ChangeNeeds, type FoundProduct, type MatchBy, resourceOf, retrieveAll } from './needs.ts'
import type { ObjectMessage, Slot } from './slots.ts'
import { type Section, sectionsOf, splitName } from './templates.ts'

type Operation = Infer<typeof ChangeOperation>

/** Why a file is not linked, with what its name contains. Details depend on the rights of the user. */
export class Unmatched extends Problem {
  readonly detail: MatchDetail
  constructor(reason: Reason, detail: MatchDetail) {
    super('notFound', reason)
    this.detail = detail
  }
}
export interface MatchDetail {
  readonly matched?: string
  readonly candidates?: readonly FoundProduct[]
}

interface Reading {
  readonly product: string
  readonly role?: string
  readonly number?: string
}
type ReadName = (name: string) => Reading[]

const groups = {
  product: '(.+)',
  role: String.raw`(\p{L}[\p{L}\p{N}]*)`,
  number: '([0-9]{1,6})',
  any: '(.*)',
}
type Group = keyof typeof groups
const isGroup = (name: string): name is Group => Object.hasOwn(groups, name)

/** The readings of a name without its extension, those with the most parts first. */
function compileReading(template: string, refuse: (reason: string) => never): ReadName {
  const sections = sectionsOf(template.replace(/\.\{ext\}$/, ''), refuse)
  const names = sections.flatMap(({ parts }) => parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name])))
  const unknown = names.find((name) => !isGroup(name))
  if (unknown !== undefined)
    refuse(`template: unknown {${unknown.slice(0, 50)}}; there are ${Object.keys(groups).map((name) => `{${name}}`).join(', ')}`) // prettier-ignore
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) refuse(`template: {${twice}} is there twice`)
  if (
    !sections.some(
      ({ isOptional, parts }) =>
        !isOptional && parts.some((part) => typeof part !== 'string' && part.name === 'product'),
    )
  )
    // prettier-ignore
    refuse('template: {product} is missing')
  const variants = variantsOf(sections).map((variant) => compileVariant(variant, refuse))
  return (name) => variants.flatMap((read) => read(splitName(name).stem) ?? [])
}

/** Every choice of optional parts, the longest first. */
function variantsOf(sections: readonly Section[]): Section[][] {
  const optional = sections.filter(({ isOptional }) => isOptional)
  const choices = Array.from({ length: 2 ** optional.length }, (_, bits) => {
    const chosen = new Set(optional.filter((_one, i) => (bits & (1 << i)) === 0))
    return sections.filter((section) => !section.isOptional || chosen.has(section))
  })
  return choices.toSorted((a, b) => b.length - a.length)
}

function compileVariant(sections: readonly Section[], refuse: (reason: string) => never) {
  const parts = sections.flatMap((section) => section.parts)
  const expression = parts.map((part) =>
    typeof part === 'string' ? part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`) : groups[part.name as Group],
  )
  const names = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name]))
  const match = matcherOf(`(?is)${expression.join('')}`, refuse)
  return (stem: string): Reading | undefined => {
    const found = match(stem)
    return found && (Object.fromEntries(names.map((name, i) => [name, found[i]!])) as object as Reading)
  }
}

function matcherOf(expression: string, refuse: (reason: string) => never) {
  try {
    return compileGroups('template', expression)
  } catch (error) {
    if (error instanceof Problem) return refuse(error.message)
    throw error
  }
}

/** Finds the slot of the link for each of some files. */
export type SlotOfName = (object: ObjectMessage) => Slot
export interface LinkPattern {
  prepare(needs: ChangeNeeds, ctx: Context, objects: readonly ObjectMessage[]): Promise<SlotOfName>
}

const wordKey = (word: string) => word.normalize('NFC').toLowerCase()

/** `definitions` are those of products. */
export function compileLinks(
  { template = '', matchBy = 'tid', attribute, roles = [], linkType = '' }: Operation,
  definitions: ReadonlyMap<string, Definition>,
  refuse: (reason: string) => never,
): LinkPattern {
  const readings = compileReading(template, refuse)
  const types = new Map(roles.map((role) => [wordKey(role.word), role.linkType.normalize('NFC').trim()]))
  const by = demandMatch(matchBy, attribute, definitions, refuse)
  return {
    async prepare(needs, ctx, objects) {
      const read = new Map(await inTurns(objects, ({ tid, name = '' }) => [tid!, readings(name)] as const))
      const keys = new Set([...read.values()].flatMap((found) => found.map(({ product }) => product)))
      const products = await findProducts(needs, ctx, by, [...keys])
      const lost = [...read.values()].flatMap((found) => (found.some(({ product }) => products.has(product)) ? [] : (found[0]?.product ?? []))) // prettier-ignore
      const nearest = lost.length > 0 ? await needs.nearestProducts(ctx, by, [...new Set(lost)]) : new Map()
      return ({ tid }) => {
        const found = read.get(tid!) ?? []
        if (found.length === 0) throw new Unmatched(because('nameOutsidePattern'), {})
        const known = found.filter(({ product }) => products.has(product))
        const all = known.filter(({ role }) => role === undefined || types.has(wordKey(role)))
        const [usable] = all
        if (!usable) throw unmatched(found[0]!, known[0], nearest.get(found[0]!.product))
        const { product, role, number } = usable
        const candidates = [...new Map(all.flatMap((one) => products.get(one.product)!).map((one) => [one.tid, one])).values()] // prettier-ignore
        if (candidates.length > 1) throw new Unmatched(because('severalProductsFit'), { matched: product, candidates: candidates.slice(0, 10) }) // prettier-ignore
        const type = role === undefined ? linkType.trim() : types.get(wordKey(role))!
        return {
          dataType: 'product',
          ...(type !== '' && { linkType: type }),
          to: candidates[0]!.tid,
          ...(number !== undefined && { pos: Number(number) }),
        }
      }
    },
  }
}

function unmatched(
  first: Reading,
  known: Reading | undefined,
  nearest: readonly FoundProduct[] | undefined,
): Unmatched {
  if (known?.role !== undefined)
    return new Unmatched(because('noRoleForWord', { word: known.role }), { matched: known.product })
  return new Unmatched(because('noProductFits'), { matched: first.product, ...(nearest && { candidates: nearest }) })
}

function demandMatch(
  matchBy: MatchBy['by'],
  attribute: string | undefined,
  definitions: ReadonlyMap<string, Definition>,
  refuse: (reason: string) => never,
): MatchBy {
  if (matchBy !== 'attribute') return { by: matchBy }
  if (attribute === undefined) refuse('attribute is missing')
  const definition = definitions.get(attribute!)
  if (!definition) return refuse(`no attribute of products has the tid ${attribute}`)
  if (!isOf(definition, 'identifier')) refuse(`${attribute} is not an identifier`)
  return { by: 'attribute', attribute: attribute! }
}

/** The readable products by the text that names them. */
export async function findProducts(
  needs: ChangeNeeds,
  ctx: Context,
  by: MatchBy,
  keys: readonly string[],
): Promise<Map<string, FoundProduct[]>> {
  if (keys.length === 0) return new Map()
  const found = await needs.matchProducts(ctx, by, keys)
  const visible = by.by === 'attribute' ? await withVisibleValue(needs, ctx, by.attribute, found) : found
  return new Map([...Map.groupBy(visible, ({ key }) => key)].map(([key, some]) => [key, exactOr(key, some)]))
}

type Found = FoundProduct & { readonly key: string }

/** Of tids that differ in upper and lower case, the exact one. */
function exactOr(key: string, found: readonly Found[]): FoundProduct[] {
  const exact = found.filter(({ tid }) => tid === key)
  return (exact.length > 0 ? exact : found).map(({ tid, name }) => ({ tid, name }))
}

/** Not everybody who may read a product may read its identifiers. */
async function withVisibleValue(needs: ChangeNeeds, ctx: Context, attribute: string, found: readonly Found[]) {
  const tids = [...new Set(found.map(({ tid }) => tid))]
  if (tids.length === 0) return []
  const products = await retrieveAll<ObjectMessage>(ctx, resourceOf(needs, 'product'), { tids })
  const visible = new Map(products.map((product) => [product.tid!, valuesIn(product, attribute)]))
  return found.filter(({ tid, key }) => visible.get(tid)?.has(key))
}

/** The texts of an attribute of a product, its articles and variations. */
function valuesIn(message: unknown, attribute: string): Set<string> {
  const texts = new Set<string>()
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const { attr } = node as { attr?: unknown }
    if (attr === attribute)
      for (const text of JSON.stringify(node).matchAll(/"value":("(?:[^"\\]|\\.)*")/g)) texts.add(JSON.parse(text[1]!) as string) // prettier-ignore
    else Object.values(node).forEach(visit)
  }
  visit(message)
  return texts
}

// Guessing

type Guess = Infer<typeof PatternGuess>

const templates = [
  '{product}[_{role}][_{number}]',
  '{product}[-{role}][-{number}]',
  '{product}[ {role}][ {number}]',
  '{product}[.{role}][.{number}]',
  '{any}_{product}[_{role}][_{number}]',
  '{any}-{product}[-{role}][-{number}]',
  '{number}_{product}[_{role}]',
  '{role}_{product}[_{number}]',
]
const never = (reason: string): never => {
  throw new Error(reason)
}
const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

/** The patterns by which most of the names contain a product that exists; of equal ones, the one with fewer roles. */
export async function guessPatterns(
  needs: ChangeNeeds,
  ctx: Context,
  names: readonly string[],
  definitions: ReadonlyMap<string, Definition>,
): Promise<Guess[]> {
  const identifiers = [...definitions.values()].filter((one) => isOf(one, 'identifier')).slice(0, 10)
  const ways: MatchBy[] = [
    { by: 'tid' },
    { by: 'article' },
    ...identifiers.map(({ tid }): MatchBy => ({ by: 'attribute', attribute: tid })),
    { by: 'name' },
  ]
  const reads: { template: string; all: Reading[][] }[] = []
  for (const template of templates) reads.push({ template, all: await inTurns(names, compileReading(template, never)) })
  const keys = new Set(reads.flatMap(({ all }) => all.flat().map(({ product }) => product)))
  const guesses: Guess[] = []
  for (const way of ways) {
    const products = await findProducts(needs, ctx, way, [...keys])
    for (const { template, all } of reads) {
      const hits = all.flatMap((some) => some.find(({ product }) => products.has(product)) ?? [])
      const words = new Map(hits.flatMap(({ role }) => (role === undefined ? [] : [[wordKey(role), role] as const])))
      if (hits.length === 0 || words.size > 100) continue
      guesses.push({
        template,
        matchBy: way.by,
        ...(way.by === 'attribute' && { attribute: way.attribute }),
        matched: hits.length,
        roles: [...words.keys()].toSorted().map((word) => ({ word, linkType: capital(word) })),
      })
    }
  }
  return guesses
    .toSorted((a, b) => Number(b.matched) - Number(a.matched) || a.roles!.length - b.roles!.length)
    .slice(0, 5)
}
