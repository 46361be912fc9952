/**
 * Texts into words, in every language alike. A code stays whole, and can be found joined and by its parts:
 *
 *   AB-1234/5     whole ab-1234/5   joined ab12345   parts ab 1234 5
 *   M8x20         whole m8x20                        parts m8 20
 *   1.234,50      whole 1.234,50    joined 1234.50   parts 1 234 50       decimal comma and point are one number
 *   l'eau         eau                                                     the elided article goes
 *
 * Parts are the words that count positions; whole and joined stand at the position of the last part.
 */

export interface Chunk {
  /** As written, without an elided article. */
  readonly whole: string
  /** Without separators; the same as whole when there are none. */
  readonly joined: string
  readonly parts: readonly string[]
}

export const runs = /[\p{L}\p{N}\p{M}]+(?:[-/._+#'’,][\p{L}\p{N}\p{M}]+)*/gu
const plain = /^[\p{L}\p{M}]+$/u
const elided = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|un|all|dall|dell|nell|sull|quest|quell)['’](?=.)/iu
const possessive = /['’]s$/iu
const number = /^\d+(?:[.,]\d+)+$/
const joiners = /[-/._+#'’,]/gu
const separators = /[-/._+#'’,]|(?<=\d)[x×](?=\d)/iu

const partOfRun = /[\p{L}\p{N}\p{M}]/u

/** Whether a run may begin, go on and end with a letter. */
export function isRunPart(letter: string): boolean {
  return partOfRun.test(letter)
}
/** Whether a letter may stand between the parts of a run. */
export function joinsRuns(letter: string): boolean {
  return letter.search(joiners) === 0
}

/** The runs of letters, digits and what joins them. */
export function runsOf(text: string): readonly string[] {
  return text.match(runs) ?? []
}

/** What a run is made of. A comma joins digits only. */
export function dissect(run: string): Chunk[] {
  if (plain.test(run)) return [{ whole: run, joined: run, parts: [run] }]
  return run.includes(',') && !number.test(run) ? run.split(',').map(chunkOf) : [chunkOf(run)]
}

function chunkOf(run: string): Chunk {
  const whole = run.replace(elided, '').replace(possessive, '')
  const parts = whole.split(separators).filter((part) => part !== '')
  return { whole, joined: number.test(whole) ? decimal(whole) : whole.replace(joiners, ''), parts }
}

/** The last separator is the decimal one, the others group thousands. */
function decimal(written: string): string {
  const last = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','))
  return `${written.slice(0, last).replace(/[.,]/g, '')}.${written.slice(last + 1)}`
}
