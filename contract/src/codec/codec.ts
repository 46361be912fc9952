/**
 * What the three formats have in common: how a message is read and written, and what is said of a bad one.
 *
 *   bytes -> Reader -> items, one by one (Sink) + the shell      shell + items, one by one -> Writer -> text
 *
 * A message is read in pieces. Of the root's containers, the one list that can be long (`products/product`) is handed
 * over item by item; everything else (attributes, meta, …) is the shell, known in full only at the end. Written
 * the other way round: the shell first, then the items.
 */
import type { Field, Type } from '../schema/describe.ts'

/** Bounds on what a reader accepts, so that no message can exhaust the process. */
export interface Limits {
  /** Nesting of elements or objects. */
  depth: number
  /** Characters of one text or attribute value. */
  text: number
  /** Attributes of one element, or properties of one object. */
  attributes: number
  /** Bytes of one item as sent, and of the shell. */
  item: number
}
export const defaultLimits: Limits = { depth: 128, text: 4 * 1024 * 1024, attributes: 256, item: 64 * 1024 * 1024 }

/** Takes one streamed item of the container (`products`) as soon as it is complete and valid. */
export type Sink = (container: string, item: object) => void

export interface Reader {
  /** Reads on. Throws BadMessage when the text is not well formed; shape faults are collected until `end`. */
  write(chunk: Uint8Array): void
  /** Ends the message and returns its shell. Throws BadMessage when there was any fault. */
  end(): object
}

export interface Writer {
  /** The beginning of a message: the shell may hold containers, whose streamed list then follows by `item`. */
  start(shell: object): string
  item(container: string, item: object): string
  end(): string
}

export interface ReadOptions {
  limits?: Limits
  /** Character encoding named by the transport; XML finds out by itself when it is absent. */
  charset?: string | undefined
  /** Without a sink every item is put into the object that `end` returns. */
  sink?: Sink
}

export interface Codec {
  reader(root: Type, options?: ReadOptions): Reader
  writer(root: Type): Writer
}

/** One place where a message is wrong: `/pim/products/product[3]/vals/val[2]/@attr`. */
export interface Fault {
  path: string
  message: string
}

/** A message that cannot be accepted, with every place found (at most `maxFaults`). */
export class BadMessage extends Error {
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    super(faults.map((fault) => `${fault.path}: ${fault.message}`).join('; '))
    this.name = 'BadMessage'
    this.faults = faults
  }
}
export const maxFaults = 20

/**
 * The list of a container that is streamed: its `children` field, unless it is a list of `itm` or `param`, which are
 * folded as a whole in compact JSON. A container has at most one such list.
 */
export function streamedField(container: Type): [name: string, field: Field] | undefined {
  return Object.entries(container.fields).find(
    ([, field]) => field.kind === 'children' && !['itm', 'param'].includes(field.type!().name),
  )
}
