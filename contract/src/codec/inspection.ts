/**
 * Where in a message a reader is, and what it found wrong so far.
 *
 * A path reads like XPath and is the same in every format: `/pim/products/product[3]/vals/val[2]/@attr`. It is written
 * down only when there is a fault to report; until then going down and up costs two stores into an array.
 */
import type { Field } from '../schema/describe.ts'
import { BadMessage, maxFaults, type Fault, type Limits } from './codec.ts'
import { shown } from './scalars.ts'

export class Inspection {
  readonly limits: Limits
  readonly faults: Fault[] = []
  /** False while it is known that no text holds a character that XML cannot carry. */
  suspicious = true
  /** Lists whose items were judged one by one before. */
  judged: ReadonlySet<unknown> | undefined
  /** How many elements or objects we are in. */
  depth = 0
  readonly #steps: string[] = []
  readonly #indexes: number[] = []

  constructor(root: string, limits: Limits) {
    this.limits = limits
    this.enter(root)
  }

  /** Goes down to a field, or to an item of a list (from 1). */
  enter(step: string, index = 0): void {
    this.#steps[this.depth] = step
    this.#indexes[this.depth] = index
    this.depth++
  }

  /** Goes on to another item of the list. */
  move(index: number): void {
    this.#indexes[this.depth - 1] = index
  }

  leave(): void {
    this.depth--
  }

  path(step = ''): string {
    let path = ''
    for (let level = 0; level < this.depth; level++) {
      const index = this.#indexes[level]!
      path += index === 0 ? `/${this.#steps[level]}` : `/${this.#steps[level]}[${index}]`
    }
    return step === '' ? path : `${path}/${step}`
  }

  /** Notes a fault of the field `step` ('' for the place itself). When there are too many, reading on is of no use. */
  fault(step: string, message: string): void {
    this.faults.push({ path: this.path(step), message })
    if (this.faults.length >= maxFaults) throw new BadMessage(this.faults)
  }
}

/** A field as a path names it. The text of an element has the path of the element. */
export function stepOf(name: string, field: Field): string {
  if (field.kind === 'text') return ''
  return field.kind === 'attr' ? `@${name}` : (field.xml ?? name)
}

/** A name that a message brought along, as a path or a sentence shows it. */
export const nameAsSent = (name: string) => shown(name).slice(1, -1)
