/** The operations that compute a value out of other values of the same object: copy, concatenate and calculate. */
import { amountsOfPrice, type ChangeOperation, type Infer, plainText, withoutError } from '@kontor/contract'
import { Problem } from '../errors.ts'
import { type Definition, isDomain, isList, isLocalized, isOf, typeOf, unitOf } from './definitions.ts'
import { compileExpression, type SlotOf, type Source } from './expressions.ts'
import { joined } from './lengths.ts'
import type { Slot, Texts } from './slots.ts'

type Operation = Infer<typeof ChangeOperation>

export interface Computation {
  readonly reads: readonly Slot[]
  /** Undefined if something that it depends on is missing. */
  compute(source: Source, before: Texts): Texts | undefined
  /** The value without the part that it computes. Default: no value. */
  clear?(before: Texts): Texts
}
interface Compiling {
  readonly operation: Operation
  readonly target: Definition
  definitionOf(attribute: string): Definition
  slotOf: SlotOf
  refuse(reason: string): never
}
type Compile = (compiling: Compiling) => Computation

/** Throws by `refuse` if the operation does not fit the definitions. */
export const computations: Readonly<Record<'copy' | 'concatenate' | 'calculate', Compile>> = {
  copy({ operation, target, definitionOf, slotOf, refuse }) {
    const source = definitionOf(operation.from!)
    if (isOf(source, 'table')) refuse(`${source.tid} is a table; tables cannot be copied`)
    const fits = typeOf(source) === typeOf(target) && source.format?.family === target.format?.family
    if (!fits && !isOf(target, 'text'))
      refuse(`${source.tid} has the type ${typeOf(source)}, but ${target.tid} has the type ${typeOf(target)}`)
    if (isList(source) && !isList(target)) refuse(`${target.tid} takes one value, but ${source.tid} is a list`)
    const slot = slotOf(source.tid, operation.fromLocale)
    const isLabelled = isDomain(source) && !isDomain(target) && isOf(target, 'text')
    return {
      reads: [slot],
      compute({ texts, labels }) {
        const copied = isLabelled ? labels(slot, source, operation.locale) : texts(slot)
        const found = copied.map(textFor(target, source)).filter(Boolean)
        return found.length > 0 ? found : undefined
      },
    }
  },

  concatenate({ operation, target, definitionOf, slotOf, refuse }) {
    if (!isOf(target, 'text', 'identifier', 'richtext'))
      refuse(`${target.tid} has the type ${typeOf(target)}; only texts can be concatenated`)
    const parts = partsOf(operation.template!, refuse)
    const slots = parts.flatMap((part) => {
      if (part.attribute === undefined) return []
      if (isOf(definitionOf(part.attribute), 'table')) refuse(`${part.attribute} is a table`)
      return [slotOf(part.attribute, part.locale)]
    })
    const names = parts.some(({ field }) => field === 'name') ? [{ dataType: 'name' as const }] : []
    return {
      reads: [...slots, ...names],
      compute(source) {
        if (slots.length > 0 && slots.every((slot) => source.texts(slot).length === 0)) return undefined
        const written = parts.map(({ text, field, attribute, locale }) => {
          if (attribute === undefined) return field ? textFor(target)(source[field]) : text
          return source
            .labels(slotOf(attribute, locale), definitionOf(attribute), operation.locale)
            .map(textFor(target, definitionOf(attribute)))
            .join(', ')
        })
        const whole = joined(written.map((text = '') => text)).replaceAll(/[ \t]+/g, ' ').trim() // prettier-ignore
        return whole === '' ? undefined : [whole]
      },
    }
  },

  calculate({ operation: { expression, unit, locale }, target, definitionOf, slotOf, refuse }) {
    const isMarkup = isOf(target, 'richtext')
    const { reads, type, evaluate } = compileExpression(expression!, { definitionOf, slotOf, refuse, isMarkup, locale })
    const isNumber = type === 'double' || type === 'int'
    const wants = { number: isNumber, measure: isNumber, price: isNumber, boolean: type === 'bool', table: false, ref: false }[typeOf(target)] ?? (isNumber || type === 'string') // prettier-ignore
    if (!wants) refuse(`the expression results in ${type}, but ${target.tid} has the type ${typeOf(target)}`)
    const needsUnit = isOf(target, 'measure', 'price')
    if (needsUnit && (unit === undefined || !unitOf(target, unit)))
      refuse(`unit: expected one of ${(target.format?.unit ?? []).map(({ code }) => code).join(', ')}`)
    if (!needsUnit && unit !== undefined) refuse(`${target.tid} has no unit; leave unit out`)
    return {
      reads,
      ...(isOf(target, 'price') && { clear: ([price = '']) => withoutAmount(price, unit!) }),
      compute(source, before) {
        const result = evaluate(source)
        if (result === undefined || result === '') return undefined
        const text = typeof result === 'number' ? numberText(result) : String(result)
        if (isOf(target, 'price')) return [withAmount(before[0] ?? '', text, unit!)]
        return [unit === undefined ? text : `${text} ${unit}`]
      },
    }
  },
}

