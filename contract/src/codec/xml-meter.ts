/**
 * Measures the part of a message that is in memory: one item, or the shell.
 *
 *   <pim><meta/><products>   <product/>   <product/>   </products><peos> …
 *   |     shell          |   |  item  |   |  item  |   |    shell
 *
 * Content between items is neither stored nor measured. Sizes are in bytes, estimated from the average bytes per
 * character of the message, which is exact if all characters have the same length.
 */
export class XmlMeter {
  #bytes = 0
  #characters = 0
  /** The start of the current part, or -1 between items. */
  #from = 0
  #isShell = true
  #shell = 0

  count(bytes: number, characters: number): void {
    this.#bytes += bytes
    this.#characters += characters
  }

  size(position: number): number {
    const characters = (this.#from < 0 ? 0 : position - this.#from) + (this.#isShell ? this.#shell : 0)
    return characters * (this.#bytes / Math.max(this.#characters, 1))
  }

  enterContainer(position: number): void {
    this.#shell += position - this.#from
    this.#from = -1
    this.#isShell = false
  }

  enterPart(position: number): void {
    this.#from = position
  }

  /** A part of a container that is not an item belongs to the shell. */
  leavePart(position: number, isItem: boolean): void {
    if (!isItem) this.#shell += position - this.#from
    this.#from = -1
  }

  leaveContainer(position: number): void {
    this.#from = position
    this.#isShell = true
  }
}
