/**
 * Writes JSON in pieces: first the shell, then each container with its first item:
 *
 *   start   {"meta":{…},"schemaVersion":"5.6.0"
 *   item    ,"products":{"product":[{…}
 *   item    ,{…}
 *   end     ]}}
 */
import type { Type } from '../schema/describe.ts'
import { streamedField, type Writer } from './codec.ts'
import { type Layout, perType, type Print, stringify } from './json-layout.ts'
import type { JsonObject } from './validate.ts'

export function writerOf(layout: Layout): (root: Type) => Writer {
  const containersOf = perType(streamedContainers)
  return (root) => new JsonWriter(root, layout, containersOf(root))
}

interface Container {
  readonly type: Type
  readonly list: string
  readonly item: Type
}

function streamedContainers(root: Type): Map<string, Container> {
  const containers = new Map<string, Container>()
  for (const [name, field] of Object.entries(root.fields)) {
    const type = field.kind === 'child' ? field.type!() : undefined
    const found = type && streamedField(type)
    if (found) containers.set(name, { type: type!, list: found[0], item: found[1].type!() })
  }
  return containers
}

class JsonWriter implements Writer {
  readonly #root: Type
  readonly #layout: Layout
  readonly #containers: Map<string, Container>
  /** Containers of the shell that are not written yet. */
  readonly #waiting = new Map<string, JsonObject>()
  readonly #closed = new Set<string>()
  #open = ''
  #print: Print = String
  /** The text that closes the open container. */
  #ending = ''
  #separator = ''

  constructor(root: Type, layout: Layout, containers: Map<string, Container>) {
    this.#root = root
    this.#layout = layout
    this.#containers = containers
  }

  start(shell: object): string {
    const rest: JsonObject = {}
    for (const [name, value] of Object.entries(shell)) {
      if (value !== undefined && this.#containers.has(name)) this.#waiting.set(name, value)
      else rest[name] = value
    }
    const text = stringify(this.#layout.fields(this.#root)(rest)).slice(0, -1)
    this.#separator = text === '{' ? '' : ','
    return text
  }

  item(container: string, item: object): string {
    const text = container === this.#open ? '' : this.#close() + this.#begin(container)
    return text + this.#next(item)
  }

  end(): string {
    let text = this.#close()
    for (const [name, value] of this.#waiting) {
      text += `${this.#separator}"${name}":${stringify(this.#layout.value(this.#containers.get(name)!.type)(value))}`
      this.#separator = ','
    }
    return `${text}}`
  }

  #begin(name: string): string {
    const container = this.#containers.get(name)
    if (!container || this.#closed.has(name)) throw new Error(`cannot write items of '${name}' here`)
    const { [container.list]: items, ...others } = this.#waiting.get(name) ?? {}
    this.#waiting.delete(name)
    this.#open = name
    this.#print = this.#layout.item(container.item)
    const fields = stringify(this.#layout.fields(container.type)(others)).slice(0, -1)
    const asList = fields === '{' && this.#layout.foldsToList(container.type)
    this.#ending = asList ? ']' : ']}'
    const text = asList ? '[' : `${fields}${fields === '{' ? '' : ','}"${container.list}":[`
    const before = `${this.#separator}"${name}":${text}`
    this.#separator = ''
    return ((items ?? []) as object[]).reduce((written, item) => written + this.#next(item), before)
  }

  #next(item: object): string {
    const text = this.#separator + this.#print(item)
    this.#separator = ','
    return text
  }

  #close(): string {
    if (this.#open === '') return ''
    this.#closed.add(this.#open)
    this.#open = ''
    this.#separator = ','
    return this.#ending
  }
}
