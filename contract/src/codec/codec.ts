/**
 * The interface that the codecs of all three formats implement, and the faults they report.
 *
 *   bytes -> Reader -> items, one by one (Sink) + the shell      shell + items, one by one -> Writer -> text
 *
 * Messages are streamed. Each container of the root has at most one list that can be long (`products/product`); its
 * items are passed on one by one. Everything else (attributes, meta, …) is the shell. A reader returns the shell at the
 * end; a writer takes it first, before the items.
 */
import type { Field, Type } from '../schema/describe.ts'

/** Limits of what a reader accepts, so that no message can exhaust the process. */
export interface Limits {
  /** Maximum nesting of elements or objects. */
  depth: number
  /** Maximum number of characters of a text or attribute value. */
  text: number
  /** Maximum number of attributes of an element, or properties of an object. */
  attributes: number
  /** Maximum size in bytes of one item, and of the shell. */
  item: number
  /**
   * Whether lists are limited as the contract says. Only requests are: a reply contains what is stored. The items for a
   * sink are limited by the sink.
   */
  lists?: boolean
}
export const defaultLimits: Limits = { depth: 128, text: 4 * 1024 * 1024, attributes: 256, item: 64 * 1024 * 1024 }

/** The error message for a list with too many values. */
export const listFault = (max: number) => `the list has more than ${max} values; send fewer`

/** Receives each streamed item of a container (`products`) as soon as it is complete and valid. */
export type Sink = (container: string, item: object) => void

export interface Reader {
  /** Reads the next bytes. Throws BadMessage if they are not well formed; other faults are collected until `end`. */
  write(chunk: Uint8Array): void
  /** Ends the message and returns its shell. Throws BadMessage if there was any fault. */
  end(): object
}

export interface Writer {
  /** The beginning of the message. Containers in the shell may receive further items with `item`. */
  start(shell: object): string
  item(container: string, item: object): string
  end(): string
}

export interface ReadOptions {
  limits?: Limits
  /** Character encoding given by the transport. XML detects it if it is absent. */
  charset?: string | undefined
  /** Without a sink, `end` returns an object that includes all items. */
  sink?: Sink | undefined
}

export interface Codec {
  reader(root: Type, options?: ReadOptions): Reader
  writer(root: Type): Writer
}

/** One fault of a message. The path has the form `/pim/products/product[3]/vals/val[2]/@attr`. */
export interface Fault {
  path: string
  message: string
}

/** A refused message with all its faults (at most `maxFaults`). */
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
 * The list of a container that is streamed: its `children` field. Lists of `itm` and `param` are not streamed, because
 * compact JSON folds them as a whole. A container has at most one streamed list.
 */
export function streamedField(container: Type): [name: string, field: Field] | undefined {
  return Object.entries(container.fields).find(
    ([, field]) => field.kind === 'children' && !['itm', 'param'].includes(field.type!().name),
  )
}