const numberText = (amount: number) => String(withoutError(amount))

/** The price with this amount in the currency; amounts in other currencies are kept. */
function withAmount(price: string, amount: string, currency: string): string {
  const amounts = amountsOfPrice(price)
  const at = amounts.findIndex((one) => one.endsWith(` ${currency}`))
  return amounts.toSpliced(at < 0 ? amounts.length : at, at < 0 ? 0 : 1, `${amount} ${currency}`).join('; ')
}

function withoutAmount(price: string, currency: string): Texts {
  const others = amountsOfPrice(price).filter((one) => !one.endsWith(` ${currency}`))
  return others.length > 0 ? [others.join('; ')] : []
}

/** How a value is written into another attribute: formatted text is HTML, other values are not. */
function textFor(target: Definition, source?: Definition): (text: string) => string {
  const [from, to] = [source !== undefined && isOf(source, 'richtext'), isOf(target, 'richtext')]
  if (from === to) return (text) => text
  return from ? plainText : escaped
}
const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string) => text.replaceAll(/[&<>]/g, (sign) => signs[sign]!)

interface Part {
  readonly text?: string
  readonly field?: 'name' | 'tid'
  readonly attribute?: string
  readonly locale?: string
}

/** `{brand} for {sport@en_GB}` */
function partsOf(template: string, refuse: (reason: string) => never): Part[] {
  const parts = template.split(/(\{[^{}]*\})/).filter(Boolean)
  return parts.map((part): Part => {
    if (!/^\{.*\}$/s.test(part)) return /[{}]/.test(part) ? refuse(`template: a brace has no partner: ${part.slice(0, 50)}`) : { text: part } // prettier-ignore
    const name = part.slice(1, -1).trim()
    if (name === '$name' || name === '$tid') return { field: name === '$name' ? 'name' : 'tid' }
    const [, attribute = '', locale] = /^(.*?)(?:@([a-z]{2,3}_[A-Z]{2,3}))?$/s.exec(name) ?? []
    if (attribute === '') refuse('template: {} is empty; expected {attribute}, {attribute@locale}, {$name} or {$tid}')
    return { attribute, ...(locale !== undefined && { locale }) }
  })
}

/** The slot of an attribute: in the given locale, or in that of the operation if the attribute is localized. */
export function slotFinder(
  { locale: own }: Operation,
  definitionOf: (attribute: string) => Definition,
  refuse: (reason: string) => never,
): SlotOf {
  return (attribute, locale) => {
    if (!isLocalized(definitionOf(attribute)))
      return locale === undefined ? { attribute } : refuse(`${attribute} is not localized; leave its locale out`)
    const wanted = locale ?? own
    if (wanted === undefined) return refuse(`${attribute} is localized; name its locale`)
    demandLocale(wanted, refuse)
    return { attribute, locale: wanted }
  }
}

export function demandLocale(locale: string, refuse: (reason: string) => never): void {
  if (!/^[a-z]{2,3}_[A-Z]{2,3}$/.test(locale))
    refuse(`${locale.slice(0, 50)} is not a locale; expected language and country like en_GB`)
}

/** A Problem of one object; anything else is a bug. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof Problem) return error.message
  throw error
}
