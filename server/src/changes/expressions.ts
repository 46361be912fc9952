/**
 * Expressions over the values of an object, in the Common Expression Language (cel.dev). The language has no loops over data,
 * no assignments and no access to JavaScript. Only the operators and the functions below are allowed: others, such as regular
 * expressions and macros over lists, could take very long.
 */
import { amountsOfPrice, convert, illegalTextFault, partsOfMeasure, plainText } from '@kontor/contract'
import { type ASTNode, Environment, type ParseResult } from '@marcbachmann/cel-js'
import { Problem } from '../errors.ts'
import { type Definition, isOf, unitOf } from './definitions.ts'
import { sizeOfTexts, tooLong } from './lengths.ts'
import type { Slot, Texts } from './slots.ts'

/** The values of an object. */
export interface Source {
  texts(slot: Slot): Texts
  /** The same with labels instead of the keys of domain values. Values without locale have labels in `locale`. */
  labels(slot: Slot, definition: Definition, locale: string | undefined): Texts
  readonly name: string
  readonly tid: string
}

export interface Expression {
  readonly reads: readonly Slot[]
  /** The type of the result: double, int, string or bool. */
  readonly type: string
  /** Undefined if a value is missing. Throws a Problem if the object does not allow a result. */
  evaluate(source: Source): number | string | boolean | undefined
}

/** Returns the slot that an attribute means without a locale of its own. */
export type SlotOf = (attribute: string, locale?: string) => Slot

interface Compiling {
  definitionOf(attribute: string): Definition
  slotOf: SlotOf
  refuse(reason: string): never
  /** Of the target. */
  readonly locale: string | undefined
  /** Whether the result is formatted text. Otherwise formatted texts are read without their elements. */
  readonly isMarkup: boolean
}

const limits = { maxAstNodes: 300, maxDepth: 24, maxListElements: 0, maxMapEntries: 0, maxCallArguments: 8 }
const longestText = 100_000

/** How each reading function checks its attribute. */
const readers: Readonly<Record<string, (definition: Definition, unit: string | undefined) => string | undefined>> = {
  number: (definition) => (isOf(definition, 'number') ? undefined : 'is not a number'),
  text: () => undefined,
  filled: () => undefined,
  amount: (definition, unit = '') =>
    !isOf(definition, 'price') ? 'is not a price' : unitOf(definition, unit) ? undefined : `has no amounts in ${unit}`,
  measure: (definition, unit = '') =>
    !isOf(definition, 'measure') ? 'is not a measure' : unitOf(definition, unit) ? undefined : `cannot be converted to ${unit}`, // prettier-ignore
}
const functions = new Set([...Object.keys(readers), 'round', 'floor', 'ceil', 'abs', 'min', 'max', 'lower', 'upper', 'replace', 'string', 'double', 'int', 'size']) // prettier-ignore
const methods = new Set(['contains', 'startsWith', 'endsWith', 'trim', 'size'])
const plainOperators = new Set(['value', '?:', '||', '&&', '!_', '-_', '==', '!=', '+', '-', '*', '/', '%', '<', '<=', '>', '>=']) // prettier-ignore

/** Thrown out of an expression that reads a missing value. */
class Missing extends Error {}

export function compileExpression(text: string, compiling: Compiling): Expression {
  let source: Source | undefined
  let isMissing = false
  const valueOf = (attribute: string, locale?: string) => {
    const [first] = source!.texts(compiling.slotOf(attribute, locale))
    if (first !== undefined) return first
    isMissing = true
    throw new Missing()
  }
  const env = environmentOf({
    number: (attribute) => Number(valueOf(attribute)),
    text(attribute, locale) {
      valueOf(attribute, locale)
      const definition = compiling.definitionOf(attribute)
      const texts = source!.labels(compiling.slotOf(attribute, locale), definition, compiling.locale)
      const isHtml = !compiling.isMarkup && isOf(definition, 'richtext')
      if (sizeOfTexts(texts) > longestText) throw tooLong(longestText)
      return (isHtml ? texts.map(plainText) : texts).join(', ')
    },
    filled: (attribute, locale) => source!.texts(compiling.slotOf(attribute, locale)).length > 0,
    amount(attribute, currency) {
      const amount = amountsOfPrice(valueOf(attribute)).find((one) => one.endsWith(` ${currency}`))
      if (amount !== undefined) return Number(amount.slice(0, -currency.length - 1))
      isMissing = true
      throw new Missing()
    },
    measure(attribute, code) {
      const definition = compiling.definitionOf(attribute)
      const parts = partsOfMeasure(valueOf(attribute))!
      return convert(Number(parts.number), unitOf(definition, parts.unit)!, unitOf(definition, code)!)
    },
  })
  const parsed = parse(env, text, compiling.refuse)
  const reads: Slot[] = []
  walk(parsed.ast, compiling, (attribute, locale) => reads.push(compiling.slotOf(attribute, locale)))
  const { valid, type = '', error } = parsed.check()
  if (!valid) compiling.refuse(`expression: ${firstLine(error)}`)
  return {
    reads,
    type,
    evaluate(given) {
      source = given
      isMissing = false
      try {
        return toResult(parsed())
      } catch (error) {
        if (isMissing) return undefined
        if (error instanceof Problem) throw error
        throw new Problem('invalid', `the expression has no result: ${firstLine(error)}`, { cause: error })
      }
    },
  }
}

const firstLine = (error: unknown) => {
  const line = (error as Error).message.split('\n')[0]!.slice(0, 200)
  return line.startsWith('Ternary branches') ? `${line}; write decimals on both sides, such as 0.0` : line
}

