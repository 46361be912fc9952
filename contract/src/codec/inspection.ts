/**
 * The position of a reader in a message, and the faults found so far.
 *
 * A path looks like XPath and is the same in every format: `/pim/products/product[3]/vals/val[2]/@attr`. It is built
 * only when there is a fault to report; entering and leaving a field costs two array writes.
 */
import type { Field } from '../schema/describe.ts'
import { BadMessage, maxFaults, type Fault, type Limits } from './codec.ts'
import { quoteValue } from './scalars.ts'

export class Inspection {
  readonly limits: Limits
  readonly faults: Fault[] = []
  /** False if the current texts are known to contain no character that is illegal in XML. */
  suspicious = true
  /** Lists whose items are already validated, because they were streamed. */
  checked: ReadonlySet<unknown> | undefined
  /** Number of open elements or objects. */
  depth = 0
  readonly #steps: string[] = []
  readonly #indexes: number[] = []

  constructor(root: string, limits: Limits) {
    this.limits = limits
    this.enter(root)
  }

  /** Enters a field, or an item of a list (counted from 1). */
  enter(step: string, index = 0): void {
    this.#steps[this.depth] = step
    this.#indexes[this.depth] = index
    this.depth++
  }

  /** Moves to another item of the list. */
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

  /** Records a fault of the field `step` ('' for the current position). Throws when there are too many faults. */
  fault(step: string, message: string): void {
    this.faults.push({ path: this.path(step), message })
    if (this.faults.length >= maxFaults) throw new BadMessage(this.faults)
  }
}

/** The step of a field in a path. The text of an element has the path of the element. */
export function stepOf(name: string, field: Field): string {
  if (field.kind === 'text') return ''
  return field.kind === 'attr' ? `@${name}` : (field.xml ?? name)
}

/** A name from a message, shortened and cleaned for use in a path or an error message. */
export const nameAsSent = (name: string) => quoteValue(name).slice(1, -1)
