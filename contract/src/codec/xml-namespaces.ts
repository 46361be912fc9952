/**
 * Which namespace a prefix stands for, element by element.
 *
 * Bindings are kept in one map together with what they replaced, so that an element without declarations, which is
 * nearly every one, costs nothing, and no element walks up its ancestors.
 */
import { shown } from './scalars.ts'
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
  /** Whether a name without prefix is at home; nearly all are, so it is known beforehand. */
  #unprefixedIsHome = false

  constructor(home: string) {
    this.#home = home
  }

  /** The namespace of an element that is not at home ('' for none); undefined for home. */
  foreign(prefix: string): string | undefined {
    if (prefix === '' && this.#unprefixedIsHome) return undefined
    const uri = this.#bound.get(prefix) ?? ''
    return uri === this.#home ? undefined : uri
  }

  /** Whether an attribute only says where a schema is to be found. XML Schema lets every element carry such hints. */
  isSchemaHint({ prefix, local }: XmlName): boolean {
    return /^(noNamespaceS|s)chemaLocation$/.test(local) && this.#bound.get(prefix) === xsi
  }

  isBound(prefix: string): boolean {
    return this.#bound.has(prefix)
  }

  /** Takes a declaration of the element at `depth`. Returns what is wrong with it, if anything. */
  bind(depth: number, prefix: string, uri: string): string | undefined {
    if (prefix === 'xmlns' || uri === xmlns || (prefix === 'xml') !== (uri === xml))
      return `xmlns${prefix && `:${prefix}`} cannot stand for ${shown(uri)}`
    if (prefix !== '' && uri === '') return `the prefix '${prefix}' cannot stand for no namespace`
    this.#replaced.push({ depth, prefix, uri: this.#bound.get(prefix) })
    this.#set(prefix, uri)
    return undefined
  }

  /** Forgets the declarations of the element at `depth`, which ends. */
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
