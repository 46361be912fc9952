/**
 * Inputs and outputs of rules, and the order that follows from them: a rule runs after those that write what it reads. A cycle is
 * refused, because such rules would start each other again and again.
 *
 * A rule may test in its condition what it writes itself: its operations do not depend on it, so a second run changes nothing.
 */
import type { Query } from '@kontor/contract'
import type { Plan, Slot } from '../changes/api.ts'
import { Problem } from '../errors.ts'

/** Behind a name: the condition tests only whether there is a value, or the operation may leave none. */
const emptiness = '?'
/** The name without that mark. */
export const plainName = (name: string) => (name.endsWith(emptiness) ? name.slice(0, -1) : name)

/** `material`, `caption@en_GB`, `/node`, `/project` */
export const nameOf = ({ attribute, locale, usageRight, dataType }: Slot): string =>
  attribute === undefined ? `/${usageRight ?? dataType}` : attribute + (locale === undefined ? '' : `@${locale}`)

/** The standard fields of search that operations can change. */
const structure: Readonly<Record<string, string>> = {
  classification: '/node',
  classificationPath: '/node',
  channels: '/project',
  places: '/project',
  assets: '/asset',
  products: '/product',
  keywords: '/keyword',
}

/** The fields that a condition reads, as names. Throws a Problem for a condition that is not about fields. */
export function readsOf(query: Query | undefined, isAttribute: (name: string) => boolean, place: string): string[] {
  if (!query) return []
  if (query.queryType === 'COMBINED')
    return (query.queries ?? []).flatMap((one, i) => readsOf(one, isAttribute, `${place}/queries/${i}`))
  if (query.queryType !== 'FIELD')
    throw new Problem('invalid', `${place}/queryType: a rule tests fields, because it has to know what it reads; expected FIELD or COMBINED`) // prettier-ignore
  const { name = '', language, comparator } = query
  const mark = comparator === 'IS_EMPTY' || comparator === 'IS_NOT_EMPTY' ? emptiness : ''
  const known = structure[name.startsWith('products/') ? 'products' : name]
  if (known !== undefined) return [known + mark]
  // an attribute with the name of a standard field is `attr.name`; a currency or a column follows behind /
  const attribute = [name, name.replace(/^attr\./, ''), name.split('/')[0]!].find(isAttribute)
  if (attribute === undefined) return [`/${name}`]
  return [attribute + (language === undefined ? '' : `@${language}`) + mark]
}

/** Whether one writes what the other reads. Without a locale, every locale is meant. */
function overlaps(written: string, read: string): boolean {
  if (written === read) return true
  const [[a, aLocale], [b, bLocale]] = [written, read].map((name) => plainName(name).split('@')) as [string[], string[]]
  return a === b && (aLocale === undefined || bLocale === undefined)
}

/** The names of the slots that a plan writes. */
export const writesOf = (plan: Plan): string[] =>
  plan.map(({ slot, mayEmpty }) => nameOf(slot) + (mayEmpty ? emptiness : ''))

/**
 * Whether a change of one makes the other match anew. A rule that fills an empty value is not started by others that fill it.
 */
const restarts = (written: string, read: string) =>
  overlaps(written, read) && (!read.endsWith(emptiness) || written.endsWith(emptiness))

/** Refuses a plan of which a step reads what it, or a later step, writes: each run would give another result. */
export function demandRepeatable(plan: Plan, place: string): void {
  plan.forEach(({ reads }, i) => {
    for (const read of reads) {
      const at = plan.findIndex(({ slot }, j) => j >= i && overlaps(nameOf(slot), nameOf(read)))
      if (at < 0) continue
      const who = at === i ? 'it writes itself' : `operation ${at} writes`
      throw new Problem('invalid', `${place}/${i}: reads ${nameOf(read)}, which ${who}; every run would give another result`) // prettier-ignore
    }
  })
}

interface Ordered {
  readonly id: number
  readonly name: string
  readonly reads: readonly string[]
  readonly writes: readonly string[]
}

/** The rules that write what a rule reads. */
export const before = <R extends Ordered>(rule: Ordered, others: readonly R[], leads = overlaps): R[] =>
  others.filter(
    ({ id, writes }) => id !== rule.id && writes.some((written) => rule.reads.some((read) => leads(written, read))),
  )

/** The rules of a cycle through this rule, in the order in which they run; undefined if there is none. */
export function findCycle<R extends Ordered>(rule: R, others: readonly R[]): R[] | undefined {
  const all = [...others.filter(({ id }) => id !== rule.id), rule]
  const seen = new Set<number>()
  const search = (at: R, path: readonly R[]): R[] | undefined => {
    for (const earlier of before(at, all, restarts)) {
      if (earlier.id === rule.id) return [...path]
      if (seen.has(earlier.id)) continue
      seen.add(earlier.id)
      const found = search(earlier, [earlier, ...path])
      if (found) return found
    }
    return undefined
  }
  const path = search(rule, [])
  return path && [rule, ...path]
}
