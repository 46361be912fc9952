/**
 * Expressions in BPMN files: `${approved == true and count(locales) > 1}`.
 *
 *   or, and, not            boolean operators
 *   == != < <= > >=         compare texts with texts, numbers with numbers; == also true, false, null
 *   in                      an element of a list, or a part of a text
 *   name.part[0]            a variable, a property, an element of a list; null if it does not exist
 *   count(x), empty(x)      of lists and texts
 *
 * Expressions have no side effects and can read nothing but the variables. A text that is a single expression evaluates
 * to its value; in any other text, each expression is replaced by its value as text.
 */
import { Problem } from '../../errors.ts'

export type Scope = Readonly<Record<string, unknown>>
type Evaluate = (scope: Scope) => unknown

const placeholder = /\$\{([^}]*)\}/g

export const isExpression = (text: string): boolean => /^\s*\$\{[^}]*\}\s*$/.test(text)

/** The value of a text in a scope. */
export function evaluate(text: string, scope: Scope): unknown {
  const only = /^\s*\$\{([^}]*)\}\s*$/.exec(text)
  if (only) return compile(only[1]!)(scope)
  return text.replaceAll(placeholder, (_, inner: string) => asText(compile(inner)(scope)))
}

/** The fault in the expressions of a text; undefined if there is none. */
export function faultOf(text: string): string | undefined {
  try {
    if (text.lastIndexOf('${') > text.lastIndexOf('}')) return 'an expression is not closed with }'
    for (const [, inner] of text.matchAll(placeholder)) compile(inner!)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

/** Converts a value to text: list elements are separated by commas, null and undefined become empty. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(asText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const tokens = /\s*(?:(\d+(?:\.\d+)?)|'([^']*)'|"([^"]*)"|([A-Za-z_][\w-]*)|(==|!=|<=|>=|&&|\|\||[<>!().[\]]))/y

interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'sign'
  readonly text: string
}

function tokenize(source: string): Token[] {
  const found: Token[] = []
  tokens.lastIndex = 0
  for (const end = source.trimEnd().length; tokens.lastIndex < end;) {
    const at = tokens.lastIndex
    const match = tokens.exec(source)
    if (!match) throw bad(source, `"${source.slice(at, at + 10).trim()}" is not understood`)
    const [, number, single, double, name, sign] = match
    const text = single ?? double
    if (number !== undefined) found.push({ kind: 'number', text: number })
    else if (text !== undefined) found.push({ kind: 'text', text })
    else if (name !== undefined) found.push({ kind: 'name', text: name })
    else found.push({ kind: 'sign', text: sign! })
  }
  return found
}

const bad = (source: string, why: string) => new Problem('invalid', `the expression \${${source}}: ${why}`)

/** Limits the length, and with it the nesting, of an expression. */
const maxLength = 2000

function compile(source: string): Evaluate {
  if (source.length > maxLength) throw bad(`${source.slice(0, 50)}…`, `it is longer than ${maxLength} characters`)
  const list = tokenize(source)
  let next = 0
  const peek = () => list[next]
  const is = (...words: string[]) => peek()?.kind !== 'text' && words.includes(peek()?.text ?? '')
  const take = (...words: string[]) => (is(...words) ? list[next++] : undefined)
  const expect = (word: string) => {
    if (!take(word)) throw bad(source, `expected ${word}${peek() ? ` before ${peek()!.text}` : ' at the end'}`)
  }

  const either = (): Evaluate => {
    let left = both()
    while (take('or', '||')) {
      const [a, b] = [left, both()]
      left = (scope) => isTrue(a(scope)) || isTrue(b(scope))
    }
    return left
  }
  const both = (): Evaluate => {
    let left = negation()
    while (take('and', '&&')) {
      const [a, b] = [left, negation()]
      left = (scope) => isTrue(a(scope)) && isTrue(b(scope))
    }
    return left
  }
  const negation = (): Evaluate => {
    if (!take('not', '!')) return comparison()
    const inner = negation()
    return (scope) => !isTrue(inner(scope))
  }
  const comparison = (): Evaluate => {
    const left = value()
    const sign = take(...comparisons.keys())
    if (!sign) return left
    const compare = comparisons.get(sign.text)!
    const right = value()
    return (scope) => compare(left(scope), right(scope))
  }
  const value = (): Evaluate => {
    if (take('(')) {
      const inner = either()
      expect(')')
      return inner
    }
    const token = list[next++]
    if (!token || token.kind === 'sign') throw bad(source, token ? `unexpected ${token.text}` : 'it ends too early')
    if (token.kind === 'number') return () => Number(token.text)
    if (token.kind === 'text') return () => token.text
    if (words.has(token.text)) return () => words.get(token.text)
    return functions.has(token.text) && take('(') ? call(functions.get(token.text)!) : path(token.text)
  }
  const call = (of: (value: unknown) => unknown): Evaluate => {
    const inner = either()
    expect(')')
    return (scope) => of(inner(scope))
  }
  const path = (name: string): Evaluate => {
    let at: Evaluate = (scope) => partOf(scope, name)
    for (;;) {
      const owner = at
      if (take('.')) {
        const part = list[next++]
        if (part?.kind !== 'name') throw bad(source, 'expected a name after the dot')
        at = (scope) => partOf(owner(scope), part.text)
      } else if (take('[')) {
        const index = either()
        expect(']')
        at = (scope) => partOf(owner(scope), String(index(scope)))
      } else return owner
    }
  }
  const whole = either()
  if (next < list.length) throw bad(source, `unexpected ${list[next]!.text}`)
  return whole
}

const words = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])
const sizeOf = (value: unknown) => (Array.isArray(value) || typeof value === 'string' ? value.length : 0)
const functions = new Map<string, (value: unknown) => unknown>([
  ['count', sizeOf],
  ['empty', (value) => value === null || value === undefined || (typeof value !== 'number' && sizeOf(value) === 0)],
])

/** Reads own properties only, never inherited ones such as `constructor`. */
function partOf(owner: unknown, name: string): unknown {
  if (typeof owner !== 'object' || owner === null || !Object.hasOwn(owner, name)) return null
  return (owner as Record<string, unknown>)[name] ?? null
}

const isTrue = (value: unknown) => value === true || value === 'true'

/** External values are often texts, so 'true' equals true and '3' equals 3. */
const same = (a: unknown, b: unknown) => a === b || asText(a) === asText(b)
const order = (a: unknown, b: unknown) => {
  const [x, y] = [Number(a), Number(b)]
  if (a !== null && b !== null && !Number.isNaN(x) && !Number.isNaN(y)) return x - y
  return asText(a) < asText(b) ? -1 : asText(a) > asText(b) ? 1 : 0
}
const comparisons = new Map<string, (a: unknown, b: unknown) => boolean>([
  ['==', same],
  ['!=', (a, b) => !same(a, b)],
  ['<', (a, b) => order(a, b) < 0],
  ['<=', (a, b) => order(a, b) <= 0],
  ['>', (a, b) => order(a, b) > 0],
  ['>=', (a, b) => order(a, b) >= 0],
  ['in', (a, b) => (Array.isArray(b) ? b.some((one) => same(a, one)) : asText(b).includes(asText(a)))],
])
