/**
 * How large the part of a message is that is held in memory: one item, or the shell.
 *
 *   <pim><meta/><products>   <product/>   <product/>   </products><peos> …
 *   |     shell          |   |  item  |   |  item  |   |    shell
 *
 * What stands between items is not kept and so not measured. Sizes are bytes; within a message they are estimated
 * by its bytes per character, which is exact as long as all characters have the same length.
 */
export class XmlMeter {
  #bytes = 0
  #characters = 0
  /** Where the part began, or -1 between items. */
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
