/**
 * Bounds of the texts that operations make. Each operation can multiply the text of the one before, and all objects of a
 * batch are in memory at once.
 */
import { Problem } from '../errors.ts'

/** Characters of all new texts of a batch. */
export const mostInBatch = 64 * 1024 * 1024
/** Characters of one text. */
const longestText = 4 * 1024 * 1024
/** Characters that all operations together may write for one object; a text that ten operations change counts ten times. */
const mostWritten = 8 * 1024 * 1024

export const tooLong = (most = longestText) => new Problem('invalid', `a text would be longer than ${most} characters`)

export const sizeOfTexts = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0)

/** Joins texts that are not longer together. */
export function joined(texts: readonly string[], most = longestText): string {
  if (sizeOfTexts(texts) > most) throw tooLong(most)
  return texts.join('')
}

/** Characters of a text times those that are looked for: at each place, all of them may have to be compared. */
const mostCompared = 64 * 1024 * 1024

/** Replaces `find` in texts, in upper or lower case, and stops as soon as one becomes too long. */
export function replacerOf(find: string, replacement: string, most = longestText): (text: string) => string {
  const part = new RegExp(find.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu')
  return (text) => {
    if (text.length * find.length > mostCompared)
      throw new Problem('invalid', `the text has ${text.length} characters; look for fewer than ${find.length} in it`)
    let length = text.length
    return text.replaceAll(part, (found) => {
      length += replacement.length - found.length
      if (length > most) throw tooLong(most)
      return replacement
    })
  }
}

/** Counts what the operations write for one object. */
export function createMeter(): (texts: readonly string[]) => void {
  let written = 0
  return (texts) => {
    written += sizeOfTexts(texts)
    if (written > mostWritten)
      throw new Problem('invalid', `the operations would write more than ${mostWritten} characters for one object`)
  }
}
