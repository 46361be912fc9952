/**
 * Splits text into words, in the same way for all languages. A code stays whole, and can also be found joined or by its
 * parts:
 *
 *   AB-1234/5     whole ab-1234/5   joined ab12345   parts ab 1234 5
 *   M8x20         whole m8x20                        parts m8 20
 *   1.234,50      whole 1.234,50    joined 1234.50   parts 1 234 50       decimal comma and point are the same number
 *   l'eau         eau                                                     the elided article is dropped
 *
 * Parts advance the position. Whole and joined forms share the position of the last part.
 */

export interface Chunk {
  /** Without an elided article. */
  readonly whole: string
  /** Without separators; equal to `whole` if there are none. */
  readonly joined: string
  readonly parts: readonly string[]
}

export const runs = /[\p{L}\p{N}\p{M}]+(?:[-/._+#'’,][\p{L}\p{N}\p{M}]+)*/gu
const elided = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|un|all|dall|dell|nell|sull|quest|quell)['’](?=.)/iu
const possessive = /['’]s$/iu
const number = /^\d+(?:[.,]\d+)+$/
const joiners = /[-/._+#'’,]/gu
const separators = /[-/._+#'’,]|(?<=\d)[x×](?=\d)/iu

const partOfRun = /[\p{L}\p{N}\p{M}]/u
/** Characters up to here are classified by a table. Text with later characters is split by the regular expression. */
export const lastLetter = 0x24f
export const laterLetters = /[\u0250-\uffff]/
export const [otherLetter, runLetter, joiningLetter] = [0, 1, 2] as const
/** By character code, its role in a run. */
export const letterKinds = Uint8Array.from({ length: lastLetter + 1 }, (_, code) => {
  const letter = String.fromCharCode(code)
  return partOfRun.test(letter) ? runLetter : letter.search(joiners) === 0 ? joiningLetter : otherLetter
})

/** End of the run that begins at `from`. The text must not contain later characters. */
function runEnd(text: string, from: number): number {
  for (let at = from + 1; ; at++) {
    const kind = at < text.length ? letterKinds[text.charCodeAt(at)] : otherLetter
    if (kind === runLetter) continue
    // A joiner belongs to the run only if a letter follows.
    if (kind === otherLetter || at + 1 >= text.length || letterKinds[text.charCodeAt(at + 1)] !== runLetter) return at
  }
}

/** The run around a position. The text must not contain later characters. */
export function runAround(text: string, position: number): { from: number; to: number } {
  let from = position
  while (letterKinds[text.charCodeAt(from - 1)] === runLetter || isJoined(text, from - 1)) from--
  return { from, to: runEnd(text, position) }
}
const isJoined = (text: string, at: number) =>
  letterKinds[text.charCodeAt(at)] === joiningLetter && letterKinds[text.charCodeAt(at - 1)] === runLetter

/** Calls `visit` with the bounds of each run. */
export function eachRun(text: string, visit: (from: number, to: number) => void): void {
  if (laterLetters.test(text)) {
    for (const { 0: run, index } of text.matchAll(runs)) visit(index, index + run.length)
    return
  }
  for (let at = 0; at < text.length;) {
    if (letterKinds[text.charCodeAt(at)] !== runLetter) {
      at++
      continue
    }
    const end = runEnd(text, at)
    visit(at, end)
    at = end
  }
}

/** Whether a part of a run may begin here: at the start of the run, after a joiner, or at a digit as in M8x20. */
export function mayBeginPart(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return letterKinds[text.charCodeAt(at - 1)] !== runLetter || (code >= 0x30 && code <= 0x39)
}

/** The runs of letters and digits, including the characters that join them. */
export function runsOf(text: string): readonly string[] {
  return text.match(runs) ?? []
}

/** Splits a run into chunks. A comma joins digits only. */
export function dissect(run: string): Chunk[] {
  if (!separators.test(run)) return [{ whole: run, joined: run, parts: [run] }]
  return run.includes(',') && !number.test(run) ? run.split(',').map(chunkOf) : [chunkOf(run)]
}

function chunkOf(run: string): Chunk {
  const whole = run.replace(elided, '').replace(possessive, '')
  const parts = whole.split(separators).filter((part) => part !== '')
  return { whole, joined: number.test(whole) ? decimal(whole) : whole.replace(joiners, ''), parts }
}

/** The last separator is the decimal one; the others group thousands. */
function decimal(text: string): string {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  return `${text.slice(0, last).replace(/[.,]/g, '')}.${text.slice(last + 1)}`
}
