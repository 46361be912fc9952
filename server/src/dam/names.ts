/**
 * Names and paths of directories and files.
 *
 * A path starts with the tid of a storage: /MAM/boats/sail.jpg. Names keep their case but are compared by a case-folded
 * key. Names that file systems or archives do not support are refused, so that every file can be exported.
 */
import { checkLevels, checkNewName, cleanPath, cleanSegment, parentPathOf, sentName } from '../core/batch/names.ts'
import { Problem } from '../errors.ts'

/** Reserved device names of Windows, with any extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i
/** In UTF-8 bytes. Paths are indexed, which limits their length. */
const maxBytes = 2000

/** Normalizes the name of a message. Throws a Problem about `what` if the name is invalid. */
export function sentEntryName(what: string, name: string | undefined): string {
  const clean = cleanSegment(what, sentName(what, name))
  const refuse = (why: string): never => {
    throw new Problem('invalid', `${what} "${clean}" ${why}`)
  }
  if (clean.includes('\\')) refuse('contains \\, which some systems use as a path separator')
  if (clean.endsWith('.')) refuse('ends with a dot; remove it')
  if (reserved.test(clean)) refuse('is a device name on some systems; choose another')
  return clean
}

/** The name of an entry that is created. */
export const newEntryName = (what: string, name: string | undefined) => checkNewName(what, sentEntryName(what, name))

/** The key by which names and paths are compared. */
export const keyOf = (text: string) => text.toLowerCase().normalize('NFC')

interface SplitPath {
  /** The key of the directory's path. */
  readonly parent: string
  /** The key of the name. */
  readonly name: string
}

export function splitPath(path: string): SplitPath {
  const key = keyOf(cleanPath(path))
  return { parent: parentPathOf(key), name: key.slice(key.lastIndexOf('/') + 1) }
}

/** Throws if a path is too deep or too long. `below` is the number of bytes that its descendants add. */
export function checkPath(path: string, below = 0): void {
  checkLevels(path)
  const bytes = Buffer.byteLength(keyOf(path)) + below
  if (bytes > maxBytes)
    throw new Problem('invalid', `a path would have ${bytes} bytes; at most ${maxBytes} are allowed`)
}