function parse(env: Environment, text: string, refuse: (reason: string) => never): ParseResult {
  try {
    return env.parse(text)
  } catch (error) {
    return refuse(`expression: ${firstLine(error)}`)
  }
}

function toResult(value: unknown): number | string | boolean {
  const result = typeof value === 'bigint' ? Number(value) : value
  if (typeof result === 'number' && !Number.isFinite(result))
    throw new Problem('invalid', 'the expression has no result: division by zero, or a number that is too large')
  if (typeof result === 'string') {
    const isTooLong = result.length > longestText
    const fault = isTooLong ? `the text is longer than ${longestText} characters` : illegalTextFault(result)
    if (fault !== undefined) throw new Problem('invalid', `the expression has no result: ${fault}`)
  }
  return result as number | string | boolean
}

/** Reports the attributes that are read. Refuses everything that is not allowed. */
function walk(node: ASTNode, compiling: Compiling, reads: (attribute: string, locale?: string) => void): void {
  const visit = (nodes: readonly ASTNode[]) => nodes.forEach((one) => walk(one, compiling, reads))
  if (node.op === 'call') {
    const [name, given] = node.args
    if (!functions.has(name))
      compiling.refuse(`expression: unknown function ${name}; there are ${[...functions].join(', ')}`)
    const check = readers[name]
    if (!check) return visit(given)
    const [attribute, second] = given.map(literalOf)
    if (attribute === undefined || (given.length > 1 && second === undefined))
      compiling.refuse(`expression: ${name} needs texts in quotes, such as ${name}("weight")`)
    const fault = check(compiling.definitionOf(attribute!), second)
    if (fault !== undefined) compiling.refuse(`expression: ${attribute} ${fault}`)
    return reads(attribute!, name === 'text' || name === 'filled' ? second : undefined)
  }
  if (node.op === 'rcall') {
    const [name, receiver, given] = node.args
    if (!methods.has(name))
      compiling.refuse(`expression: unknown function .${name}; there are ${[...methods].join(', ')}`)
    return visit([receiver, ...given])
  }
  if (node.op === 'id')
    compiling.refuse(`expression: unknown name ${node.args}; read an attribute with number("…") or text("…")`)
  if (!plainOperators.has(node.op)) compiling.refuse(`expression: ${node.op} is not possible here`)
  if (node.op !== 'value') visit((Array.isArray(node.args) ? node.args : [node.args]) as ASTNode[])
}

const literalOf = (node: ASTNode) => (node.op === 'value' && typeof node.args === 'string' ? node.args : undefined)

interface Readers {
  number(attribute: string): number
  text(attribute: string, locale?: string): string
  filled(attribute: string, locale?: string): boolean
  amount(attribute: string, currency: string): number
  measure(attribute: string, unit: string): number
}

const arithmetic: readonly (readonly [string, (a: number, b: number) => number])[] = [
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
]

/** CEL does not mix whole and decimal numbers; people do. */
function environmentOf(read: Readers): Environment {
  const env = new Environment({ limits })
  for (const [operator, apply] of arithmetic) {
    env.registerOperator(`double ${operator} int: double`, (a: number, b: bigint) => apply(a, Number(b)))
    env.registerOperator(`int ${operator} double: double`, (a: bigint, b: number) => apply(Number(a), b))
  }
  env.registerOperator('double == int', (a: number, b: bigint) => a === Number(b))
  for (const [signature, apply] of Object.entries({
    'number(string): double': read.number,
    'text(string): string': (attribute: string) => read.text(attribute),
    'text(string, string): string': read.text,
    'filled(string): bool': (attribute: string) => read.filled(attribute),
    'filled(string, string): bool': read.filled,
    'amount(string, string): double': read.amount,
    'measure(string, string): double': read.measure,
    'round(double): double': (a: number) => roundTo(a, 0),
    'round(double, int): double': (a: number, digits: bigint) => roundTo(a, Number(digits)),
    'round(int): int': (a: bigint) => a,
    'floor(double): double': Math.floor,
    'floor(int): int': (a: bigint) => a,
    'ceil(double): double': Math.ceil,
    'ceil(int): int': (a: bigint) => a,
    'abs(double): double': Math.abs,
    'abs(int): int': (a: bigint) => (a < 0n ? -a : a),
    ...eachPair('min', Math.min),
    ...eachPair('max', Math.max),
    'lower(string): string': (text: string) => text.toLowerCase(),
    'upper(string): string': (text: string) => text.toUpperCase(),
    'replace(string, string, string): string': replaced,
  }))
    env.registerFunction(signature, apply)
  return env
}

/** A function of two numbers, each of which is whole or not. */
const eachPair = (name: string, apply: (a: number, b: number) => number) =>
  Object.fromEntries(
    ['double, double', 'double, int', 'int, double', 'int, int'].map((pair) => [
      `${name}(${pair}): double`,
      (a: number | bigint, b: number | bigint) => apply(Number(a), Number(b)),
    ]),
  )

/** Half away from zero, as prices are rounded; 1.005 is rounded as it is written, not as it is stored in binary. */
function roundTo(amount: number, digits: number): number {
  const places = Math.min(Math.max(digits, -15), 15)
  const rounded = shifted(Math.round(shifted(Math.abs(amount), places)), -places)
  return Number.isNaN(rounded) ? amount : Math.sign(amount) * rounded
}

/** Moves the decimal point of the number as it is written, which may have an exponent: 1e-7. */
function shifted(amount: number, places: number): number {
  const [digits, exponent = '0'] = String(amount).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}

/** Nested replacements could grow without bound. */
function replaced(text: string, find: string, by: string): string {
  const result = find === '' ? text : text.replaceAll(find, () => by)
  if (result.length > longestText) throw new Problem('invalid', `a text is longer than ${longestText} characters`)
  return result
}
