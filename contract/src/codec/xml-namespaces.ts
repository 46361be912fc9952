/**
 * Tracks which namespace each prefix is bound to.
 *
 * One map contains the current bindings, and a stack contains the bindings they replaced. Elements without declarations,
 * which are nearly all elements, cost nothing, and no look-up walks up the ancestors.
 */
import { quoteValue } from './scalars.ts'
import type { XmlName } from './xml-names.ts'

const xml = 'http://www.w3.org/XML/1998/namespace'
const xmlns = 'http://www.w3.org/2000/xmlns/'
const xsi = 'http://www.w3.org/2001/XMLSchema-instance'

interface Replaced {
  depth: number
  prefix: string
  uri: string | undefined
}

export class XmlNamespaces {
  /** Prefix (or '' for names without one) to namespace. */
  readonly #bound = new Map<string, string>([['xml', xml]])
  readonly #replaced: Replaced[] = []
  readonly #home: string
  /** Whether names without a prefix are in the home namespace, as nearly all are. Cached for speed. */
  #unprefixedIsHome = false

  constructor(home: string) {
    this.#home = home
  }

  /** The namespace of a prefix if it is not the home namespace ('' for none), otherwise undefined. */
  foreign(prefix: string): string | undefined {
    if (prefix === '' && this.#unprefixedIsHome) return undefined
    const uri = this.#bound.get(prefix) ?? ''
    return uri === this.#home ? undefined : uri
  }

  /** Whether an attribute is a schema location hint, which XML Schema allows on every element. */
  isSchemaHint({ prefix, local }: XmlName): boolean {
    return /^(noNamespaceS|s)chemaLocation$/.test(local) && this.#bound.get(prefix) === xsi
  }

  isBound(prefix: string): boolean {
    return this.#bound.has(prefix)
  }

  /** Applies a declaration of the element at `depth`. Returns its fault, if any. */
  bind(depth: number, prefix: string, uri: string): string | undefined {
    if (prefix === 'xmlns' || uri === xmlns || (prefix === 'xml') !== (uri === xml))
      return `xmlns${prefix && `:${prefix}`} cannot be bound to ${quoteValue(uri)}`
    if (prefix !== '' && uri === '') return `the prefix '${prefix}' cannot be bound to an empty namespace`
    this.#replaced.push({ depth, prefix, uri: this.#bound.get(prefix) })
    this.#set(prefix, uri)
    return undefined
  }

  /** Removes the declarations of the element at `depth` when it ends. */
  leave(depth: number): void {
    for (let last = this.#replaced.at(-1); last?.depth === depth; last = this.#replaced.at(-1)) {
      this.#set(last.prefix, last.uri)
      this.#replaced.pop()
    }
  }

  #set(prefix: string, uri: string | undefined): void {
    if (uri === undefined) this.#bound.delete(prefix)
    else this.#bound.set(prefix, uri)
    if (prefix === '') this.#unprefixedIsHome = uri === this.#home
  }
}
