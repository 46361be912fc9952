/**
 * Names and paths of directories and files.
 *
 * A path begins with the tid of a storage: /MAM/boats/sail.jpg. Names keep their case, but are compared without it:
 * by their key. What file systems and archives cannot hold is refused, so that every file can be taken out again.
 */
import { cleanPath, cleanSegment, parentPathOf } from '../core/batch/names.ts'
import { Problem } from '../errors.ts'

/** Names that mean a device, with any extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i
const mostSegments = 64
/** A path is a key of an index, which bounds it. In UTF-8. */
const mostBytes = 2000

/** The name in its one form. Throws a Problem that says what is wrong with `what`. */
export function cleanEntryName(what: string, name: string | undefined): string {
  const clean = cleanSegment(what, name)
  const refuse = (why: string): never => {
    throw new Problem('invalid', `${what} "${clean}" ${why}`)
  }
  if (clean.includes('\\')) refuse('contains \\, which separates the names of a path elsewhere')
  if (clean.endsWith('.')) refuse('ends with a dot; remove it')
  if (reserved.test(clean)) refuse('means a device on some systems; choose another')
  return clean
}

/** What names and paths are compared by. */
export const keyOf = (text: string) => text.toLowerCase().normalize('NFC')

export interface SplitPath {
  /** Key of the directory's path. */
  readonly parent: string
  /** Key of the name. */
  readonly name: string
}

export function splitPath(path: string): SplitPath {
  const key = keyOf(cleanPath(path))
  return { parent: parentPathOf(key), name: key.slice(key.lastIndexOf('/') + 1) }
}

/** Refuses a path that is too deep or too long; `below` is how many bytes what stands below adds to it. */
export function checkPath(path: string, below = 0): void {
  const segments = path.split('/').length - 1
  if (segments > mostSegments)
    throw new Problem('invalid', `${path} is ${segments} levels deep; ${mostSegments} at most`)
  const bytes = Buffer.byteLength(keyOf(path)) + below
  if (bytes > mostBytes)
    throw new Problem('invalid', `a path would have ${bytes} bytes; at most ${mostBytes} are allowed`)
}
